"""Each format, read back by the programs that it is for."""

import csv
import io
import json
import re
import string
import subprocess
from dataclasses import replace
from itertools import tee

import polars
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surveys.exports.formats import codebook, dta, limits, parquet, r_script, rds, sav, xlsx
from surveys.exports.formats import csv as csv_format
from surveys.exports.table import Column, Table, Type, Value
from tests import read_back
from tests.read_back import (
    as_float,
    assert_read,
    columns_of,
    is_beginning,
    nameless,
    raw_cell,
    without_reasons,
)
from tests.thorough import examples

REASONS = (
    Value(None, "left out"),
    Value(-1, "held back"),
    Value(-2, "does not apply"),
    Value(-3, "not asked in this wave"),
)
NOT_KNOWN = (Value(None, "not known"),)
ODD = 'A “quoted” "text", with a line\nend, a\ttab, <tags> & שלום, 😀 and _x0041_'
COLUMNS = (
    Column("drug", Type.INTEGER, f"Question? {ODD}", (Value(0, "No"), Value(1, ODD)), REASONS),
    Column("Drug", Type.INTEGER, "Differs from the first by one capital letter", (), REASONS[:1]),
    Column("drug.stratum", Type.TEXT, "Device", (Value("page", "On the page"),), REASONS[:1]),
    Column("estimate", Type.NUMBER, "Estimate", missing=NOT_KNOWN),
    Column("count", Type.INTEGER, "Large"),
    Column("text", Type.TEXT, "Text"),
    Column("using", Type.NUMBER, "A name that Stata has for itself"),
    Column("with", Type.INTEGER, "A name that SPSS has for itself", (Value(0, "None"),)),
    Column("n" * 70, Type.INTEGER, "A long name"),
)
ROWS = (
    (0, 0, "page", 0.1, 2**40, "", -2.5e-300, 0, 1),
    (1, 300, "page", -1.5, -(2**31), ODD, 1e300, 0, -70_000),
    (None, None, None, None, None, None, None, None, None),
    (-1, 40_000, "held_back", 1 / 3, 0, "é" * 700, 0.0, 1, 0),
    (-2, -9, "page", 2.0, 7, "=1+1", 1.0, 0, 2),
    (-3, 1, "page", 2.0, 7, "-5", 1.0, 0, 2),
)


def table_of(columns=COLUMNS, rows=ROWS, **values):
    return Table("reports", "Reports", columns, iter(rows), **values)


def written(file_format, table, folder):
    path = folder / f"{table.name}.{file_format.ending}"
    with path.open("wb") as file:
        file_format.write(table, file)
    return path


# --- statistical programs -----------------------------------------------------------------------

SPSS = ["drug", "Drug_2", "drug.stratum", "estimate", "count", "text", "using", "with_2", "n" * 64]
STATA = [
    "drug",
    "Drug_2",
    "drug_stratum",
    "estimate",
    "count",
    "text",
    "using_2",
    "with_2",
    "n" * 32,
]


def test_spss_files_have_labels_and_missing_codes_for_pyreadstat(tmp_path):
    found = read_back.by_pyreadstat(written(sav.FORMAT, table_of(), tmp_path))
    assert_read(table_of(), found, SPSS, nameless(COLUMNS[3]))
    assert found[2].meanings == {"page": "On the page"}


def test_stata_files_have_labels_and_missing_codes_for_pyreadstat_and_pandas(tmp_path):
    path = written(dta.FORMAT, table_of(), tmp_path)
    assert_read(table_of(), read_back.by_pyreadstat(path), STATA)
    assert_read(table_of(), read_back.by_pandas_stata(path), STATA, without_reasons)


