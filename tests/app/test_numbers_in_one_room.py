"""Numbers for people are written in `surveys/numbers` and, in the browser, in one module."""

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOM = ROOT / "surveys" / "numbers"
CODE = [
    path
    for folder in (ROOT / "surveys", ROOT / "config")
    for path in sorted(folder.rglob("*.py"))
    if "migrations" not in path.parts and ROOM not in path.parents
]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))

# Django's format filters for numbers, without those for dates.
DATES = {"date_format", "time_format"}
# A percent sign behind what a message or an f-string fills in, or alone.
SIGNED = re.compile(r"(?:%\(\w+\)[sd]|%[sd]|\{\w*\})[ \u00a0]?%(?:%|[^\w%(]|$)")
# A format that rounds, groups or takes percent; a plain "f" is how documents write a decimal.
DIGITS = re.compile(r"[<>=^]?\d*(?:,|[,_]?\.\d+[efgEFG%]?|\.?\d*[%n])")
FILTERS = re.compile(r"\|\s*(?:floatformat|localize|intcomma)\b")
SHOWN = re.compile(r"\}\}(?:\s|&nbsp;)*%(?!\})")
IN_SCRIPTS = re.compile(
    r"Intl\.(?:NumberFormat|ListFormat)|\.toLocaleString\(|\.toFixed\(|\.toPrecision\("
    r"|\}[ \u00a0]?%|([\"'`])[ \u00a0]?%\1"
)

# Exceptions: text that is not for readers, or that is elsewhere for a reason.
EXCEPTIONS = {
    "config/logs.py": "reads the notation of Python's logging",
    "surveys/features/pilots/page_views.py": "coordinates of a drawing",
    "surveys/admin/figures/search_words.py": "a point's key in an address",
    "surveys/authoring/planning/mechanism_accuracy.py": "the epsilons of a curve, to 3 digits",
    "surveys/authoring/planning/recovery_rates.py": "coordinates of a drawing",
    "surveys/exports/formats/latex.py": "the sign of a comment in LaTeX",
    "surveys/observation/site.py": "a number for Prometheus, to one digit",
    "surveys/results/findings/strips.py": "coordinates of a drawing",
    "surveys/services/webhook_sending.py": "cuts the zone off an IPv6 address",
    "surveys/throttle.py": "cuts the zone off an IPv6 address",
    "static/js/lib/exact_numbers.js": "all digits, loaded with a question for a number only",
    "static/js/lib/i18n.js": "respondents' pages, whose weight a second module would add to",
    "static/js/lib/numbers.js": "the module",
    "static/js/pages/admin_search.js": "ranks keys of points",
    "static/js/ui/cards.js": "coordinates of a drawing",
    "static/js/ui/wheel.js": "coordinates of a drawing",
}


def found_in_code(text):
    """The lines of a source that format a number."""
    return [
        (node.lineno, offence) for node in ast.walk(ast.parse(text)) for offence in offences(node)
    ]


def offences(node):
    if isinstance(node, ast.ImportFrom) and node.module == "django.utils.formats":
        yield from {alias.name for alias in node.names} - DATES
    if isinstance(node, ast.ImportFrom) and node.module == "django.utils":
        yield from {alias.name for alias in node.names} & {"formats", "numberformat"}
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from filter(is_signed, [node.value])
    if isinstance(node, ast.JoinedStr):
        yield from signs_behind(node.values)
    if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
        yield from filter(DIGITS.fullmatch, map(text_of, node.format_spec.values))
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "format":
        yield from filter(DIGITS.fullmatch, map(text_of, node.args[1:]))


def is_signed(text):
    return text.strip() == "%" or SIGNED.search(text)


def signs_behind(parts):
    for value, text in pairwise(parts):
        if isinstance(value, ast.FormattedValue) and re.match(r"[ \u00a0]?%", text_of(text)):
            yield text_of(text)


def text_of(node):
    return str(getattr(node, "value", ""))


def found_in_template(text):
    return [match.group() for rule in (FILTERS, SHOWN) for match in rule.finditer(text)]


def found_in_script(text):
    return [match.group() for match in IN_SCRIPTS.finditer(text)]


def ident(path):
    return path.relative_to(ROOT).as_posix()


@cache
def all_offences():
    kinds = ((CODE, found_in_code), (TEMPLATES, found_in_template), (SCRIPTS, found_in_script))
    return {
        ident(path): offences_found
        for paths, rule in kinds
        for path in paths
        if (offences_found := rule(path.read_text(encoding="utf-8")))
    }


@pytest.mark.slow
def test_nobody_else_writes_a_number_for_people():
    assert {
        path: offence for path, offence in all_offences().items() if path not in EXCEPTIONS
    } == {}


def test_every_exception_is_one():
    assert EXCEPTIONS.keys() <= all_offences().keys()


@pytest.mark.parametrize(
    "source",
    [
        "from django.utils.formats import number_format",
        "from django.utils import formats",
        'f"{share} %"',
        'f"{share}%"',
        'f"{share:.1f}"',
        'f"{share:.0%}"',
        'f"{count:,}"',
        'format(share, ".2f")',
        '_("%(share)s %% of people")',
        '_("over %s %%")',
        '{"ticksuffix": " %"}',
    ],
)
def test_the_rule_for_code_sees(source):
    assert found_in_code(source)


@pytest.mark.parametrize(
    "source",
    [
        "from django.utils.formats import date_format",
        '_("95 % interval")',
        '_("%(p)s, 95 %% interval %(low)s")',
        'f"{name}: {value}"',
        '"%s of %s"',
        '"%{x}"',
        'f"{name:>10}"',
    ],
)
def test_the_rule_for_code_lets_pass(source):
    assert not found_in_code(source)


@pytest.mark.parametrize("source", ["{{ x|floatformat:1 }}", "{{ x }} %", "{{ n|localize }}"])
def test_the_rule_for_templates_sees(source):
    assert found_in_template(source)


def test_the_rule_for_templates_lets_pass():
    assert not found_in_template("{{ x }}{% if y %}{{ pk|unlocalize }}{% endif %} 95 %")


@pytest.mark.parametrize("source", ["value.toFixed(1)", "`${share} %`", '"%"', "Intl.NumberFormat"])
def test_the_rule_for_scripts_sees(source):
    assert found_in_script(source)


def loaded_by(script):
    """A script and those of its folder that it loads, at once or later."""
    found, queue = set(), [script]
    while queue:
        path = queue.pop()
        if path not in found:
            found.add(path)
            names = re.findall(r'["(]\./(\w+\.js)"', path.read_text(encoding="utf-8"))
            queue += [path.with_name(name) for name in names]
    return found


def test_the_script_s_exception_for_respondents_is_theirs():
    """Pages for authors and researchers take their numbers from the one module."""
    users = [path for path in SCRIPTS if "lib/i18n.js" in path.read_text(encoding="utf-8")]
    features = {path for path in users if path.parent.parent.name == "features"}
    # What the respondent's page loads of a feature.
    assert features <= {each for path in features for each in loaded_by(path.with_name("page.js"))}
    others = {path.parent.name for path in users if path.parent.parent.name != "features"}
    assert others <= {"ui", "pages", "lib"}
    assert {path.name for path in users if path.parent.name == "pages"} <= {"respond.js"}
