"""Tables that know no format, formats that know no survey, and what the two make together."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse

from surveys.exports.formats import codebook
from surveys.exports.formats import csv as csv_format
from surveys.exports.registry import Export, all_exports
from surveys.exports.snapshot import take_snapshot
from surveys.exports.table import Column, Format, Table, Type, Value
from surveys.exports.tables import estimates, reports
from tests.app.layers import imports_of
from tests.app.test_analysis_fits import people, survey_of
from tests.app.test_architecture import ROOT, SURVEYS
from tests.app.test_free_texts import released_with
from tests.app.test_weighted_results import WEIGHTING, compute
from tests.arm_reports import arms_survey, everybody, store
from tests.files import content_of, text_of_file
from tests.released import QUESTIONS, as_researcher, released, rich, varied, with_groups

pytestmark = [pytest.mark.django_db, pytest.mark.each_database, pytest.mark.slow]
FOLDER = ROOT / "surveys" / "exports"


def simple(rows, close=lambda: None):
    columns = (
        Column("code", Type.INTEGER, "Code", (Value(0, "A"),), (Value(None, "left out"),)),
        Column("share", Type.NUMBER, "Share"),
        Column("=name", Type.TEXT, "Name"),
    )
    return Table("simple", "A simple table", columns, iter(rows), close)


# --- formats ------------------------------------------------------------------------------------


def test_csv_has_names_and_cells_as_they_are():
    text = "".join(csv_format.pieces(simple([(0, 0.1, "a,b"), (None, -2.5, "-5 to 0")])))
    assert text == 'code,share,=name\r\n0,0.1,"a,b"\r\n,-2.5,-5 to 0\r\n'


def test_no_table_has_two_columns_of_one_name():
    column = Column("wave", Type.INTEGER, "Wave")
    with pytest.raises(ValueError, match="wave"):
        Table("reports", "Reports", (column, column), iter(()))


def test_csv_is_written_in_pieces_as_rows_come(monkeypatch):
    monkeypatch.setattr(csv_format, "CHUNK", 2)
    numbers = []

    def rows():
        for number in range(5):
            numbers.append(number)
            yield (number, None, "")

    pieces = csv_format.pieces(simple(rows()))
    assert next(pieces).count("\r\n") == 2
    assert numbers == [0]
    assert sum(piece.count("\r\n") for piece in pieces) == 4


def test_a_codebook_says_what_the_columns_are():
    document = json.loads("".join(codebook.pieces(simple([]))))
    assert (document["format"], document["table"], document["label"]) == (
        1,
        "simple",
        "A simple table",
    )
    assert document["columns"][0] == {
        "name": "code",
        "type": "integer",
        "label": "Code",
        "values": [{"code": 0, "label": "A"}],
        "missing": [{"code": None, "label": "left out"}],
    }
    assert document["columns"][1] == {"name": "share", "type": "number", "label": "Share"}


@pytest.mark.parametrize("path", sorted((FOLDER / "formats").glob("*.py")), ids=lambda p: p.stem)
def test_a_format_knows_tables_and_nothing_of_surveys(path):
    own = {name for name in imports_of(path, SURVEYS) if name.startswith(("surveys", "django"))}
    known = ("surveys.exports.table", "surveys.exports.formats")
    assert {name for name in own if not name.startswith(known)} == set()


@pytest.mark.parametrize("path", sorted((FOLDER / "tables").glob("*.py")), ids=lambda p: p.stem)
def test_a_table_knows_no_format(path):
    assert not {
        name for name in imports_of(path, SURVEYS) if "formats" in name or name in ("csv", "json")
    }


def test_only_one_module_of_exports_takes_the_frozen_parameters_apart():
    takers = [path.name for path in FOLDER.rglob("*.py") if ".devices" in path.read_text()]
    assert takers == ["document.py"]


# --- every table in every format -----------------------------------------------------------------


def weighted(linkage):
    launch = survey_of(people(60), weighting=WEIGHTING, results_public=True)
    compute(launch)
    return launch


# Surveys that have rows in a table: groups, arms, numbers with weights; and one for all others.
FILLED = {
    "combinations": lambda linkage: with_groups(150, linkage=linkage),
    "arms": lambda linkage: store(arms_survey(linkage=linkage), everybody()),
    # Only where answers are kept together.
    "weighted": weighted,
    "free_texts": lambda linkage: released_with(Client(), ["So it is."] * 9, linkage=linkage),
    "": lambda linkage: rich(60, 25, linkage=linkage),
}


@pytest.mark.parametrize("linkage", ["together", "apart"])
@pytest.mark.parametrize("filled", FILLED)
def test_every_row_has_a_cell_of_its_type_in_every_column(client, linkage, filled):
    launch = FILLED[filled](linkage)
    as_researcher(client, launch)
    exports = [
        each for each in all_exports() if (each.name if each.name in FILLED else "") == filled
    ]
    assert exports
    for export in exports:
        assert_typed(export.table(launch))
        for file_format in export.formats:
            name = f"{export.name}-{file_format.ending.replace('.', '-')}"
            response = client.get(reverse(name, args=[launch.survey.slug]))
            assert response.getvalue() == content_of(export, file_format, launch), name


def assert_typed(table):
    types = {Type.INTEGER: (int,), Type.NUMBER: (int, float), Type.TEXT: (str,)}
    rows = list(table.rows)
    table.close()
    assert rows, table.name
    for row in rows:
        for cell, column in zip(row, table.columns, strict=True):
            assert cell in ("", None) or isinstance(cell, types[column.type]), column
            if column.values and cell not in ("", None):
                codes = {value.code for value in (*column.values, *column.missing)}
                assert cell in codes, column
    names = [column.name for column in table.columns]
    assert len(set(names)) == len(names)
    assert all(column.label for column in table.columns)


def test_a_new_format_needs_a_module_and_no_more():
    def count(table, file):
        file.write(str(len(list(table.rows))).encode())

    lines = Format("count", "text/plain", count)
    launch = released(varied(30), linkage="together", questions=QUESTIONS)
    assert text_of_file(all_exports()[0], lines, launch) == "30"


def test_a_file_that_cannot_be_written_ends_the_query():
    closed = []

    def refuse(table, file):
        raise OSError("no space left")

    launch = released(varied(30), questions=QUESTIONS, linkage="together")
    export = Export("simple", lambda _launch, _step: simple([], lambda: closed.append(True)))
    with pytest.raises(OSError, match="no space"):
        content_of(export, Format("txt", "text/plain", refuse), launch)
    assert closed == [True]


def test_closing_a_snapshot_ends_the_query():
    snapshot = take_snapshot(released(varied(30), questions=QUESTIONS, linkage="together"))
    assert next(snapshot.contents)
    snapshot.close()
    assert list(snapshot.contents) == []


# --- the table of estimates ---------------------------------------------------------------------


def test_every_share_of_the_results_is_a_row():
    launch = rich(200, 40)
    content = launch.results.get().content
    rows = list(csv.DictReader(io.StringIO("".join(csv_format.pieces(estimates.table(launch))))))
    shares = [
        (row, question) for question in content["questions"] for row in question["categories"]
    ]
    (crossing,) = content["tables"]
    cells = sum(map(len, crossing["cells"]))
    means = [row for row in rows if row["answer"] == "mean"]
    assert [row["question"] for row in means] == ["stress"]
    rows = [row for row in rows if row not in means]
    assert len(rows) == len(shares) + 2 * cells
    for row, (share, question) in zip(rows, shares, strict=False):
        assert (row["question"], row["answer"]) == (question["id"], share["label"])
        assert (row["group_by"], row["share_of"]) == ("", "everybody")
        assert float(row["estimate"]) == share["estimate"]
        assert [float(row["low"]), float(row["high"])] == share["interval"]
        assert [float(row["low_50"]), float(row["high_50"])] == share["interval_50"]
        assert row["reported"] == ("" if share["reported"] is None else str(share["reported"]))
    conditional_rows = [row for row in rows if row["share_of"] == "group"]
    expected = [cell["estimate"] for line in crossing["conditional"] for cell in line]
    assert [float(row["estimate"]) for row in conditional_rows] == expected
    assert {row["group"] for row in conditional_rows} == set(crossing["group_labels"])
    assert {(row["question"], row["group_by"]) for row in conditional_rows} == {("drug", "size")}


# --- labels -------------------------------------------------------------------------------------


def columns_of(launch):
    table = reports.table(launch)
    table.close()
    return {column.name: column for column in table.columns}


def test_labels_of_reports_kept_together():
    columns = columns_of(rich(40, 30))
    assert columns["drug"].type == Type.INTEGER
    assert [value.label for value in columns["drug"].values] == ["A", "B", "C"]
    assert [value.code for value in columns["drug.stratum"].values] == ["page", "physical"]
    assert columns["took_1"].label == "What did you take to get through the day? – Pills"
    # Sent as it is, so that the report is the answer.
    assert [value.label for value in columns["size"].values] == ["A: Few", "B: Some", "C: Many"]
    assert columns["size"].missing[0].code is None


def test_words_that_no_author_wrote_are_in_the_surveys_language():
    columns = columns_of(released(varied(30), questions=QUESTIONS, language="de"))
    assert columns["code"].label == "Nummer der Meldung, von 0 an gezählt"
