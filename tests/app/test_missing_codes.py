"""What stands in a cell of the reports that has none, and what every file says of it."""

import pytest

from surveys.exports.formats import sav
from surveys.exports.registry import export_of
from surveys.exports.tables import codes, reports
from tests import filtered
from tests.files import content_of
from tests.read_back import Missing, by_pyreadstat
from tests.released import released

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ROWS = (
    *({"contract": number % 2, "drug": 0, "hours": number % 3} for number in range(8)),
    # Has no contract, so that nobody asked about hours.
    {"contract": 2, "drug": 1},
    # Has one, and left the hours out.
    {"contract": 0, "drug": 1},
    # What would say whether they apply is left out as well.
    {"drug": 2},
)
HOURS = {**filtered.HOURS, "required": False}
CONTRACT = {**filtered.CONTRACT, "required": False}


def hours_of(rows, questions):
    launch = released(rows, questions=questions, linkage="together")
    table = reports.table(launch)
    names = [column.name for column in table.columns]
    place = {name: names.index(name) for name in names}
    found = [(row[place.get("contract", 0)], row[place["hours"]]) for row in table.rows]
    return launch, table.columns[place["hours"]], found


def test_a_question_that_was_not_for_somebody_is_told_from_one_that_was_left_out(tmp_path):
    launch, column, found = hours_of(ROWS, [CONTRACT, filtered.DRUG, HOURS])
    empty = sorted((pair for pair in found if pair[1] in (None, -2)), key=str)
    assert empty == [(0, None), (2, -2), (None, -2)]
    assert {value.code: value.label for value in column.missing} == {
        None: "left out",
        -2: "does not apply: the question was not for this person",
    }
    book = {row[0]: [] for row in codes.table(launch).rows}
    for row in codes.table(launch).rows:
        if row[-1]:
            book[row[0]].append((row[3], row[-1]))
    assert book["hours"] == [(None, "left out"), (-2, column.missing[1].label)]
    assert book["drug"] == [(None, "left out")]
    path = tmp_path / "reports.sav"
    path.write_bytes(content_of(export_of("reports"), sav.FORMAT, launch))
    (hours,) = [each for each in by_pyreadstat(path) if each.name == "hours"]
    reasons = [cell.reason for cell in hours.cells if isinstance(cell, Missing)]
    assert sorted(reasons) == [column.missing[1].label] * 2 + ["left out"]


def test_nothing_tells_whom_a_question_is_for_that_rests_on_answers_of_a_few():
    """Two people have answered what makes the hours theirs, fewer than results are shown of."""
    drives = filtered.question("drives", randomized=False, epsilon=None, required=False)
    rule = {"filters": {"only_if": "contract = Permanent or drives = Yes"}}
    rows = [*({"contract": 0, "drug": 0, "hours": number % 3} for number in range(8))]
    rows += [{"contract": 1, "drug": 0, "drives": 1}, {"contract": 1, "drug": 0, "drives": 0}]
    questions = [CONTRACT, drives, filtered.DRUG, {**HOURS, "features": rule}]
    launch, column, found = hours_of(rows, questions)
    assert "drives" not in {each.name for each in reports.table(launch).columns}
    assert [value.code for value in column.missing] == [None]
    assert [hours for contract, hours in found if contract == 1] == [None, None]
