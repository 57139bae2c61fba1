"""Every table of whole surveys, in every format, as the programs read it for which it is."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from surveys.exports.formats import csv, dta, limits, parquet, r_script, rds, sav, xlsx
from surveys.exports.languages import in_every_language
from surveys.exports.registry import all_exports
from surveys.exports.table import Table, Type
from tests import read_back
from tests.app.consistency import surveys as consistent
from tests.read_back import assert_read, columns_of, nameless, raw_cell
from tests.thorough import every_second
from tests.unchanged.listed import listed

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


def of_demo(name):
    return lambda: dict(listed())[name]()[-1]


DEMOS = ("demo", "demo of a network", "demo of a questionnaire")
OTHERS = {
    "kinds": lambda: consistent.kinds(60, 0.4),
    "apart": lambda: consistent.kinds(60, 0.4, linkage="apart", cross_tables=[]),
    "rankings": consistent.of_rankings,
    "filters": lambda: consistent.of_some(80),
    "waves": consistent.in_waves,
    **{
        name: of_demo(name)
        # Some of whose questions not everybody is asked.
        for name in ("arms, all sorts of questions", "pilot")
    },
}
SURVEYS = {**{name: of_demo(name) for name in DEMOS}, **OTHERS}


def tables_of(launch):
    """Each table that has rows, as often as it is asked for."""
    for export in all_exports():
        if export.exists(launch.parameters):
            table = in_every_language(export.table, launch, 0, of_people=export.of_people)
            rows = list(table.rows)
            table.close()
            if rows:
                yield table, rows


@pytest.mark.parametrize("name", [*DEMOS, *every_second(OTHERS)])
def test_programs_read_every_table_of_a_survey(name, tmp_path):
    assert_all_read(SURVEYS[name](), tmp_path)


def assert_all_read(launch, folder):
    tables = list(tables_of(launch))
    names = {table.name for table, _rows in tables}
    assert names >= {"reports", "estimates", "questions", "codebook"}
    books = [written(xlsx.FORMAT, *each, folder) for each in tables]
    for each in tables:
        assert_by_pyreadstat(*each, folder)
        assert_parquet(*each, folder)
        assert_workbook(*each, folder)
    assert_by_r(tables, folder)
    sheets = read_back.by_libreoffice(folder, *books)
    for table, rows in tables:
        head, *cells = sheets[f"{table.name}-{table.name}"]
        assert head == [column.name for column in table.columns]
        assert len(cells) == len(rows)


def written(file_format, table, rows, folder):
    path = folder / f"{table.name}.{file_format.ending}"
    with path.open("wb") as file:
        file_format.write(again(table, rows), file)
    return path


def again(table: Table, rows: Sequence) -> Table:
    return replace(table, rows=iter(rows))


def own_names(table):
    return [column.name for column in table.columns]


def without_reason_in_spss(table):
    """Of numbers with decimals SPSS files have an empty cell without its reason."""
    return nameless(*(column for column in table.columns if column.type is not Type.INTEGER))


def assert_by_pyreadstat(table, rows, folder):
    spss = read_back.by_pyreadstat(written(sav.FORMAT, table, rows, folder))
    names = limits.spss_names(own_names(table))
    assert_read(again(table, rows), spss, names, without_reason_in_spss(table))
    stata = read_back.by_pyreadstat(written(dta.FORMAT, table, rows, folder))
    assert_read(again(table, rows), stata, limits.stata_names(own_names(table)))


def of_script(table):
    """Our script in R has the reasons of texts too, but those of empty cells in comments alone."""
    cell_of = nameless(*table.columns)

    def of_cell(cell, column):
        reasons = {value.code: value.label for value in column.missing}
        is_reason = isinstance(cell, str) and cell in reasons
        return read_back.Missing(reasons[cell]) if is_reason else cell_of(cell, column)

    return of_cell


def assert_by_r(tables, folder):
    """All files in one process of R."""
    paths = []
    for each in tables:
        written(csv.FORMAT, *each, folder)
        paths += [written(x.FORMAT, *each, folder) for x in (sav, dta, rds, r_script)]
    found = iter(read_back.by_r(*paths))
    for table, rows in tables:
        names = own_names(table)
        ways = (
            (limits.spss_names(names), without_reason_in_spss(table)),
            (limits.stata_names(names), read_back.expected_cell),
            (names, read_back.expected_cell),
            (names, of_script(table)),
        )
        for own, cells in ways:
            assert_read(again(table, rows), next(found), own, cells)


def assert_parquet(table, rows, folder):
    path = written(parquet.FORMAT, table, rows, folder)
    expected = [list(cells) for cells in zip(*rows, strict=True)]
    assert read_back.by_polars_parquet(path) == expected
    assert read_back.by_pandas_parquet(path) == expected


def assert_workbook(table, rows, folder):
    sheets = read_back.by_openpyxl(folder / f"{table.name}.xlsx")
    head, *cells = sheets[table.name]
    assert list(head) == own_names(table)
    expected = columns_of(table, rows, raw_cell)
    assert [list(column) for column in zip(*cells, strict=True)] == expected