@pytest.mark.slow
def test_r_reads_all_files_for_it_with_labels_and_reasons(tmp_path):
    paths = [written(x.FORMAT, table_of(), tmp_path) for x in (sav, dta, rds, r_script, csv_format)]
    spss, stata, frame, script = read_back.by_r(*paths[:-1])
    names = [column.name for column in COLUMNS]
    assert_read(table_of(), spss, SPSS, nameless(COLUMNS[3]))
    assert_read(table_of(), stata, STATA)
    assert_read(table_of(), frame, names)
    # A CSV file has empty cells for what has a reason.
    plain = nameless(*COLUMNS)
    assert_read(table_of(), script, names, plain)
    assert frame[2].meanings == script[2].meanings == {"page": "On the page"}
    assert_read_by_rdata(paths[2])


@pytest.mark.slow
def test_the_script_in_r_finds_its_file_as_it_is_downloaded(tmp_path):
    csv_path = written(csv_format.FORMAT, table_of(), tmp_path)
    script = written(r_script.FORMAT, table_of(), tmp_path)
    csv_path = csv_path.rename(tmp_path / "health-3fa9c2d1-n15-reports.csv")
    found = run_script(script)
    assert (found.returncode, found.stdout.count("\n $ ")) == (0, len(COLUMNS))
    assert run_script(script, csv_path).stdout == found.stdout
    csv_path.with_name("health-3fa9c2d1-n20-reports.csv").write_bytes(csv_path.read_bytes())
    assert "Name one of these: health-3fa9c2d1-n15-reports.csv, health" in run_script(script).stderr
    for each in tmp_path.glob("*.csv"):
        each.unlink()
    assert "There is no reports.csv in this folder" in run_script(script).stderr


def run_script(script, *arguments):
    command = ["Rscript", script, *arguments]
    return subprocess.run(command, cwd=script.parent, capture_output=True, text=True, check=False)


def assert_read_by_rdata(path):
    found = read_back.by_rdata(path)
    for own, expected in zip(found, columns_of(table_of(), ROWS, without_reasons), strict=True):
        assert [as_float(x) for x in own] == [as_float(x) for x in expected]


# --- spreadsheets -------------------------------------------------------------------------------


def test_a_workbook_has_typed_cells_a_frozen_head_and_its_codebook(tmp_path):
    beside = replace(table_of(COLUMNS[3:4], [(0.25,)]), name="estimates")
    table = table_of(notes=(("survey", "Life at work"),), beside=(beside,))
    path = written(xlsx.FORMAT, table, tmp_path)
    sheets = read_back.by_openpyxl(path)
    assert list(sheets) == ["read me", "reports", "codebook", "estimates"]
    assert sheets["read me"][1:] == [
        ("survey", "Life at work"),
        ("reports", "Reports"),
        ("estimates", "Reports"),
    ]
    head, *rows = sheets["reports"]
    assert head == tuple(column.name for column in COLUMNS)
    assert [list(row) for row in zip(*rows, strict=True)] == columns_of(
        table_of(), escaped(), raw_cell
    )
    assert sheets["estimates"] == [("estimate",), (0.25,)]
    told = [row[:7] for row in sheets["codebook"]]
    assert ("reports", "drug", "integer", None, "(empty)", "left out", "missing") in told
    assert ("reports", "drug", "integer", None, -2, "does not apply", "missing") in told
    assert ("reports", "drug", "integer", None, 0, "No", None) in told
    assert ("estimates", "estimate", "number", "Estimate", None, None, None) in told
    book = read_back.openpyxl.load_workbook(path)
    assert {sheet.freeze_panes for sheet in book} == {"A2"}


def test_the_codebook_of_a_workbook_has_every_language(tmp_path):
    labels = {"de": "Wie geht es?", "pt-BR": "Como vai?"}
    answers = (Value(0, "Well", {"de": "Gut"}), Value(1, "So so"))
    column = Column("mood", Type.INTEGER, "How are you?", answers, labels=labels)
    path = written(xlsx.FORMAT, table_of((column,), [(0,)]), tmp_path)
    head, *rows = read_back.by_openpyxl(path)["codebook"]
    assert head[-4:] == ("label_de", "meaning_de", "label_pt_BR", "meaning_pt_BR")
    assert [row[-4:] for row in rows] == [
        ("Wie geht es?", None, "Como vai?", None),
        (None, "Gut", None, None),
        (None, None, None, None),
    ]


