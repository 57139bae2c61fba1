"""A data frame of R (.rds): typed columns with the attributes of R's package haven.

The layout is R's own serialization, version 2, as XDR (R Internals, section 1.8), which the tests
read with R itself and with rdata. Codes with meanings are of haven's class `haven_labelled`;
reasons why a cell is missing are its tagged missing values, which are NA for R without haven too.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from gzip import GzipFile
from typing import IO, TYPE_CHECKING, Any

from surveys.exports.formats import limits
from surveys.exports.formats.spool import Spooled, spooled
from surveys.exports.table import Column, Format, Table, Type

if TYPE_CHECKING:
    import pyarrow as pa

# Types of R's values, and what may be added to one.
SYMBOL, PAIRS, CHARS, INTEGERS, DOUBLES, TEXTS, LIST, NIL = 1, 2, 9, 13, 14, 16, 19, 254
HAS_ATTRIBUTES, IS_OBJECT, HAS_TAG, IS_UTF8 = 1 << 9, 1 << 8, 1 << 10, 1 << 15
NA_INTEGER = -(2**31)
# NA as a double; haven writes the letter of a reason into its fifth byte.
NA_BITS, LETTER = 0x7FF0_0000_0000_07A2, 32
# A text that is NA has no length.
NA_TEXT = struct.pack(">2i", CHARS, -1)
END = struct.pack(">i", NIL)
# Longer vectors have their length in two parts.
MOST = 2**31 - 1
FAST = 3
CACHED = 10_000


def write(table: Table, file: IO[bytes]) -> None:
    with (
        spooled(table) as rows,
        GzipFile(filename="", mode="wb", fileobj=file, compresslevel=FAST, mtime=0) as packed,
    ):
        packed.write(b"X\n" + struct.pack(">3i", 2, (3 << 16) | (6 << 8), (2 << 16) | (3 << 8)))
        packed.write(_head(LIST | HAS_ATTRIBUTES | IS_OBJECT, len(table.columns)))
        for place, column in enumerate(table.columns):
            for piece in _column(rows, place, column):
                packed.write(piece)
        packed.write(_frame_attributes(table, rows.rows))


def _frame_attributes(table: Table, rows: int) -> bytes:
    # Names of rows that are numbers, as R writes them: NA, and how many there are.
    numbers = (
        _head(INTEGERS, 2) + struct.pack(">2i", NA_INTEGER, -rows)
        if rows <= MOST
        else _head(DOUBLES, 2) + struct.pack(">Qd", NA_BITS, -rows)
    )
    return _attributes(
        ("names", _texts([column.name for column in table.columns])),
        ("label", _texts([table.label])),
        ("class", _texts(["data.frame"])),
        ("row.names", numbers),
    )


# --- values -------------------------------------------------------------------------------------


def _head(kind: int, length: int) -> bytes:
    if length <= MOST:
        return struct.pack(">2i", kind, length)
    return struct.pack(">4i", kind, -1, length >> 32, length & 0xFFFF_FFFF)


def _chars(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">2i", CHARS | IS_UTF8, len(data)) + data


def _texts(texts: Sequence[str]) -> bytes:
    return _head(TEXTS, len(texts)) + b"".join(map(_chars, texts))


def _attributes(*named: tuple[str, bytes]) -> bytes:
    """A list of pairs; a symbol is written anew each time, which R takes for one symbol."""
    pairs = (
        struct.pack(">2i", PAIRS | HAS_TAG, SYMBOL) + _chars(name) + value for name, value in named
    )
    return b"".join(pairs) + END


def _tagged_bits(letter: str) -> int:
    return NA_BITS | (ord(letter) << LETTER)


# --- columns ------------------------------------------------------------------------------------


def _column(rows: Spooled, place: int, column: Column) -> Iterator[bytes]:
    is_text = column.type is Type.TEXT
    is_labelled = bool(column.values or column.missing)
    extent = rows.extents[place]
    is_whole = (
        column.type is Type.INTEGER
        and not is_labelled
        and extent.lowest >= -MOST
        and extent.highest <= MOST
    )
    kind = TEXTS if is_text else INTEGERS if is_whole else DOUBLES
    flags = HAS_ATTRIBUTES | (IS_OBJECT if is_labelled else 0)
    yield _head(kind | flags, rows.rows)
    cells = _text_cells if is_text else _whole_cells if is_whole else _double_cells
    for array in rows.column(place):
        yield cells(array, column)
    yield _attributes(("label", _texts([column.label])), *_labels(column))


def _text_cells(array: "pa.Array", _column: Column) -> bytes:
    made: dict[str, bytes] = {}
    cells = []
    for text in array.to_pylist():
        cell = NA_TEXT if text is None else made.get(text)
        if cell is None:
            cell = _chars(text)
            if len(made) < CACHED:
                made[text] = cell
        cells.append(cell)
    return b"".join(cells)


def _whole_cells(array: "pa.Array", _column: Column) -> bytes:
    import numpy as np

    return np.asarray(array.fill_null(NA_INTEGER)).astype(">i4").tobytes()


def _double_cells(array: "pa.Array", column: Column) -> bytes:
    """Numbers, and NA with the letter of its reason."""
    import numpy as np

    values: np.ndarray[Any, Any] = np.array(array.cast("float64").fill_null(0.0))
    bits = values.view(np.uint64)
    letters = limits.letters_of(column)
    # All places first: an NA is no number to compare.
    found = [
        (values == code, _tagged_bits(letter))
        for code, letter in letters.items()
        if code is not None
    ]
    empty = _tagged_bits(letters[None]) if None in letters else NA_BITS
    for where, missing in (*found, (np.asarray(array.is_null()), empty)):
        bits[where] = missing
    return bits.astype(">u8").tobytes()


def _labels(column: Column) -> Iterable[tuple[str, bytes]]:
    """The meanings of codes, as haven has them: a vector of codes, with the labels as names."""
    if not column.values and not column.missing:
        return
    if column.type is Type.TEXT:
        told = [(str(x.code), x.label) for x in _texts_of(column)]
        codes = _head(TEXTS | HAS_ATTRIBUTES, len(told)) + b"".join(
            _chars(code) for code, _ in told
        )
        inner = "character"
    else:
        pairs = _number_labels(column)
        told = [(str(code), label) for code, label in pairs]
        codes = _head(DOUBLES | HAS_ATTRIBUTES, len(pairs))
        codes += b"".join(struct.pack(">Q", code) for code, _ in pairs)
        inner = "double"
    named = codes + _attributes(("names", _texts([label for _, label in told])))
    yield "labels", named
    yield "class", _texts(["haven_labelled", "vctrs_vctr", inner])


def _texts_of(column: Column) -> list[Any]:
    return [x for x in (*column.values, *column.missing) if isinstance(x.code, str)]


def _number_labels(column: Column) -> list[tuple[int, str]]:
    """The bits of each code as a double, with its label."""
    found = [
        (struct.unpack("<Q", struct.pack("<d", code))[0], label)
        for code, label in limits.numbers_of(column.values)
    ]
    labels = {value.code: value.label for value in column.missing}
    letters = limits.letters_of(column).items()
    return found + [(_tagged_bits(letter), labels[code]) for code, letter in letters]


FORMAT = Format("rds", "application/x-r-data", write)
