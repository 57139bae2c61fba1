"""A feature is named in its own folders and in the list of all, and nowhere else."""

import re
from functools import cache
from pathlib import Path

import pytest

from surveys.features import FEATURES

ROOT = Path(__file__).resolve().parents[3]
# Where product code is, and the files that are read there.
FOLDERS = ("surveys", "static", "templates", "config", "scripts")
SUFFIXES = {".py", ".js", ".ts", ".html", ".css"}
# The folders of a feature.
HOMES = ("surveys/features", "static/js/features", "static/css/features", "templates/features")
# The lists of all features: from which the registry is filled, and what clashes in the browser.
LISTED = {
    ROOT / "surveys/features/registered.py",
    ROOT / "surveys/features/models.py",
    ROOT / "static/js/rr/clashes.js",
}
# Names that documents and answers of the server keep for ever, and those of the library.
KEPT_NAMES = re.compile(r'"(?:roster|roster_ties|bad_roster|not_a_roster)"|\brr_engine(?:\.\w+)+')
# What a downloaded codebook says of questions that are sent together, by word.
KEPT_TEXTS = {
    "group of questions": {"surveys/exports/tables/combinations.py"},
    "questions of the group": {"surveys/exports/tables/combinations.py"},
}
# What still has to move into its folders is named elsewhere until it has.
MOVED = [feature for feature in FEATURES.values() if feature.words]


# What begins a statement is no word of a name: “return codes” in a program gives codes back.
STATEMENT = re.compile(r"(?m)(^\s*|[;{})]\s*)return\b")


def words_of(text):
    """The words of a text, with a space around each; `knownShare` and “known share” are one."""
    text = STATEMENT.sub(r"\1", text)
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())
    return f" {' '.join(words)} "


def named_in(text, names):
    """Those of the names that a text has."""
    words = words_of(text)
    return {name for name in names if f" {name} " in words}


def sources():
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            # The tables of a feature are made with all others, and a program for researchers reads
            # the files of every survey.
            outside = {"plotly", "migrations", "programs"}
            if path.suffix in SUFFIXES and not outside.intersection(path.parts):
                yield path


@cache
def words_by_file():
    """The words of the name and the text of each file, without names that it must not change."""
    return {
        path: words_of(KEPT_NAMES.sub("", f"{path.name} {path.read_text(encoding='utf-8')}"))
        for path in sources()
        if path not in LISTED
    }


def is_home(path, name):
    return any(ROOT / home / name in path.parents for home in HOMES)


@pytest.mark.parametrize("feature", MOVED, ids=lambda feature: feature.name)
@pytest.mark.slow
def test_no_file_outside_its_folders_names_a_feature(feature):
    named: dict[str, set[str]] = {}
    for path, words in words_by_file().items():
        if not is_home(path, feature.name):
            for word in feature.words:
                if f" {word} " in words:
                    named.setdefault(word, set()).add(str(path.relative_to(ROOT)))
    assert named == {word: KEPT_TEXTS[word] for word in feature.words if word in KEPT_TEXTS}


@pytest.mark.parametrize("feature", MOVED, ids=lambda feature: feature.name)
def test_its_folders_are_called_like_the_feature(feature):
    assert (ROOT / HOMES[0] / feature.name / "feature.py").is_file()
    name = feature.name.replace("_", " ")
    assert any(word.endswith(name) for word in feature.words)


def test_many_files_are_read():
    assert len(list(sources())) > 700


def test_a_name_is_seen_in_a_name_of_code():
    for text in ("longestArm(x)", "in_arm", "# Of an arm."):
        assert named_in(text, ["arm"])
    assert not named_in("no harm, warm, army", ["arm"])
    assert named_in("# Of return codes, a RETURN_CODE.", ["return code"]) == {"return code"}
    assert not named_in("if (found) return codes;\n  return code", ["return codes", "return code"])
    assert named_in("controlItems", ["control items"])
    assert not named_in("control of items", ["control item"])
