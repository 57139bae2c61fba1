"""Stata data sets (.dta, format 118: Stata 14 and newer), with labels, missing codes and UTF-8.

The layout is that of Stata's own help (stata.com/help.cgi?dta). Reasons why a cell is missing are
Stata's extended missing values `.a` to `.z`, each with its label.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from surveys.exports.formats import limits
from surveys.exports.formats.spool import Extent, Spooled, spooled
from surveys.exports.table import Column, Format, Table, Type

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

LABEL_SIGNS, VALUE_LABEL_BYTES = 80, 32_000
# Texts of more bytes are kept apart, at their own length.
MOST_TEXT = 255
BYTE, INT, LONG, DOUBLE, APART = 65530, 65529, 65528, 65526, 32768
# The code of each type, how NumPy stores it, the ends of its values, and its `.`.
WHOLE = (
    (BYTE, "<i1", (-127, 100), 101),
    (INT, "<i2", (-32_767, 32_740), 32_741),
    (LONG, "<i4", (-2_147_483_647, 2_147_483_620), 2_147_483_621),
)
LONG_MISSING = WHOLE[-1][-1]
# The bits of the double that is `.`; those of `.a` to `.z` follow, each this much larger.
DOUBLE_MISSING, DOUBLE_STEP = 0x7FE0_0000_0000_0000, 1 << 40


@dataclass(frozen=True, slots=True)
class Variable:
    """`code`: of its type, and `kind`: that as NumPy stores it."""

    column: Column
    name: str
    code: int
    kind: str

    @property
    def form(self) -> str:
        if self.column.type is Type.TEXT:
            return "%9s" if self.code == APART else f"%-{self.code}s"
        return "%10.0g" if self.code == DOUBLE else "%8.0g"

    @property
    def letters(self) -> dict[float | None, str]:
        return {} if self.column.type is Type.TEXT else limits.letters_of(self.column)

    def missing(self, letter: str = "") -> Any:
        """The cell that is `.`, or `.a` to `.z`."""
        place = limits.LETTERS.index(letter) + 1 if letter else 0
        if self.code == DOUBLE:
            bits = DOUBLE_MISSING + place * DOUBLE_STEP
            return struct.unpack("<d", struct.pack("<Q", bits))[0]
        return next(first for code, _, _, first in WHOLE if code == self.code) + place

    @property
    def labels(self) -> list[tuple[int, str]]:
        """The labels of whole numbers and of missing codes: Stata has none of other numbers."""
        if self.column.type is Type.TEXT:
            return []
        found = [
            (int(code), label)
            for code, label in limits.numbers_of(self.column.values)
            if code == int(code)
        ]
        labels = {value.code: value.label for value in self.column.missing}
        first = LONG_MISSING + 1
        return found + [
            (first + limits.LETTERS.index(letter), labels[code])
            for code, letter in self.letters.items()
        ]


def write(table: Table, file: IO[bytes]) -> None:
    with spooled(table) as rows:
        variables = _variables(table.columns, rows.extents)
        _File(file).write(table, variables, rows)


def _variables(columns: Sequence[Column], extents: Sequence[Extent]) -> list[Variable]:
    names = limits.stata_names([column.name for column in columns])
    return [
        Variable(column, name, *_type_of(column, extent))
        for name, column, extent in zip(names, columns, extents, strict=True)
    ]


def _type_of(column: Column, extent: Extent) -> tuple[int, str]:
    if column.type is Type.TEXT:
        width = max(extent.width, 1)
        return (APART, "<u8") if width > MOST_TEXT else (width, f"S{width}")
    if column.type is Type.INTEGER:
        for code, kind, (lowest, highest), _ in WHOLE:
            if lowest <= extent.lowest and extent.highest <= highest:
                return code, kind
    return DOUBLE, "<f8"


# --- the file -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _File:
    file: IO[bytes]

    def write(self, table: Table, variables: Sequence[Variable], rows: Spooled) -> None:
        """Write the parts, and then where each of them is."""
        places = [0]
        self.file.write(b"<stata_dta>" + _header(table, len(variables), rows.rows))
        parts = [b"<map>" + bytes(8 * 14) + b"</map>", *_dictionary(variables)]
        for part in parts:
            places.append(self.file.tell())
            self.file.write(part)
        places.append(self.file.tell())
        self.file.write(b"<data>")
        _write_rows(rows, variables, self.file)
        self.file.write(b"</data>")
        places.append(self.file.tell())
        self.file.write(b"<strls>")
        for piece in _texts_apart(rows, variables):
            self.file.write(piece)
        self.file.write(b"</strls>")
        places.append(self.file.tell())
        labels = b"".join(map(_value_labels, variables, range(len(variables))))
        self.file.write(b"<value_labels>" + labels + b"</value_labels>")
        places.append(self.file.tell())
        self.file.write(b"</stata_dta>")
        places.append(self.file.tell())
        self.file.seek(places[1] + len(b"<map>"))
        self.file.write(struct.pack("<14Q", *places))
        self.file.seek(places[-1])


def _header(table: Table, variables: int, rows: int) -> bytes:
    label = limits.cut_signs(table.label, LABEL_SIGNS).encode()
    # Without the moment: the same rows make the same file.
    return (
        b"<header><release>118</release><byteorder>LSF</byteorder>"
        + _tagged("K", struct.pack("<H", variables))
        + _tagged("N", struct.pack("<Q", rows))
        + _tagged("label", struct.pack("<H", len(label)) + label)
        + b"<timestamp>\0</timestamp></header>"
    )


def _tagged(name: str, data: bytes) -> bytes:
    return b"<%s>%s</%s>" % (name.encode(), data, name.encode())


def _dictionary(variables: Sequence[Variable]) -> Iterator[bytes]:
    """From the types of the variables to what else is said of them."""
    count = len(variables)
    yield _tagged("variable_types", struct.pack(f"<{count}H", *(x.code for x in variables)))
    yield _tagged("varnames", b"".join(_fixed(x.name, 129) for x in variables))
    yield _tagged("sortlist", bytes(2 * (count + 1)))
    yield _tagged("formats", b"".join(_fixed(x.form, 57) for x in variables))
    sets = (_fixed(f"labels{n}" if x.labels else "", 129) for n, x in enumerate(variables))
    yield _tagged("value_label_names", b"".join(sets))
    told = (limits.cut_signs(limits.told_name(x.column, x.name), LABEL_SIGNS) for x in variables)
    yield _tagged("variable_labels", b"".join(_fixed(label, 321) for label in told))
    yield _tagged("characteristics", b"".join(map(_characteristics, variables)))


def _fixed(text: str, size: int) -> bytes:
    return text.encode().ljust(size, b"\0")


def _characteristics(variable: Variable) -> bytes:
    """Our name and the whole label, as a note where the program has less than these."""
    whole = limits.told_name(variable.column, variable.name)
    if len(whole) <= LABEL_SIGNS:
        return b""
    notes = {"note0": "1", "note1": whole}
    made = b""
    for name, text in notes.items():
        data = _fixed(variable.name, 129) + _fixed(name, 129) + text.encode() + b"\0"
        made += _tagged("ch", struct.pack("<I", len(data)) + data)
    return made


def _value_labels(variable: Variable, number: int) -> bytes:
    if not variable.labels:
        return b""
    texts = [limits.cut(text, VALUE_LABEL_BYTES).encode() + b"\0" for _, text in variable.labels]
    codes = [code for code, _ in variable.labels]
    starts = [sum(map(len, texts[:place])) for place in range(len(texts))]
    order = sorted(range(len(codes)), key=codes.__getitem__)
    count, text = len(codes), b"".join(texts)
    data = struct.pack("<2I", count, len(text))
    data += struct.pack(f"<{count}I", *(starts[place] for place in order))
    data += struct.pack(f"<{count}i", *(codes[place] for place in order)) + text
    named = _fixed(f"labels{number}", 129) + bytes(3)
    return _tagged("lbl", struct.pack("<I", len(data)) + named + data)


# --- the rows -----------------------------------------------------------------------------------


def _write_rows(rows: Spooled, variables: Sequence[Variable], file: IO[bytes]) -> None:
    import numpy as np

    row = np.dtype([(f"c{place}", x.kind) for place, x in enumerate(variables)])
    start = 0
    for batch in rows.batches():
        block = np.empty(batch.num_rows, dtype=row)
        for place, variable in enumerate(variables):
            if variable.code == APART:
                # The variable and the row, both counted from 1, are the address of the text.
                numbers = np.arange(start + 1, start + batch.num_rows + 1, dtype=np.uint64)
                address = (numbers << np.uint64(16)) | np.uint64(place + 1)
                is_empty = np.asarray(batch.column(place).fill_null("").cast("binary")) == b""
                block[f"c{place}"] = np.where(is_empty, np.uint64(0), address)
            else:
                block[f"c{place}"] = _cells(batch.column(place), variable)
        file.write(block.tobytes())
        start += batch.num_rows


def _cells(array: "pa.Array", variable: Variable) -> "np.ndarray[Any, Any]":
    import numpy as np

    if variable.column.type is Type.TEXT:
        cells = array.fill_null("").cast("binary").to_pylist()
        return np.array(cells, dtype=variable.kind)
    empty = variable.missing(variable.letters.get(None, ""))
    is_empty = np.asarray(array.is_null())
    values = np.asarray(array.fill_null(0)).astype(variable.kind)
    codes = {code: letter for code, letter in variable.letters.items() if code is not None}
    replaced = [(values == code, variable.missing(letter)) for code, letter in codes.items()]
    for where, missing in (*replaced, (is_empty, empty)):
        values[where] = missing
    return values


def _texts_apart(rows: Spooled, variables: Sequence[Variable]) -> Iterator[bytes]:
    """The long texts, in the order of the rows."""
    apart = [place for place, variable in enumerate(variables) if variable.code == APART]
    number = 0
    for batch in rows.batches() if apart else ():
        columns = [batch.column(place).fill_null("").to_pylist() for place in apart]
        for texts in zip(*columns, strict=True):
            number += 1
            for place, text in zip(apart, texts, strict=True):
                if text:
                    data = text.encode() + b"\0"
                    yield b"GSO" + struct.pack("<IQBI", place + 1, number, 130, len(data)) + data


FORMAT = Format("dta", "application/x-stata-dta", write)
