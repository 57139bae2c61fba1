"""Devices whose reports are tuples or bits, from the response to the export.

Nobody can launch them yet: these launches are written past the door.
"""

import json
import uuid
from decimal import Decimal

import pytest

from surveys.exceptions import InvalidSubmissionError
from surveys.exports.formats import codebook, csv
from surveys.exports.table import Table, Type
from surveys.exports.tables import codes, reports
from surveys.forms.physical_questions import asked_questions
from surveys.models import Submission, Tally
from surveys.parameters import Product, read, to_json
from surveys.responses import tallies
from surveys.responses.crossings import crossings
from surveys.responses.envelope import ParsedSubmission, checked_content, response_schema
from surveys.responses.spaces import space_of
from surveys.results.launch_strata import Source, released_strata, strata_of
from surveys.results.release import Release
from tests.app.spaces import device_with, relaunched
from tests.app.test_aggregation import fill
from tests.app.test_report_spaces import bits, some_reports, uniform
from tests.builders import launched

pytestmark = pytest.mark.django_db

CHOICE = {"kind": "single_choice", "options": ["Tea", "Coffee", "Water", "Juice"]}
PAIR = Product(parts=(uniform(2), uniform(3)))


def launch_of(table, **values):
    """A launch with a question of codes, and one with this table."""
    values = {"linkage": "together", "cross_tables": [["q1", "q2"]], **values}
    first = launched(questions=[{}, CHOICE], **values)
    return relaunched(
        first, first.parameters.devices[0], device_with(table, "q2", epsilon=Decimal(1))
    )


def send(launch, report, **values):
    sent = {"q1": 1, "q2": report}
    parsed = ParsedSubmission(uuid.uuid4(), launch.digest, sent, {}, launch.parameters.wave)
    return checked_content(parsed, response_schema(launch.parameters))


# --- what arrives -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "good", "bad", "code"),
    [
        (bits(4), "0110", "011", "not_bits"),
        (bits(4), "1111", 15, "not_bits"),
        (PAIR, [1, 2], [2, 2], "out_of_range"),
        (PAIR, [0, 0], [0], "not_a_tuple"),
    ],
)
def test_the_inbox_asks_the_space(table, good, bad, code):
    launch = launch_of(table)
    assert send(launch, good)["reports"] == {"q1": 1, "q2": good}
    with pytest.raises(InvalidSubmissionError) as refused:
        send(launch, bad)
    assert [(error.field, error.code) for error in refused.value.fields] == [("reports.q2", code)]


@pytest.mark.parametrize("report", ["01", "012x", None, 3, ["0"]])
def test_a_stored_report_that_is_not_of_the_space_is_quarantined(report):
    launch = launch_of(bits(4))
    fill(launch, 1, reports={"q1": 0, "q2": report})
    fill(launch, 2, reports={"q1": 0, "q2": "0110"})
    assert tallies.aggregate_waiting(launch.pk) == 2
    assert Tally.objects.get(table="q2").counts == [2, 0, 2, 2, 0]
    assert Submission.objects.get().quarantined


# --- counts -------------------------------------------------------------------------------------


def test_the_row_of_a_tally_of_bits_does_not_grow_with_its_respondents():
    launch = launch_of(bits(256))
    sizes = []
    for seed in range(2):
        for report in some_reports(space_of(launch.parameters.devices[1]), 100, seed):
            fill(launch, 1, reports={"q1": 0, "q2": report})
        tallies.aggregate_waiting(launch.pk)
        counts = Tally.objects.get(table="q2").counts
        sizes.append(len(counts))
        assert counts[0] == 100 * (seed + 1)
        assert len(json.dumps(counts)) < 6 * 257
    assert sizes == [257, 257]
    assert tallies.audit(launch.pk)[1] == []


def test_tuples_are_counted_by_their_places():
    launch = launch_of(PAIR)
    for report in ([0, 0], [1, 2], [1, 2]):
        fill(launch, 1, reports={"q1": 0, "q2": report})
    tallies.aggregate_waiting(launch.pk)
    assert tallies.snapshot(launch.pk)[1]["q2", "page"] == [1, 0, 0, 0, 0, 2]
    assert tallies.audit(launch.pk)[1] == []


@pytest.mark.parametrize("table", [bits(4), PAIR])
def test_a_declared_table_with_such_a_device_is_not_counted(table):
    launch = launch_of(table)
    assert [pair.table for pair in crossings(launch.survey.launches.first().parameters)] == [
        "q1,q2"
    ]
    assert launch.parameters.tables == (("q1", "q2"),)
    assert crossings(launch.parameters) == []


# --- exports ------------------------------------------------------------------------------------


def released(launch):
    """A release of this launch in which nothing is suppressed."""
    return Release(
        launch=launch,
        step=0,
        threshold=1,
        responses=0,
        revision=0,
        computed_at=None,
        computing=False,
        content=None,
        suppressed=frozenset(),
        digest="",
    )


