"""A feature is named in its own folders and in the list of all, and nowhere else."""

import re
from pathlib import Path

import pytest

from surveys.features import FEATURES

ROOT = Path(__file__).resolve().parents[3]
# Where product code is, and the files that are read there.
FOLDERS = ("surveys", "static", "templates", "config", "scripts")
SUFFIXES = {".py", ".js", ".ts", ".html", ".css"}
# The folders of a feature, one on each side.
HOMES = ("surveys/features", "static/js/features", "templates/features")
# The list of all features, from which the registry is filled.
LISTED = ROOT / "surveys/features/registered.py"


def words_of(text):
    """The words of a text, those of names among them: `armOf` and `arm_of` have two each."""
    return set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()))


def sources():
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in SUFFIXES and "plotly" not in path.parts:
                yield path


def is_home(path, name):
    return any(ROOT / home / name in path.parents for home in HOMES)


@pytest.mark.parametrize("feature", FEATURES.values(), ids=lambda feature: feature.name)
def test_no_file_outside_its_folders_names_a_feature(feature):
    named = {
        str(path.relative_to(ROOT)): found
        for path in sources()
        if not is_home(path, feature.name) and path != LISTED
        if (found := words_of(f"{path.name} {path.read_text(encoding='utf-8')}") & {*feature.words})
    }
    assert named == {}


@pytest.mark.parametrize("feature", FEATURES.values(), ids=lambda feature: feature.name)
def test_its_folders_are_called_like_the_feature(feature):
    assert (ROOT / HOMES[0] / feature.name / "feature.py").is_file()
    assert feature.name in feature.words


def test_many_files_are_read():
    assert len(list(sources())) > 700


def test_a_name_is_seen_in_a_name_of_code():
    assert "arm" in words_of("longestArm(x)") & words_of("in_arm") & words_of("# Of an arm.")
    assert "arm" not in words_of("no harm, warm, army")
