"""A workbook for Excel and its relatives: a read me, the table, its codebook, and tables beside it.

Cells are typed, so that no text is taken for a number or a formula, and a number has the decimal
sign of whoever opens it. XlsxWriter makes the package; the rows are written into it here, in
a third of its time. What a sheet cannot hold goes on in further sheets at the end.
"""

import io
import math
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import IO, TYPE_CHECKING
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from surveys.exports.formats.codebook import as_table
from surveys.exports.table import Cell, Column, Format, Row, Table, Type

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

# Rows of a sheet with its head, characters of a cell and of a sheet's name: Excel's own limits.
MOST_ROWS, MOST_SIGNS, MOST_NAME = 1_048_576, 32_767, 31
# Beyond, an entry of the package needs extensions that Excel warns of.
MOST_BYTES = 1_500_000_000
BATCH = 2_000
READ_ME = "read me"
# Characters that a column has room for, and that all columns of a printed page may have.
MOST_OF_A_NAME, MOST_OF_A_TEXT, MOST_ON_A_PAGE = 30, 60, 180
A4 = 9
FAST = 1
CACHED = 10_000
# The package says nothing of when it was made: the same rows make the same file.
NEVER = datetime(2000, 1, 1)
END = "</sheetData>"
EMPTY = "<c/>"
# Signs that XML does not have; what would read like the escape of one; and line ends.
_NO_SIGN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LIKE_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_LINE_END = re.compile("\r\n?")


def write(table: Table, file: IO[bytes]) -> None:
    tables = [table, *table.beside]
    sheets = [_read_me(tables), table, as_table(tables), *table.beside]
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=FAST) as package:
        rows_of = [_Rows(sheet) for sheet in sheets]
        widths = [_widths(sheet, rows.first()) for sheet, rows in zip(sheets, rows_of, strict=True)]
        heads = _heads(_skeleton(sheets, sheets, widths))
        overflow: list[Table] = []
        for place, rows in enumerate(rows_of):
            _write_sheet(package, place + 1, heads[place], rows)
            while rows.has_more():
                overflow.append(sheets[place])
                _write_sheet(package, len(sheets) + len(overflow), heads[place], rows)
        skeleton = _skeleton([*sheets, *overflow], sheets, widths)
        for entry in skeleton.infolist():
            if not entry.filename.startswith("xl/worksheets/sheet"):
                package.writestr(_entry(entry.filename), skeleton.read(entry))


def _read_me(tables: Sequence[Table]) -> Table:
    columns = (Column("about", Type.TEXT, ""), Column("text", Type.TEXT, ""))
    sheets = [(table.name, table.label) for table in tables]
    rows: list[Row] = [*tables[0].notes, *sheets]
    return Table(READ_ME, "", columns, iter(rows))


# --- the package --------------------------------------------------------------------------------


def _skeleton(
    sheets: Sequence[Table], first: Sequence[Table], widths: Sequence[Sequence[int]]
) -> ZipFile:
    """A workbook with all sheets, of which each has no more than its head.

    `widths`: of the columns of the first sheets, of which the others are more.
    """
    from xlsxwriter import Workbook

    made = io.BytesIO()
    with Workbook(made, {"constant_memory": True, "in_memory": True}) as workbook:
        workbook.set_properties({"title": first[1].label, "created": NEVER})
        text = workbook.add_format({"bold": True, "bottom": 1})
        # A name stands above its numbers, which begin at the right.
        number = workbook.add_format({"bold": True, "bottom": 1, "align": "right"})
        for name, sheet in zip(_names(sheets, len(first)), sheets, strict=True):
            own, wide = workbook.add_worksheet(name), _of(sheet, first, widths)
            own.freeze_panes(1, 0)
            _set_print(own, wide)
            for place, column in enumerate(sheet.columns):
                own.set_column(place, place, wide[place])
                form = text if column.type is Type.TEXT else number
                own.write_string(0, place, column.name, form)
        if len(sheets) > 1:
            workbook.get_worksheet_by_name(sheets[1].name[:MOST_NAME]).activate()
    return ZipFile(made)


def _names(sheets: Sequence[Table], own: int) -> list[str]:
    names = [sheet.name[:MOST_NAME] for sheet in sheets]
    for place in range(own, len(names)):
        again = sum(sheet is sheets[place] for sheet in sheets[own:place]) + 2
        ending = f" ({again})"
        names[place] = names[place][: MOST_NAME - len(ending)] + ending
    return names


