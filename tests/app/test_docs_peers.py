"""The comparison with other software: each row says yes with a name that there is, or why not."""

import re

import pytest

from tests.app.test_docs import DOCS, text_of
from tests.engine.public import PUBLIC

PAGE = text_of(DOCS / "peers.md")
COLUMNS = "| rr | RRreg | RRTCS | GLMMRR | cWise | rrLogit | Stata | Candor |"
# Rows of the tables of features, without their heads.
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.count("|") == COLUMNS.count("|") + 1 and COLUMNS not in line and "---" not in line
]
NAME = re.compile(r"`(\w+)`")


def test_every_table_of_features_is_read():
    assert PAGE.count(COLUMNS) == 5
    assert len(ROWS) > 35


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_names_a_function_or_a_page_or_says_why_not(row):
    ours = row[-1]
    if ours.startswith("no: "):
        assert len(ours) > 60
        return
    assert re.match("yes[:,]", ours)
    assert NAME.search(ours) or "of the app" in ours or "/s/<slug>/" in ours


@pytest.mark.slow
def test_every_function_that_the_tables_name_is_public_and_called_by_a_test():
    from tests.engine.test_bad_input import CALLS

    names = {name for row in ROWS for name in NAME.findall(row[-1])}
    assert len(names) > 60
    assert names <= PUBLIC.keys()
    # A right call of each function and method, before the wrong ones.
    called = {part for call in CALLS for part in call.split(".")}
    assert names - called == set()