def test_a_workbook_can_be_read_and_printed(tmp_path):
    """Names stand above their numbers, texts have room, and every page has the head."""
    answers = Column("answer", Type.TEXT, "Answer")
    columns = (answers, COLUMNS[3])
    rows = [("Medicine that was not prescribed to me", 0.25), ("x" * 500, 0.5)]
    path = written(xlsx.FORMAT, table_of(columns, rows), tmp_path)
    sheet = read_back.openpyxl.load_workbook(path)["reports"]
    text, number = sheet["A1"], sheet["B1"]
    assert (text.alignment.horizontal, number.alignment.horizontal) == (None, "right")
    assert text.font.bold
    assert number.font.bold
    widths = [sheet.column_dimensions[name].width for name in "AB"]
    assert 58 < widths[0] < 64
    assert widths[1] < 20
    rows = [("Prefer not to say", 0.25)]
    path = written(xlsx.FORMAT, table_of(columns, rows), tmp_path)
    sheet = read_back.openpyxl.load_workbook(path)["reports"]
    assert len("Prefer not to say") < sheet.column_dimensions["A"].width < 25
    assert sheet.print_title_rows == "$1:$1"
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.page_setup.fitToHeight == 0  # as many pages as there are, of one page's width
    assert sheet.sheet_properties.pageSetUpPr.fitToPage


def escaped():
    """The rows as openpyxl shows them, which leaves escapes of Excel's as they are written."""
    return [
        [x.replace("_x0041_", "_x005F_x0041_") if isinstance(x, str) else x for x in row]
        for row in ROWS
    ]


@pytest.mark.slow
def test_libreoffice_opens_a_workbook(tmp_path):
    path = written(xlsx.FORMAT, table_of(), tmp_path)
    sheets = read_back.by_libreoffice(tmp_path, path)
    head, *rows = sheets["reports-reports"]
    assert head == [column.name for column in COLUMNS]
    for row, own in zip(rows, ROWS, strict=True):
        for text, cell in zip(row, own, strict=True):
            if isinstance(cell, str) or cell is None:
                assert text == (cell or "")
            else:
                assert float(text) == pytest.approx(cell)
    assert sheets["reports-codebook"][1][1] == "drug"


def test_rows_beyond_a_sheet_go_on_in_another(tmp_path, monkeypatch):
    monkeypatch.setattr(xlsx, "MOST_ROWS", 4)
    table = table_of(COLUMNS[:1], [(number % 2,) for number in range(8)])
    sheets = read_back.by_openpyxl(written(xlsx.FORMAT, table, tmp_path))
    parts = [name for name in sheets if name.startswith("reports")]
    assert parts == ["reports", "reports (2)", "reports (3)"]
    rows = [row for name in parts for row in sheets[name][1:]]
    assert rows == [(number % 2,) for number in range(8)]
    assert {sheets[name][0] for name in parts} == {("drug",)}


# Double clicks: Excel separates cells by the sign of the country, and LibreOffice as it is told.
COUNTRIES = {"bom.csv": (44, 1033), "semicolon-comma-bom.csv": (59, 1031)}


@pytest.mark.parametrize("ending", COUNTRIES)
@pytest.mark.slow
def test_a_spreadsheet_of_a_country_reads_numbers_of_its_dialect(ending, tmp_path):
    separator, country = COUNTRIES[ending]
    (dialect,) = (each for each in csv_format.FORMATS if each.ending == ending)
    path = written(dialect, table_of(), tmp_path)
    reads = f"CSV:{separator},34,UTF8,1,,{country},false,true"
    sheets = read_back.by_libreoffice(tmp_path, path, reads=reads)
    (rows,) = sheets.values()
    column = [row[3] for row in rows[1:]]
    assert [float(text) if text else None for text in column] == pytest.approx(
        [row[3] for row in ROWS]
    )
    assert rows[0][0] == "drug"


