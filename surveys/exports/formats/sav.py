"""SPSS system files (.sav), with labels, missing values and UTF-8.

The layout is that of PSPP's developers (gnu.org/software/pspp/pspp-dev, "System File Format").
pyreadstat writes such files from a data frame as a whole, which a million rows are too many for,
and needs pandas or polars for it; the tests read with it what this writes.

An empty cell of a column of codes is a code of its own with the reason as its label, since SPSS
knows one nameless value for "nothing".
"""

import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from surveys.exports.formats import limits
from surveys.exports.formats.spool import Extent, Spooled, spooled
from surveys.exports.table import Column, Format, Table, Type, Value

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

LABEL_BYTES, VALUE_LABEL_BYTES = 255, 120
# A text of more bytes is several variables, each but the last of 255 bytes that are stored in 256.
SEGMENT, ALLOCATED = 255, 252
MOST_TEXT = 32_767
SYSTEM_MISSING, HIGHEST = float.fromhex("-0x1.fffffffffffffp+1023"), sys.float_info.max
LOWEST = float.fromhex("-0x1.ffffffffffffep+1023")
# Formats as SPSS packs them: the type, the width and the decimals.
NUMBER_FORMAT, INTEGER_FORMAT, TEXT_FORMAT = (
    (5 << 16) | (16 << 8) | 8,
    (5 << 16) | (8 << 8),
    1 << 16,
)
NOMINAL, SCALE = 1, 3


