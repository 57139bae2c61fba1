"""Files of tables as other programs read them, each program's findings in one form.

A cell is a number, a text, None, or `Missing` with the reason that the file gives.
"""

import csv
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl
import pandas
import polars
import pyreadstat
import rdata
from rdata.conversion import DEFAULT_CLASS_MAP

from surveys.exports.table import Column, Table, Type

READER_IN_R = Path(__file__).with_name("read_files.R")


@dataclass(frozen=True)
class Missing:
    """A cell that stands for no value, and why."""

    reason: str


@dataclass
class ReadColumn:
    """`meanings`: the labels of codes that stand for a value."""

    name: str
    label: str
    cells: list[Any]
    meanings: dict[Any, str]


def expected_cell(cell: Any, column: Column) -> Any:
    """Return what every program that knows missing values should have of a cell of numbers."""
    cell = None if cell == "" else cell
    if column.type is Type.TEXT:
        return cell
    return next((Missing(value.label) for value in column.missing if value.code == cell), cell)


def raw_cell(cell: Any, _column: Column) -> Any:
    """Return what a file without missing values has."""
    return None if cell == "" else cell


def columns_of(table: Table, rows: Sequence[Sequence[Any]], cell=expected_cell) -> list[list[Any]]:
    """Return the cells of each column, as they should be found."""
    return [
        [cell(row[place], column) for row in rows] for place, column in enumerate(table.columns)
    ]


def without_reasons(cell: Any, column: Column) -> Any:
    """Return what a program has that knows one missing value only."""
    found = expected_cell(cell, column)
    return None if isinstance(found, Missing) else found


def nameless(*columns: Column) -> Callable[[Any, Column], Any]:
    """Cells as `expected_cell`, where a program has no reason for an empty cell of these."""

    def cell_of(cell: Any, column: Column) -> Any:
        return None if column in columns and cell is None else expected_cell(cell, column)

    return cell_of


def assert_read(
    table: Table,
    found: Sequence[ReadColumn],
    names: Sequence[str],
    cell: Callable[[Any, Column], Any] = expected_cell,
) -> None:
    """Assert that columns that a program has read are those of a table, labels and codes too."""
    expected = columns_of(table, list(table.rows), cell)
    assert [column.name for column in found] == list(names)
    for column, own, cells in zip(found, table.columns, expected, strict=True):
        assert list(map(as_float, column.cells)) == list(map(as_float, cells)), own
        told = own.label if column.name == own.name else f"{own.name}: {own.label}"
        assert is_beginning(column.label, told), (column.label, own)
        if own.type is not Type.TEXT:
            labels = {value.code: value.label for value in own.values}
            assert column.meanings.keys() == labels.keys(), own
            assert all(map(is_beginning, column.meanings.values(), labels.values())), own


def is_beginning(found: str, whole: str) -> bool:
    """Whether a text is whole, or so much of it as a program takes, cut between two signs."""
    found, whole = found.rstrip(), whole.rstrip()
    return found == whole or (
        found.endswith("…") and len(found) > 20 and whole.startswith(found[:-1])
    )


def as_float(cell: Any) -> Any:
    return float(cell) if isinstance(cell, int) else cell


# --- pyreadstat and pandas ----------------------------------------------------------------------


def by_pyreadstat(path: Path) -> list[ReadColumn]:
    """An SPSS or Stata file with its missing codes."""
    read = pyreadstat.read_sav if path.suffix == ".sav" else pyreadstat.read_dta
    data, told = read(path, user_missing=True)
    assert told.number_rows == len(data)
    found = []
    for name, label in zip(told.column_names, told.column_labels, strict=True):
        labels = told.variable_value_labels.get(name, {})
        ranges = told.missing_ranges.get(name, [])
        codes = {x for x in labels if any(_is_within(x, each) for each in ranges)}
        if path.suffix == ".dta":
            codes |= {x for x in labels if isinstance(x, str)}
        cells = [_plain(x) for x in data[name].tolist()]
        cells = [Missing(labels[x]) if x in codes else x for x in cells]
        meanings = {code: text for code, text in labels.items() if code not in codes}
        found.append(ReadColumn(name, label or "", cells, meanings))
    return found