def exported(launch, *contents):
    """The reports table of these report sets."""
    columns, rows_of = reports._layout(released(launch))
    rows = [tuple(row) for content in contents for row in rows_of(content)]
    return columns, rows


def content(report):
    return {"reports": {"q1": 1, "q2": report}, "strata": {"q1": "page", "q2": "page"}}


def test_a_row_a_person_has_a_column_for_each_field():
    columns, rows = exported(launch_of(PAIR), content([1, 2]), content([0, 1]))
    assert [(column.name, column.type) for column in columns] == [
        ("q1", Type.INTEGER),
        ("q2_1", Type.INTEGER),
        ("q2_2", Type.INTEGER),
    ]
    assert rows == [(1, 1, 2), (1, 0, 1)]
    assert [value.label for value in columns[2].values] == ["A", "B", "C"]
    left_out = {"reports": {"q1": 0}, "strata": {"q1": "page"}}
    assert exported(launch_of(PAIR, slug="left"), left_out)[1] == [(0, None, None)]


def test_bits_are_one_text_that_a_file_keeps_as_it_is():
    columns, rows = exported(launch_of(bits(4)), content("0010"))
    assert [(column.name, column.type) for column in columns] == [
        ("q1", Type.INTEGER),
        ("q2", Type.TEXT),
    ]
    assert columns[1].values == ()
    table = Table("reports", "Reports", tuple(columns), iter(rows))
    assert "".join(csv.pieces(table)) == "q1,q2\r\n1,0010\r\n"
    described = json.loads("".join(codebook.pieces(table)))["columns"][1]
    assert (described["type"], "values" in described) == ("text", False)


@pytest.mark.parametrize(
    ("table", "report", "row"),
    [
        (PAIR, [1, 2], ("q2", "page", 5, "B C")),
        (bits(4), "0010", ("q2", "page", None, "0010")),
    ],
)
def test_a_row_an_answer(table, report, row):
    launch = launch_of(table, linkage="apart", cross_tables=[])
    columns, rows = exported(launch, content(report))
    assert [column.name for column in columns] == ["variable", "stratum", "code", "report"]
    assert rows == [("q1", "page", 1, "B"), row]


def codebook_rows(launch):
    table = codes.table(launch)
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    return [row for row in rows if row["variable"].startswith("q2")]


def test_the_codebook_of_a_tuple_has_the_codes_of_its_parts():
    rows = codebook_rows(launch_of(PAIR))
    coded = [row for row in rows if row["report"]]
    assert [(row["variable"], row["code"], row["report"]) for row in coded] == [
        ("q2_1", 0, "A"),
        ("q2_1", 1, "B"),
        ("q2_2", 0, "A"),
        ("q2_2", 1, "B"),
        ("q2_2", 2, "C"),
    ]


def test_the_codebook_of_bits_says_whose_bit_each_is():
    rows = [row for row in codebook_rows(launch_of(bits(4))) if not row["missing"]]
    assert [(row["variable"], row["code"], row["report"]) for row in rows] == [
        ("q2", place, f"b{place}") for place in range(4)
    ]
    assert [row["likeliest_from"] for row in rows] == CHOICE["options"]


# --- the form without JavaScript ----------------------------------------------------------------


@pytest.mark.parametrize("table", [bits(4), PAIR])
def test_no_letters_no_question_in_the_form_without_javascript(table):
    first = launched(questions=[{"randomized": False}, {**CHOICE, "randomized": False}])
    assert [asked.question.id for asked in asked_questions(first.parameters)] == ["q1", "q2"]
    launch = relaunched(first, first.parameters.devices[0], device_with(table, "q2"))
    assert [asked.question.id for asked in asked_questions(launch.parameters)] == ["q1"]


def test_such_a_launch_is_stored_and_read_as_it_is():
    launch = launch_of(bits(20_000))
    launch.refresh_from_db()
    assert read(to_json(launch.parameters)) == launch.parameters
    fill(launch, 1, reports={"q1": 0, "q2": "01" * 10_000})
    assert tallies.aggregate_waiting(launch.pk) == 1
    assert tallies.snapshot(launch.pk)[1]["q2", "page"] == [1, *[0, 1] * 10_000]


def test_the_people_of_a_stratum_are_counted_and_not_their_bits():
    """Two people sent four bits each; the release threshold is about people."""
    launch = launch_of(bits(4), release_threshold=5)
    fill(launch, 2, reports={"q1": 0, "q2": "0110"})
    tallies.aggregate_waiting(launch.pk)
    question = launch.parameters.question("q2")
    _, counts = tallies.snapshot(launch.pk)
    (stratum,) = strata_of(question, Source(launch.parameters.devices, counts))
    assert (stratum.n, stratum.inputs[0].n) == (2, 2)
    assert released_strata([stratum], 5) == []