def _of(sheet: Table, first: Sequence[Table], widths: Sequence[Sequence[int]]) -> Sequence[int]:
    return next(own for each, own in zip(first, widths, strict=True) if each is sheet)


def _set_print(worksheet: "Worksheet", widths: Sequence[int]) -> None:
    """Have the head on every page, all columns on one if they can be read there, and numbers."""
    worksheet.repeat_rows(0)
    worksheet.set_landscape()
    worksheet.set_paper(A4)
    worksheet.set_footer("&L&A&R&P / &N")
    if sum(widths) <= MOST_ON_A_PAGE:
        worksheet.fit_to_pages(1, 0)


def _widths(sheet: Table, first: Sequence[Row]) -> list[int]:
    """Return how wide columns are, in characters: there is room for names, and for most texts."""
    if sheet.name == READ_ME:
        return [24, 100]
    texts = [
        max((len(str(row[place] or "")) for row in first), default=0)
        if column.type is Type.TEXT
        else 0
        for place, column in enumerate(sheet.columns)
    ]
    names = [min(len(column.name), MOST_OF_A_NAME) for column in sheet.columns]
    return [
        max(10, name + 2, min(text + 2, MOST_OF_A_TEXT))
        for name, text in zip(names, texts, strict=True)
    ]


def _heads(skeleton: ZipFile) -> list[tuple[str, str]]:
    """What stands before and after the rows of each sheet."""
    found = []
    for number in range(1, 1 + sum("worksheets/sheet" in name for name in skeleton.namelist())):
        text = skeleton.read(f"xl/worksheets/sheet{number}.xml").decode()
        # It would say that there is no more than the head.
        head, tail = re.sub(r"<dimension [^>]*/>", "", text).split(END)
        found.append((head, END + tail))
    return found


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, NEVER.timetuple()[:6])
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


# --- the rows -----------------------------------------------------------------------------------


class _Rows:
    """The rows of a table as XML, as many at a time as a sheet has room for."""

    def __init__(self, table: Table) -> None:
        self._rows = iter(table.rows)
        self._cells = [_Cells() for _ in table.columns]
        self._next = list(islice(self._rows, BATCH))

    def first(self) -> Sequence[Row]:
        """The first rows, which are still to be written."""
        return self._next

    def has_more(self) -> bool:
        return bool(self._next)

    def of_sheet(self) -> Iterator[str]:
        room, size = MOST_ROWS - 1, 0
        while self._next and room and size < MOST_BYTES:
            batch, self._next = self._next[:room], self._next[room:]
            piece = self._xml(batch)
            room, size = room - len(batch), size + len(piece)
            self._next = self._next or list(islice(self._rows, BATCH))
            yield piece

    def _xml(self, batch: Sequence[Row]) -> str:
        columns = zip(*batch, strict=True)
        cells = [
            map(own.__getitem__, column) for own, column in zip(self._cells, columns, strict=True)
        ]
        return "<row>" + "</row><row>".join(map("".join, zip(*cells, strict=True))) + "</row>"


class _Cells(dict[Cell, str]):
    """The XML of the cells of a column; what comes again and again is kept."""

    def __missing__(self, cell: Cell) -> str:
        made = _cell(cell)
        if len(self) < CACHED:
            self[cell] = made
        return made


def _cell(cell: Cell) -> str:
    if cell is None or cell == "":
        return EMPTY
    if isinstance(cell, str):
        text = f'<is><t xml:space="preserve">{_escaped(cell[:MOST_SIGNS])}</t></is>'
        return f'<c t="inlineStr">{text}</c>'
    return f"<c><v>{cell!r}</v></c>" if math.isfinite(cell) else EMPTY


def _escaped(text: str) -> str:
    text = _LINE_END.sub("\n", _NO_SIGN.sub("\N{REPLACEMENT CHARACTER}", text))
    return escape(_LIKE_ESCAPE.sub("_x005F_", text))


def _write_sheet(package: ZipFile, number: int, around: tuple[str, str], rows: _Rows) -> None:
    head, tail = around
    with package.open(_entry(f"xl/worksheets/sheet{number}.xml"), "w") as sheet:
        for piece in chain((head,), rows.of_sheet(), (tail,)):
            sheet.write(piece.encode())


FORMAT = Format(
    "xlsx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    write,
    several=True,
)