def _is_within(code: Any, ends: Mapping[str, Any]) -> bool:
    return not isinstance(code, str) and ends["lo"] <= code <= ends["hi"]


def by_pandas_stata(path: Path) -> list[ReadColumn]:
    """A Stata file without the reasons: pandas has one missing value, or its own objects."""
    with pandas.io.stata.StataReader(path, convert_categoricals=False) as reader:
        data = reader.read()
        labels, values = reader.variable_labels(), reader.value_labels()
        sets = dict(zip(data.columns, reader._lbllist, strict=True))
    return [
        ReadColumn(
            name,
            labels[name],
            [_plain(x) for x in data[name].tolist()],
            {code: text for code, text in values.get(sets[name], {}).items() if code < 2**31 - 30},
        )
        for name in data.columns
    ]


def _plain(cell: Any) -> Any:
    return None if pandas.isna(cell) or cell == "" else cell


# --- R ------------------------------------------------------------------------------------------


def by_r(*paths: Path) -> list[list[ReadColumn]]:
    """SPSS, Stata and R files by R with haven, and our script in R by R alone: one process."""
    command = ["Rscript", str(READER_IN_R), *map(str, paths)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    files = json.loads(made.stdout)
    return [[_column_of_r(each) for each in found] for found in files]


def _column_of_r(told: Mapping[str, Any]) -> ReadColumn:
    known = float if told["numeric"][0] else str
    texts, meanings = told["codes"] or [], told["meanings"] or []
    labels = {known(x): text for x, text in zip(texts, meanings, strict=True) if x is not None}
    tagged = dict(zip(told["code_letters"] or [], meanings, strict=False))
    reasons = told["reasons"] or [None] * len(told["cells"])
    cells: list[Any] = []
    rows = zip(told["cells"], told["letters"], told["missing"], reasons, strict=True)
    for text, letter, is_missing, reason in rows:
        cell = known(text) if text else None
        if letter is not None or reason is not None:
            cell = Missing(reason or tagged[letter])
        elif is_missing and cell is not None:
            cell = Missing(labels[cell])
        cells.append(cell)
    low, high = map(float, told["na_range"] or ("nan", "nan"))
    missing = {float(x) for x in told["na_values"] or []}
    meanings = {
        code: text
        for code, text in labels.items()
        if isinstance(code, str) or (code not in missing and not low <= code <= high)
    }
    return ReadColumn(told["name"][0], (told["label"] or [""])[0], cells, meanings)


# --- spreadsheets -------------------------------------------------------------------------------


def by_openpyxl(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of each sheet, its head first."""
    book = openpyxl.load_workbook(path)
    return {sheet.title: list(sheet.values) for sheet in book}


def by_libreoffice(folder: Path, *paths: Path, reads: str = "") -> dict[str, list[list[str]]]:
    """The rows of each sheet of these files, as LibreOffice writes them down in English; `reads`:
    how it reads a text.
    """
    # 44: commas, 34: quotes, 76: UTF-8; all texts quoted, and numbers as stored; every sheet.
    written = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false,false,-1"
    profile = f"-env:UserInstallation={folder.joinpath('profile').as_uri()}"
    command = ["soffice", "--headless", profile, *([f"--infilter={reads}"] if reads else [])]
    out = folder / "sheets"
    made = subprocess.run(
        [*command, "--convert-to", written, "--outdir", str(out), *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    found = {}
    for path in sorted(out.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found[path.stem] = list(csv.reader(file))
    return found


# --- tables of data science ---------------------------------------------------------------------


def by_pandas_parquet(path: Path) -> list[list[Any]]:
    data = pandas.read_parquet(path, dtype_backend="pyarrow")
    return [[None if x is pandas.NA else x for x in data[name].tolist()] for name in data]


def by_polars_parquet(path: Path) -> list[list[Any]]:
    return [column.to_list() for column in polars.read_parquet(path)]


def by_rdata(path: Path) -> list[list[Any]]:
    # A column of codes is what it is without haven.
    known = {"haven_labelled": lambda cells, _attributes: cells}
    data = rdata.read_rds(path, constructor_dict={**DEFAULT_CLASS_MAP, **known})
    return [[_plain(x) for x in data[name].tolist()] for name in data.columns]