@dataclass(frozen=True, slots=True)
class Variable:
    """`width`: bytes of the texts, 0 of numbers. `empty`: the code of an empty cell."""

    column: Column
    name: str
    short: str
    width: int
    empty: int | None

    @property
    def segments(self) -> list[int]:
        """The width of each of the variables that it is stored as; 0 of numbers."""
        if self.width <= SEGMENT:
            return [self.width]
        count = -(-self.width // ALLOCATED)
        return [SEGMENT] * (count - 1) + [self.width - (count - 1) * ALLOCATED]

    @property
    def stored(self) -> int:
        """The bytes of a cell."""
        return sum(_padded(width, 8) for width in self.segments) or 8

    @property
    def missing(self) -> list[Value]:
        """What the program is told to be no value."""
        reason = limits.empty_reason(self.column)
        empty = [] if self.empty is None or reason is None else [Value(self.empty, reason)]
        return [*empty, *(value for value in self.column.missing if value.code is not None)]


def write(table: Table, file: IO[bytes]) -> None:
    with spooled(table) as rows:
        variables = _variables(table.columns, rows.extents)
        file.write(b"".join(_dictionary(table, variables, rows.rows)))
        _write_rows(rows, variables, file)


def _variables(columns: Sequence[Column], extents: Sequence[Extent]) -> list[Variable]:
    names = limits.spss_names([column.name for column in columns])
    found = []
    for place, (column, extent) in enumerate(zip(columns, extents, strict=True)):
        width = min(max(extent.width, 1), MOST_TEXT) if column.type is Type.TEXT else 0
        empty = limits.empty_code(column, extent.lowest, extent.highest)
        found.append(Variable(column, names[place], f"V{place}", width, empty))
    return found


# --- the dictionary -----------------------------------------------------------------------------


def _dictionary(table: Table, variables: Sequence[Variable], rows: int) -> Iterator[bytes]:
    size = sum(variable.stored for variable in variables) // 8
    label = limits.cut(table.label, 64).encode().ljust(64)
    program = b"@(#) SPSS DATA FILE Candor".ljust(60)
    cases = rows if rows < 2**31 else -1
    # Without the moment: the same rows make the same file.
    yield struct.pack("<4s60s5id9s8s64s3x", b"$FL2", program, 2, size, 0, 0, cases, 100.0,
                      b"01 Jan 70", b"00:00:00", label)  # fmt: skip
    for variable in variables:
        yield from _records(variable)
    place = 1
    for variable in variables:
        yield from _value_labels(variable, place)
        place += variable.stored // 8
    yield _information(3, 4, struct.pack("<8i", 1, 0, 0, -1, 1, 1, 2, 65001))
    yield _information(4, 8, struct.pack("<3d", SYSTEM_MISSING, HIGHEST, LOWEST))
    yield from _display(variables)
    yield _information(13, 1, "\t".join(f"{x.short}={x.name}" for x in variables).encode())
    long = [f"{x.short}={x.width:05d}\0\t" for x in variables if x.width > SEGMENT]
    if long:
        yield _information(14, 1, "".join(long).encode())
    yield _information(16, 8, struct.pack("<2q", 1, rows))
    yield _information(20, 1, b"UTF-8")
    labels = b"".join(map(_long_value_labels, variables))
    if labels:
        yield _information(21, 1, labels)
    yield struct.pack("<2i", 999, 0)


def _records(variable: Variable) -> Iterator[bytes]:
    """The variable, with a record for each eight bytes of a text."""
    column, missing = variable.column, b""
    told = limits.cut(limits.told_name(column, variable.name), LABEL_BYTES).encode()
    codes = [code for code, _ in limits.numbers_of(variable.missing)]
    count = 0 if variable.width else len(codes)
    if 0 < count <= 3:
        missing = struct.pack(f"<{count}d", *codes)
    elif count:
        count, missing = -2, struct.pack("<2d", min(codes), max(codes))
    label = struct.pack("<i", len(told)) + _filled(told, 4)
    for number, width in enumerate(variable.segments):
        form = _form(variable, width)
        short = variable.short if not number else f"{variable.short}_{number:X}"
        head = struct.pack("<6i8s", 2, width, 1, count, form, form, short.encode().ljust(8))
        yield head + label + missing
        blank = struct.pack("<6i8s", 2, -1, 0, 0, 0, 0, b" " * 8)
        yield blank * (_padded(width, 8) // 8 - 1)


def _form(variable: Variable, width: int) -> int:
    if width:
        return TEXT_FORMAT | (min(width, 255) << 8)
    return INTEGER_FORMAT if variable.column.type is Type.INTEGER else NUMBER_FORMAT


def _display(variables: Sequence[Variable]) -> Iterator[bytes]:
    """How a column is measured, how wide it is shown, and on which side."""
    shown = []
    for variable in variables:
        column = variable.column
        nominal = column.type is Type.TEXT or bool(column.values)
        measure = (NOMINAL if nominal else SCALE, 12, 0 if variable.width else 1)
        shown += [struct.pack("<3i", *measure)] * len(variable.segments)
    yield _information(11, 4, b"".join(shown))


def _value_labels(variable: Variable, place: int) -> Iterator[bytes]:
    """Of numbers, and of texts of at most eight bytes; `place`: of the variable, from 1."""
    labels = []
    for value in (*variable.column.values, *variable.missing):
        if isinstance(value.code, str) == bool(variable.width) and value.code is not None:
            code = (
                _short_text(value.code)
                if isinstance(value.code, str)
                else struct.pack("<d", value.code)
            )
            text = limits.cut(value.label, VALUE_LABEL_BYTES).encode()
            labels.append(code + _filled(bytes([len(text)]) + text, 8))
    if labels and variable.width <= 8:
        yield struct.pack("<2i", 3, len(labels)) + b"".join(labels)
        yield struct.pack("<3i", 4, 1, place)


def _short_text(code: str) -> bytes:
    return code.encode()[:8].ljust(8)


def _long_value_labels(variable: Variable) -> bytes:
    values = [x for x in (*variable.column.values, *variable.missing) if isinstance(x.code, str)]
    if variable.width <= 8 or not values:
        return b""
    name = variable.name.encode()
    found = struct.pack("<i", len(name)) + name + struct.pack("<2i", variable.width, len(values))
    for value in values:
        code = str(value.code).encode()[: variable.width].ljust(variable.width)
        text = limits.cut(value.label, VALUE_LABEL_BYTES).encode()
        found += struct.pack("<i", len(code)) + code + struct.pack("<i", len(text)) + text
    return found


def _information(kind: int, size: int, data: bytes) -> bytes:
    return struct.pack("<4i", 7, kind, size, len(data) // size) + data


def _padded(size: int, unit: int) -> int:
    return -(-size // unit) * unit


def _filled(data: bytes, unit: int) -> bytes:
    return data.ljust(_padded(len(data), unit))


# --- the rows -----------------------------------------------------------------------------------


def _write_rows(rows: Spooled, variables: Sequence[Variable], file: IO[bytes]) -> None:
    import numpy as np

    # By place, since a structure has no two fields of one name.
    row = np.dtype([(f"c{place}", _kind(x)) for place, x in enumerate(variables)])
    for batch in rows.batches():
        block = np.empty(batch.num_rows, dtype=row)
        for place, variable in enumerate(variables):
            block[f"c{place}"] = _cells(batch.column(place), variable)
        file.write(block.tobytes())


def _kind(variable: Variable) -> str:
    return f"S{variable.stored}" if variable.width else "<f8"


def _cells(array: "pa.Array", variable: Variable) -> "np.ndarray[Any, Any]":
    import numpy as np

    if not variable.width:
        empty = SYSTEM_MISSING if variable.empty is None else float(variable.empty)
        return np.asarray(array.cast("float64").fill_null(empty))
    made: dict[str, bytes] = {}
    cells = []
    for text in array.fill_null("").to_pylist():
        cell = made.get(text)
        if cell is None:
            cell = _text(text, variable)
            if len(made) < 10_000:
                made[text] = cell
        cells.append(cell)
    return np.array(cells, dtype=_kind(variable))


def _text(text: str, variable: Variable) -> bytes:
    """The bytes of a cell, each segment filled with spaces; no sign is cut in half."""
    data = limits.cut(text, variable.width).encode()
    return b"".join(
        data[SEGMENT * number : SEGMENT * (number + 1)].ljust(_padded(width, 8))
        for number, width in enumerate(variable.segments)
    )


FORMAT = Format("sav", "application/x-spss-sav", write)
