"""What stands in a cell of the reports that has none, and what every file says of it."""

import uuid
from collections import Counter
from itertools import combinations

import pytest

from surveys.exports.formats import dta, sav
from surveys.exports.registry import export_of
from surveys.exports.tables import codes, reports
from surveys.models import Submission
from surveys.results.release import release_of
from surveys.services.results import refresh_results
from tests import arm_reports, arms, filtered
from tests.app import pilots
from tests.files import content_of
from tests.read_back import Missing, by_pyreadstat
from tests.released import released
from tests.unchanged.listed import FEATURES

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


# --- not asked ----------------------------------------------------------------------------------


def rows_of(launch):
    """The columns by name, and the rows, each by the names of its columns."""
    table = reports.table(launch)
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    return {column.name: column for column in table.columns}, rows


def meanings(column):
    return {value.code: value.label for value in column.missing}


def arms_of_people(*people, **values):
    """The rows of people, each an arm and the reports that they have sent."""
    launch = arm_reports.arms_survey(questions=ARMED, cross_tables=[], **values)
    return rows_of(arm_reports.store(launch, people))


# Two questions that a direct arm is asked directly, one of which the split sample has too, one of
# the split sample alone, and one that all are asked alike.
ARMED = [
    {**arm_reports.DRUG, "required": False},
    {**arm_reports.ABSENCE, "required": False},
    {**arms.SPLIT_ONLY, "required": False},
    {**arm_reports.SIZE, "required": False},
]
ANSWERS = {"drug": 1, "absence": 2, "mood": 0, "size": 1}
SOME = [*(("page", ANSWERS), ("split", ANSWERS), ("direct", ANSWERS)) * 8]
NAMES = tuple(ANSWERS)


def without(*names):
    return {name: code for name, code in ANSWERS.items() if name not in names}


def test_a_question_that_an_arm_is_asked_directly_is_told_from_one_left_out_where_the_row_says_so():
    """The stratum of another answer says it; where none does, no file tells which of both it is."""
    columns, rows = arms_of_people(
        *SOME,
        ("split", without("drug")),
        ("page", without("drug", "absence", "mood")),
    )
    told = {(row["mood.stratum"], row["drug"]) for row in rows}
    # In the split sample "drug" was left out; whoever shows no arm, or that of the page, may have
    # been asked directly.
    assert {("split", None), ("page", -3), (None, -3)} <= told
    assert not told & {("split", -3), ("page", None), (None, None)}
    assert meanings(columns["drug"]) == {
        None: "left out",
        -1: "held back because too few people used the device",
        -3: "asked directly, or left out: no file says which",
    }
    assert meanings(columns["drug.stratum"]).keys() == {None, "held_back", "not_asked"}
    assert meanings(columns["mood"]).keys() == {None, -1}
    assert meanings(columns["size"]).keys() == {None}


@pytest.mark.parametrize("threshold", [5, 9])
def test_a_code_of_arms_says_nothing_that_the_rest_of_its_row_does_not(threshold):
    """All patterns of what somebody leaves out, in every arm: two rows with the same reports and
    strata have the same codes, and those who were asked directly, whatever they answered, have
    the row of somebody of the page who left the same questions out.
    """
    patterns = [
        (arm, without(*names))
        for arm in ("page", "split", "direct")
        for count in range(len(NAMES))
        for names in combinations(NAMES, count)
    ]
    # With the higher threshold the split sample is held back.
    some = SOME if threshold == 5 else [person for person in SOME if person[0] != "split"]
    people = [*some, *patterns]
    launch = arm_reports.arms_survey(questions=ARMED, cross_tables=[], release_threshold=threshold)
    _columns, rows = rows_of(arm_reports.store(launch, people))
    codes = {}
    for row in rows:
        bare = tuple(None if cell in (-3, "not_asked") else cell for cell in row.values())
        codes.setdefault(bare, set()).add(tuple(row.values()))
    assert len(rows) == len(people)
    assert any(-3 in row.values() for row in rows)
    assert all(len(found) == 1 for found in codes.values())
    split = [row for row in rows if row["mood.stratum"] in ("split", "held_back")]
    assert {row["drug"] for row in split} == ({None, 1} if threshold == 5 else {None, -1})
    for _arm, sent in patterns:
        others = {name: code for name, code in sent.items() if name not in ("drug", "absence")}
        assert row_of(launch, "direct", sent) == row_of(launch, "page", others)


