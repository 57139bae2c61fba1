"""Files of modules that are loaded together follow from the sources, and from nothing else."""

import hashlib
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command

from config.group_files import current_grouping, grouped_files, translated
from config.groups import GROUPS, PAGE, GroupError, Grouping
from config.releases import respondent_styles
from config.staticfiles import HashedStaticFilesStorage, without_types
from surveys.views.scripts import all_scripts, fingerprint
from tests.browser.support import serving

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {
    path.relative_to(ROOT / "static/js").with_suffix("").as_posix(): path.read_text()
    for path in sorted((ROOT / "static/js").rglob("*.js"))
}
MODULES = sorted(current_grouping().group_of)
_COMMENT = re.compile(r"^\s*(/\*\*.*?\*/|//.*?)$\n", re.DOTALL | re.MULTILINE)
_IMPORT = re.compile(r"^(import|export \{).*?;\n", re.DOTALL | re.MULTILINE)
# What stands in the place of imports and exports.
_USE = re.compile(r"^(const [^=\n]*= )?\$use\(.*\);\n|^return \{ .*\};\n$", re.MULTILINE)


def lines_of(source: str) -> list[str]:
    code = _IMPORT.sub("", _COMMENT.sub("", without_types(source)))
    return [
        re.sub(r"^export |\bimport\([\"'].*?\)", "", line) for line in code.splitlines() if line
    ]


@pytest.mark.parametrize("module", MODULES)
def test_a_group_has_every_line_of_its_modules_and_no_other(module):
    grouping = current_grouping()
    text = grouping.text(grouping.group_of[module], {})
    if module == "lib/grouped":
        body = text.split("const grouped = (() => {\n")[1].split("})();\n")[0]
    else:
        body = text.split(f'"{module}": ($use, $later) => {{\n')[1].split("\n},\n")[0] + "\n"
    lines = [re.sub(r"\$later\(.*?\)", "", line) for line in _USE.sub("", body).splitlines()]
    assert lines == lines_of(SOURCES[module])


def test_every_module_is_in_one_group_and_the_order_of_files_does_not_matter():
    grouping = current_grouping()
    held = [module for group in grouping.groups.values() for module in group.modules]
    assert len(held) == len(set(held))
    other = Grouping(dict(reversed(SOURCES.items())))
    assert other.groups == grouping.groups
    assert [other.text(name, {}) for name in GROUPS] == [grouping.text(name, {}) for name in GROUPS]


PAGE_ALONE = {
    "lib/grouped": "export function start() {}\n",
    **{name: "" for names in GROUPS.values() for name in names},
}


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"rr/rules": 'import { a } from "./a.js";\n'}, "rr/a is missing"),
        (
            {"rr/rules": 'import "./chain.js";\n', "rr/chain": 'import "./rules.js";\n'},
            "import each other",
        ),
        ({"rr/rules": 'import "./chain.js";\n', "rr/chain": ""}, ""),
        ({"rr/rules": "export default 1;\n"}, "rr/rules has a line that no group can have"),
        ({"rr/rules": "export let a = 1;\n"}, "rr/rules has a line that no group can have"),
    ],
)
def test_what_cannot_be_grouped_is_refused(changed, problem):
    grouping = Grouping({**PAGE_ALONE, **changed})

    def build():
        return [grouping.text(name, {}) for name in grouping.groups]

    if problem:
        with pytest.raises(GroupError, match=problem):
            build()
    else:
        assert len(build()) == len(grouping.groups)


@pytest.mark.slow
def test_what_is_collected_is_what_follows_from_the_source(tmp_path):
    storage = HashedStaticFilesStorage(location=tmp_path, base_url="/static/")
    files = grouped_files()
    for name, text in files.items():
        assert Path(finders.find(name)).read_text() == text
        storage.save(name, ContentFile(text.encode()))
    processed = storage.post_process({name: (storage, name) for name in files})
    assert [error for _, _, error in processed if isinstance(error, Exception)] == []
    for name, text in files.items():
        assert (tmp_path / storage.stored_name(name)).read_text() == text
        # A line is no shorter when it is compressed.
        is_short = text.count("\n") == 1
        assert is_short or (tmp_path / f"{storage.stored_name(name)}.br").exists()


def test_a_group_says_its_own_texts_and_no_others():
    grouping, texts = current_grouping(), translated("de")
    said = [grouping.text(name, texts) for name in grouping.groups]
    assert '"I have kept my return code": "' in grouping.text(
        "features/return_codes/keeping", texts
    )
    assert '"I have kept my return code": "' not in grouping.text(PAGE, texts)
    calls = [
        text
        for module in MODULES
        for text in re.findall(r'\bgettext\(\s*"((?:[^"\\]|\\.)*)"', SOURCES[module])
    ]
    assert len(calls) > 200
    assert [text for text in calls if not any(f'"{text}": ' in file for file in said)] == []
    assert translated("en") == {}


def checked_site(folder: Path) -> None:
    """What a site serves: its page for checking, and the scripts."""
    rows = []
    for script in all_scripts():
        text = grouped_files().get(script.name) or without_types(
            Path(finders.find(script.name)).read_text()
        )
        (folder / script.name).parent.mkdir(parents=True, exist_ok=True)
        (folder / script.name).write_text(text)
        rows.append((script.name, text))
    write_page(folder, dict(rows))


def write_page(folder: Path, texts: dict[str, str]) -> None:
    rows = [
        f'<tr><th scope="row"><a href="/{name}">{name}</a></th>'
        f'<td class="mono">{hashlib.sha256(text.encode()).hexdigest()}</td></tr>'
        for name, text in texts.items()
    ]
    (folder / "check").mkdir(exist_ok=True)
    (folder / "check/index.html").write_text("".join(rows))


@pytest.mark.slow
def test_the_command_compares_a_site_with_the_source(tmp_path, capsys):
    call_command("candor", "scripts")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(all_scripts()) + len(respondent_styles())
    assert f"  {current_grouping().groups[PAGE].file('de')}" in "\n".join(lines)
    checked_site(tmp_path)
    with serving(tmp_path) as site:
        call_command("candor", "scripts", at=site)
        assert set(re.findall(r"^(\S+ ?\S*) {2,}js/", capsys.readouterr().out, re.M)) == {
            "the same"
        }
        changed = tmp_path / "js/groups/en/page.js"
        text = changed.read_text()
        changed.write_text(text.replace("2n * highSum", "3n * highSum") + "\n// altered\n")
        with pytest.raises(CommandError, match="names another hash"):
            call_command("candor", "scripts", at=site)
        names = [script.name for script in all_scripts()]
        write_page(tmp_path, {name: (tmp_path / name).read_text() for name in names})
        with pytest.raises(CommandError, match="is not what this source makes"):
            call_command("candor", "scripts", at=site)
        assert re.search(r"^DIFFERS +js/groups/en/page\.js$", capsys.readouterr().out, re.M)


def test_the_fingerprint_follows_from_names_and_hashes_alone():
    scripts = all_scripts()
    assert fingerprint(scripts) == fingerprint(scripts[::-1])
    assert fingerprint(scripts) != fingerprint(scripts[1:])