def test_every_dialect_says_the_same():
    texts = {}
    for each in csv_format.FORMATS:
        file = io.BytesIO()
        each.write(table_of(), file)
        texts[each.ending] = file.getvalue().decode()
    assert list(texts) == [
        "csv",
        "semicolon.csv",
        "semicolon-comma.csv",
        "bom.csv",
        "semicolon-bom.csv",
        "semicolon-comma-bom.csv",
    ]
    first = list(csv.reader(io.StringIO(texts["csv"])))
    for ending, text in texts.items():
        assert text.startswith("\ufeff") == ("bom" in ending)
        delimiter = ";" if "semicolon" in ending else ","
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter))
        if "comma" in ending:
            assert rows[1][3] == "0,1"
            rows = [
                [_pointed(x, own) for x, own in zip(*pair, strict=True)]
                for pair in zip(rows, first, strict=True)
            ]
        assert rows == first


def _pointed(text, own):
    return text.replace(",", ".") if text != own else text


def test_a_decimal_comma_is_for_numbers_alone():
    columns = (Column("share.of", Type.NUMBER, "Share"), Column("text", Type.TEXT, "Text"))
    with_comma = [each for each in csv_format.FORMATS if "comma" in each.ending]
    assert with_comma
    for each in with_comma:
        file = io.BytesIO()
        each.write(table_of(columns, [(0.5, "v. 1.5")]), file)
        text = file.getvalue().decode("utf-8-sig")
        assert text == "share.of;text\r\n0,5;v. 1.5\r\n"


# --- Parquet ------------------------------------------------------------------------------------


def test_parquet_has_types_and_labels_for_pandas_and_polars(tmp_path):
    path = written(parquet.FORMAT, table_of(), tmp_path)
    expected = [[row[place] for row in ROWS] for place in range(len(COLUMNS))]
    assert read_back.by_pandas_parquet(path) == expected
    assert read_back.by_polars_parquet(path) == expected
    assert list(polars.read_parquet_schema(path).values())[:4] == [
        polars.Int64,
        polars.Int64,
        polars.String,
        polars.Float64,
    ]
    schema = pyarrow.parquet.read_schema(path)
    assert schema.field("drug").metadata[b"label"].decode() == COLUMNS[0].label
    told = json.loads(schema.field("drug").metadata[b"missing"])
    assert [value["code"] for value in told] == [None, -1, -2, -3]
    whole = json.loads(schema.metadata[b"candor"])
    assert whole == codebook.described(table_of())
    assert whole["columns"][1]["spss"] == "Drug_2"


# --- names and limits ---------------------------------------------------------------------------

NAMES = st.lists(
    st.one_of(st.text(string.ascii_letters + string.digits + "._-é:", min_size=1, max_size=80),
              st.sampled_from(["with", "With", "_n", "str7", "str5.a", "x", "X", "x_2", "x.y"])),
    min_size=1, max_size=12, unique=True,
)  # fmt: skip


@given(NAMES)
@settings(max_examples=examples(100, 2000), derandomize=True, deadline=None)
@pytest.mark.slow
def test_names_fit_stay_unique_and_change_only_where_they_must(names):
    for made, size, stops, reserved in (
        (limits.spss_names, 64, True, limits.SPSS_RESERVED),
        (limits.stata_names, 32, False, limits.STATA_RESERVED),
    ):
        found = made(names)
        assert len({name.lower() for name in found}) == len(names)
        assert made(names) == found
        for name in found:
            assert len(name) <= size
            assert name[0] in string.ascii_letters + "_"
            assert not name.endswith(".")
            assert stops or "." not in name
            assert not reserved.fullmatch(name.lower())
        # Whatever fits by itself keeps its name unless an earlier one has it.
        alone = [own for own in names if made([own]) == [own]]
        first = {own.lower(): own for own in reversed(alone)}
        kept = [own for own, name in zip(names, found, strict=True) if own == name]
        assert set(first.values()) <= set(kept)


TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60
) | st.sampled_from(["é" * 300, "😀" * 90, 'a "b", c;\r\nd', "שלום", "=1", "\u202e", "x" * 40_000])


@given(
    TEXTS,
    TEXTS,
    st.lists(st.none() | TEXTS.filter(lambda x: len(x) < 3000), min_size=1, max_size=4),
)
@settings(
    max_examples=examples(40, 1000),
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@pytest.mark.slow
def test_odd_texts_come_back_whole_or_cut_between_signs(tmp_path, label, meaning, texts):
    columns = (
        Column("code", Type.INTEGER, label, (Value(1, meaning),), (Value(None, meaning),)),
        Column("text", Type.TEXT, label),
    )
    rows = [(1, text) for text in texts]
    paths = [
        written(x.FORMAT, table_of(columns, rows), tmp_path) for x in (sav, dta, parquet, rds, xlsx)
    ]
    for path in paths[:2]:
        code, text = read_back.by_pyreadstat(path)
        assert text.cells == [_padded_away(x, path) for x in texts]
        for found, whole in ((code.label, label), (code.meanings.get(1.0, ""), meaning)):
            assert is_beginning(found, whole), (path, found, whole)
    assert read_back.by_polars_parquet(paths[2])[1] == texts
    assert read_back.by_rdata(paths[3])[1] == [text or None for text in texts]
    cells = [row[1] for row in read_back.by_openpyxl(paths[4])["reports"][1:]]
    assert cells == [_in_a_cell(text) for text in texts]


def _in_a_cell(text):
    """What a workbook has of a text: signs that XML has, ends of lines as Excel's, 32,767 signs."""
    text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", (text or "")[:32_767])
    return re.sub("\r\n?", "\n", text).replace("_x0041_", "_x005F_x0041_") or None


def _padded_away(text, path):
    """SPSS fills texts with spaces, so that those at the end are none."""
    return ((text or "").rstrip(" ") if path.suffix == ".sav" else text) or None


# --- many rows ----------------------------------------------------------------------------------

# More than one group of rows in every file; in a thorough run a million.
MANY = examples(120_000, 1_000_000)
IN_R = """
suppressPackageStartupMessages(library(haven))
for (path in commandArgs(trailingOnly = TRUE)) {
  read <- switch(tools::file_ext(path), sav = read_sav, dta = read_dta, rds = readRDS)
  data <- read(path)
  cat(nrow(data), sum(data$code, na.rm = TRUE), sum(is.na(data$code)), sum(data$place),
      data$text[nrow(data)], attr(data$code, "label"), "\\n")
}
"""


@pytest.mark.slow
def test_many_rows_open_in_r(tmp_path):
    columns = (
        Column("code", Type.INTEGER, "Question", (Value(0, "No"), Value(1, "Yes")), REASONS[:2]),
        Column("place", Type.NUMBER, "Place"),
        Column("text", Type.TEXT, "Text"),
    )
    codes = (0, 1, None, -1, 1)
    rows = ((codes[place % 5], place / 2, f"row {place}") for place in range(MANY))
    table = table_of(columns, list(rows))
    paths = [
        written(x.FORMAT, replace(table, rows=iter(again)), tmp_path)
        for x, again in zip((sav, dta, rds), tee(table.rows, 3), strict=True)
    ]
    command = ["Rscript", "-e", IN_R, *map(str, paths)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    place = MANY * (MANY - 1) / 4
    for line in found.splitlines():
        count, ones, missing, total, *text = line.split()
        assert (int(count), float(ones), float(missing)) == (MANY, 2 * MANY / 5, 2 * MANY / 5)
        assert float(total) == pytest.approx(place, rel=1e-6)
        assert text == ["row", str(MANY - 1), "Question"]
    assert len(found.splitlines()) == 3