def row_of(launch, arm, sent):
    """The row of somebody in an arm of a survey that has results."""
    _columns, cells_of = reports._layout(release_of(launch))
    (row,) = cells_of(arm_reports.content_of(launch.parameters, (arm, sent)))
    return tuple(row)


def pilot(people, questions=3):
    """A pilot of which each pair was asked of so many people, and its rows; some leave it out."""
    where = {"name": "where", "text": "Where?", "randomized": False, "required": False}
    paired = [{"text": f"Question {number + 1}?", "required": False} for number in range(questions)]
    launch = pilots.pilot_launch(
        questions=[*paired, where], linkage="together", release_threshold=5
    )
    for pair, count in people.items():
        sent = {"pair": [0, 1], "where": 0} if pair else {"where": 0}
        strata = {name: pair if name == "pair" else "page" for name in sent}
        for _number in range(count):
            content = {"reports": sent, "strata": strata}
            Submission.objects.create(pk=uuid.uuid4(), launch=launch, content=content)
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch, *rows_of(launch)


def cells_of(rows, *names):
    return Counter(tuple(row.get(name, "no column") for name in names) for row in rows)


ALL_PAIRS = {"pair_1_2": 6, "pair_1_3": 6, "pair_2_3": 6, "": 5}


def test_a_question_of_a_pilot_that_chance_did_not_pick_says_so():
    launch, columns, rows = pilot(ALL_PAIRS)
    assert cells_of(rows, "q1", "q2", "q3") == {
        (0, 1, -3): 6,
        (0, -3, 1): 6,
        (-3, 0, 1): 6,
        # Both questions of a pair were left out, which nothing tells.
        (None, None, None): 5,
    }
    assert {row["q3.stratum"] for row in rows if row["q3"] == -3} == {"not_asked"}
    label = "not asked: chance picked two other questions for this person"
    assert meanings(columns["q3"])[-3] == label
    assert meanings(columns["q3"])[None].startswith("left out, with both questions")
    book = {(row[0], row[3]): row[-1] for row in codes.table(launch).rows if row[-1]}
    assert book["q3", -3] == label


def test_a_pair_without_a_cell_of_its_own_is_not_told_by_the_cells_of_others():
    """The third and the fourth question are held back of everybody. Who was asked both has the row
    of somebody who left a pair out.
    """
    few = dict.fromkeys(("pair_1_3", "pair_1_4", "pair_2_3", "pair_2_4", "pair_3_4"), 1)
    _launch, _columns, rows = pilot({"pair_1_2": 9, **few, "": 5}, questions=4)
    assert cells_of(rows, "q1", "q2", "q3", "q4") == {
        (0, 1, *["no column"] * 2): 9,
        (-1, -3, *["no column"] * 2): 2,
        (-3, -1, *["no column"] * 2): 2,
        (None, None, *["no column"] * 2): 6,
    }


def test_programs_read_why_a_question_was_not_asked(tmp_path):
    launch, columns, _rows = pilot(ALL_PAIRS)
    for file_format in (sav.FORMAT, dta.FORMAT):
        path = tmp_path / f"reports.{file_format.ending}"
        path.write_bytes(content_of(export_of("reports"), file_format, launch))
        (found,) = [each for each in by_pyreadstat(path) if each.name == "q2"]
        reasons = Counter(cell.reason for cell in found.cells if isinstance(cell, Missing))
        assert reasons == {meanings(columns["q2"])[-3]: 6, meanings(columns["q2"])[None]: 5}


def test_nobody_is_asked_about_themselves():
    """The code of the sender stands in the row, so that their own cell can say so."""
    launch = FEATURES["network"]()[-1]
    columns, rows = rows_of(launch)
    members = launch.parameters.members.codes
    names = {column.rpartition(".")[0] for column in columns if column.endswith(members[0])}
    for row in rows:
        for name in names:
            own = {code: row[f"{name}.{code}"] for code in members}
            assert own.pop(row["member"]) == -2
            # Who left the question out says nothing of anybody.
            assert set(own.values()) in ({0, 1}, {0}, {1}, {None})
    label = "does not apply: nobody is asked about themselves"
    for name in names:
        assert meanings(columns[f"{name}.{members[0]}"]) == {None: "left out", -2: label}
