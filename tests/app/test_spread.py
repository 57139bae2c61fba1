"""Tests that share something costly stay in one process of pytest-xdist."""

import re
from pathlib import Path

import pytest

from tests.spread import LANES, WHOLE_FILES, group_of

ROOT = Path(__file__).resolve().parents[2]
FAULTS = "tests/system/test_faults.py"
DATABASES = ["sqlite", "postgresql"]
LONG_WAYS = sorted((ROOT / "tests/system").glob("test_*_path.py"))


@pytest.mark.parametrize("path", WHOLE_FILES)
def test_a_file_stays_whole(path):
    assert (ROOT / path).is_file()
    assert group_of(f"{path}::test_one") == group_of(f"{path}::test_two[sqlite-x]")
    assert group_of(f"{path}::test_one") in [lane[0] for lane in LANES]


@pytest.mark.parametrize("path", LONG_WAYS, ids=lambda path: path.name)
def test_the_long_ways_are_not_left_for_the_end(path):
    """A group of one is handed out last, where it would run alone."""
    tests = re.findall(r"^def test_\w+\((.*?)\)", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    # Its tests go with the database that they run on.
    assert tests
    assert all("stack: Stack" in arguments for arguments in tests)


@pytest.mark.parametrize("database", DATABASES)
def test_tests_on_one_database_stay_together(database):
    assert group_of(f"{FAULTS}::test_one[{database}-kill_broker]") == database
    assert group_of(f"tests/system/test_whole_path.py::test_two[{database}]") == database
    assert group_of(f"tests/system/test_stalled.py::test_three[X : spaced-{database}]") == database


@pytest.mark.parametrize("case", ["firefox", "firefox-two", "two-firefox"])
def test_tests_in_firefox_stay_together(case):
    assert group_of(f"tests/browser/test_respond_path.py::test_one[{case}]") == "firefox"


def test_all_others_are_alone():
    for nodeid in (f"{FAULTS}::test_one", "tests/browser/test_german.py::test_two[sqlite]"):
        assert group_of(nodeid) == nodeid
