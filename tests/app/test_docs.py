"""The documentation is true where a machine can tell: links, commands, settings, numbers.

Names of files and of code are in test_docs_names.
"""

import json
import re
from bisect import bisect_left
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
from django.urls import reverse
from scipy.stats import binom

from config.environment.environment import VARIABLES
from config.environment.variable import FILE
from surveys.services.responses import record_response
from surveys.services.results import refresh_results
from tests.app.programs import run_python
from tests.builders import launched, response
from tests.released import as_researcher

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("rr_engine/*.md"), *DOCS.rglob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")
VARIABLE = re.compile(r"\b(?:CANDOR_[A-Z_]+|DATABASE_URL|REDIS_URL)\b")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def fenced_block(page: Path, info: str) -> str:
    """The content of the one block of `page` that begins with ```info."""
    (block,) = re.findall(rf"^```{info}\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
    return block


# --- links, names, commands ---------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_resolve(page):
    targets = [link.split("#")[0] for link in LINK.findall(text_of(page))]
    local = [target for target in targets if target and "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


def test_the_index_names_every_page():
    linked_pages = {(DOCS / link).resolve() for link in LINK.findall(text_of(DOCS / "README.md"))}
    pages = {*DOCS.glob("*.md"), *(DOCS / "guide").glob("*.*"), *(DOCS / "decisions").glob("*")}
    assert pages - {DOCS / "README.md"} <= linked_pages


def test_the_readme_is_short():
    assert len(text_of(ROOT / "README.md").splitlines()) < 150


def test_every_decision_says_goal_options_decision_consequences():
    for page in (DOCS / "decisions").glob("*.md"):
        positions = [
            text_of(page).find(f"**{part}")
            for part in ("Goal", "Option", "Decision", "Consequences")
        ]
        assert min(positions) > 0, page.name
        assert positions == sorted(positions), page.name


def test_commands_that_pages_name_are_in_the_makefile():
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    code = re.compile(r"(?:^|`)make ([a-z-]+)", re.MULTILINE)
    names = {target for page in PAGES for target in code.findall(text_of(page))}
    assert {"run", "test"} <= names <= targets


def test_a_command_runs_though_a_folder_has_its_name():
    makefile = text_of(ROOT / "Makefile")
    targets = set(re.findall(r"^([a-z-]+):.*##", makefile, re.MULTILINE))
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    (tools,) = re.findall(r"^TOOLS := (.*)$", makefile, re.MULTILINE)
    phony = phony.replace("$(TOOLS)", tools)
    assert "papers" in targets
    assert targets <= set(phony.split())


def test_folders_that_the_readme_names_exist():
    folders = re.findall(r"^\| `(\w[\w/]*/)`", text_of(ROOT / "README.md"), re.MULTILINE)
    assert folders
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


@pytest.mark.slow
def test_environment_variables_that_pages_name_exist():
    read = [*(ROOT / "config").rglob("*.py"), *(ROOT / "client" / "candor").rglob("*.py")]
    code = "".join(text_of(path) for path in sorted(read))
    code += " ".join(name + FILE for name, variable in VARIABLES.items() if variable.secret)
    code += text_of(ROOT / "Makefile") + text_of(ROOT / "tests/browser/support.py")
    for page in PAGES:
        unknown = set(VARIABLE.findall(text_of(page))) - set(VARIABLE.findall(code))
        assert not unknown, page.name


def test_the_operators_page_names_every_setting():
    assert set(VARIABLES) <= set(re.findall(r"[A-Z_]{4,}", text_of(DOCS / "operating.md")))


def test_every_requirement_has_its_reason():
    lines = [
        line
        for name in ("requirements.in", "requirements-dev.in")
        for line in text_of(ROOT / name).splitlines()
        if line and not line.startswith(("#", "-r"))
    ]
    assert all(re.fullmatch(r"[\w.-]+(\[\w+\])?==[\w.!]+", line) for line in lines)
    required = {re.split(r"[\[=]", line)[0] for line in lines}
    rows = re.findall(r"^\| ([a-z0-9, -]+?)(?: \d[\d.]*)? \|", text_of(REASONS), re.MULTILINE)
    explained = {name for row in rows for name in row.split(", ")} - {"requirement"}
    assert explained == required


REASONS = DOCS / "decisions" / "0002-dependencies.md"


# --- numbers and programs -----------------------------------------------------------------------


@pytest.mark.slow
def test_the_table_of_epsilons_is_what_its_program_prints():
    page = DOCS / "guide" / "authors.md"
    printed = run_python(fenced_block(page, "python epsilon-table")).splitlines()
    assert len(printed) == 5
    assert [row for row in printed if row not in text_of(page).splitlines()] == []


def test_the_margins_of_the_author_guide_are_the_engines():
    from rr_engine import k_rr, margin_of_error, sample_size
    from rr_engine.designs import direct

    text = text_of(DOCS / "guide" / "authors.md").replace("\n", " ")
    for size in (2, 3, 5, 10):
        shares = [0.1] + [0.9 / (size - 1)] * (size - 1)
        margin = 100 * margin_of_error(k_rr(size, "1"), shares, 500, category=0)
        assert f"±{margin:.1f}" in text
    assert f"need {sample_size(direct(2), 0.1, 0.05)} people" in text


@pytest.mark.parametrize(
    ("epsilon", "n", "astray"), [(1, 1000, 0.15), (2, 1000, 0.07), (1, 4000, 0.076)]
)
def test_a_control_item_finds_what_the_author_guide_says(epsilon, n, astray):
    from rr_engine import k_rr
    from rr_engine.compliance import anchor_check

    design = k_rr(2, epsilon)

    def is_found(yes):
        return anchor_check(design, [n - yes, yes], 0).p_value < 0.05

    least = bisect_left(range(n // 2), True, key=is_found)
    yes = (1 - astray) * design.matrix[1, 0] + astray / 2
    assert binom.sf(least - 1, n, yes) == pytest.approx(0.8, abs=0.025)


def test_the_program_by_hand_prints_what_the_page_says_and_agrees_with_the_engine():
    from rr_engine import estimate, k_rr

    page = DOCS / "guide" / "researchers.md"
    printed = run_python(fenced_block(page, "python by-hand"))
    assert printed == fenced_block(page, "text by-hand-output")

    device = k_rr(2, "1").quantized()
    assert str(device.integers.T.tolist()) in fenced_block(page, "python by-hand")
    shares, errors = map(json.loads, re.findall(r"\[.*?\]", printed))
    result = estimate(device, [560, 440])
    assert result.proportions.tolist() == pytest.approx(shares, abs=5e-5)
    assert result.standard_errors.tolist() == pytest.approx(errors, abs=5e-5)


def test_the_inverse_by_hand_of_a_group_prints_what_the_page_says_and_agrees_with_the_engine():
    from rr_engine import estimate_joint
    from rr_engine.channels import JointChannel

    page = DOCS / "guide" / "researchers.md"
    printed = run_python(fenced_block(page, "python by-hand-group"))
    assert printed == fenced_block(page, "text by-hand-group-output")
    counts = [[310, 140, 90], [120, 150, 190]]
    shares = estimate_joint([JointChannel((2, 3), (8, 2, 1), 16)], counts).proportions
    for row, expected in zip(json.loads(printed), shares, strict=True):
        assert row == pytest.approx(expected.tolist(), abs=5e-5)


@pytest.mark.slow
def test_the_library_example_of_the_readme_prints_what_it_says():
    code = fenced_block(ROOT / "README.md", "python")
    assert f"# {run_python(code).strip()}" in code


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_the_downloads_alone_reproduce_every_number(client, tmp_path, linkage):
    launch = launch_with_answers(linkage)
    for name in ("results-parameters", "results-json", "reports-csv"):
        answer = as_researcher(client, launch).get(reverse(name, args=[launch.survey.slug]))
        content = answer.getvalue() if answer.streaming else answer.content
        (tmp_path / name).write_bytes(content)

    program = fenced_block(DOCS / "guide" / "researchers.md", "python recompute")
    printed = run_python(program, tmp_path / "results-parameters", tmp_path / "reports-csv")

    recomputed = {line["id"]: line for line in map(json.loads, printed.splitlines())}
    published = json.loads((tmp_path / "results-json").read_text())["questions"]
    assert set(recomputed) == {question["id"] for question in published} == {"drug", "shift"}
    for question in published:
        same = recomputed[question["id"]]
        assert same["n"] == question["n"]
        for key in ("reported", "estimate", "standard_error", "interval", "maximum_likelihood"):
            assert same[key] == [row[key] for row in question["categories"]], key


def launch_with_answers(linkage: str):
    launch = launched(
        slug="health",
        linkage=linkage,
        results_public=True,
        questions=[
            {"name": "drug", "epsilon": Decimal("1.1"), "prefer_not": True},
            {
                "name": "shift",
                "kind": "single_choice",
                "options": ["Day", "Night"],
                "randomized": False,
                "required": False,
            },
        ],
    )
    for drug, shift in product((0, 0, 0, 1, 1, 2), (0, 0, 1, None)):
        reports = {"drug": drug} if shift is None else {"drug": drug, "shift": shift}
        body = json.dumps(response(launch, reports=reports)).encode()
        record_response(launch=launch, body=body)
    refresh_results(launch_id=launch.pk)
    return launch
