"""What other programs allow of names, labels and codes, and how ours become theirs.

A name that a program allows stays as it is. All others are made from ours by one rule, and stay
unique, also where the program takes capital letters for small ones. The codebook has both.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from surveys.exports.table import Column, Type, Value

SPSS_NAME_BYTES, STATA_NAME_SIGNS = 64, 32
# Words of the programs' languages, in small letters.
SPSS_RESERVED = re.compile("all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with")
STATA_RESERVED = re.compile(
    "_all|_b|byte|_coef|_cons|double|float|if|in|int|long|_n|_pi|_pred|_rc|_skip|str[l0-9]+|using"
    "|with"
)
_SPSS = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
_STATA = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# What a report that is missing is called in Stata and R: .a to .z, and how many there are.
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# What stands for an empty cell with a known reason, the first that no cell has.
EMPTY_CODES = (-9, -99, -999, -9_999, -99_999, -999_999, -9_999_999)


def spss_names(names: Sequence[str]) -> list[str]:
    """Letters of ASCII, digits, full stops and underscores; at most 64 signs, the last no stop."""

    def fits(name: str) -> bool:
        allowed = _SPSS.fullmatch(name) and not name.endswith((".", "_"))
        reserved = SPSS_RESERVED.fullmatch(name.lower())
        return bool(allowed) and len(name) <= SPSS_NAME_BYTES and not reserved

    def made(name: str) -> str:
        text = re.sub(r"[^A-Za-z0-9_.]", "_", name).strip("._")
        return text if _SPSS.match(text) else f"v_{text}".rstrip("._")

    return _unique(names, fits, made, SPSS_NAME_BYTES)


def stata_names(names: Sequence[str]) -> list[str]:
    """Letters of ASCII, digits and underscores; at most 32 signs."""

    def fits(name: str) -> bool:
        reserved = STATA_RESERVED.fullmatch(name.lower())
        return bool(_STATA.fullmatch(name)) and len(name) <= STATA_NAME_SIGNS and not reserved

    def made(name: str) -> str:
        text = re.sub(r"[^A-Za-z0-9_]", "_", name)
        return text if _STATA.match(text) and text.strip("_") else f"v_{text}"

    return _unique(names, fits, made, STATA_NAME_SIGNS)


def _unique(
    names: Sequence[str], fits: Callable[[str], bool], made: Callable[[str], str], size: int
) -> list[str]:
    """Those that fit come first, so that no other takes their name."""
    taken: set[str] = set()
    found: dict[int, str] = {}
    kept = [place for place, name in enumerate(names) if fits(name)]
    for place in kept:
        if names[place].lower() not in taken:
            found[place] = names[place]
            taken.add(names[place].lower())
    for place, name in enumerate(names):
        if place not in found:
            candidates = _candidates(made(name), size)
            found[place] = next(x for x in candidates if fits(x) and x.lower() not in taken)
            taken.add(found[place].lower())
    return [found[place] for place in range(len(names))]


def _candidates(name: str, size: int) -> Iterator[str]:
    yield name[:size].rstrip("._") or name[:size]
    number = 2
    while True:
        ending = f"_{number}"
        yield f"{name[: size - len(ending)]}{ending}"
        number += 1


def cut(text: str, size: int) -> str:
    """The beginning of a text, in at most so many bytes of UTF-8, without half a sign."""
    data = text.encode()
    if len(data) <= size:
        return text
    return data[: size - len("…".encode())].decode(errors="ignore") + "…"


def cut_signs(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 1] + "…"


def told_name(column: Column, name: str) -> str:
    """The label of a column, after our name where a program has another: its end may be cut."""
    return column.label if name == column.name else f"{column.name}: {column.label}"


def numbers_of(values: Iterable[Value]) -> Iterator[tuple[float, str]]:
    """The codes that are numbers, each with its label."""
    for value in values:
        if isinstance(value.code, int | float):
            yield value.code, value.label


def empty_reason(column: Column) -> str | None:
    """What an empty cell of the column means, if that is known."""
    return next((value.label for value in column.missing if value.code is None), None)


def empty_code(column: Column, lowest: int, highest: int) -> int | None:
    """The number that stands for an empty cell where a program knows no reason for one; none where
    there is no reason, or cells are no whole numbers.
    """
    if column.type is not Type.INTEGER or empty_reason(column) is None:
        return None
    listed = {code for code, _ in numbers_of((*column.values, *column.missing))}
    free = (code for code in EMPTY_CODES if code not in listed)
    if column.values:
        return next(free)
    return next((code for code in free if not lowest <= code <= highest), None)


def letters_of(column: Column) -> dict[float | None, str]:
    """The letter for each code of a missing value, None being the empty cell.

    It is `a` for the empty cell, `b` for -1, and so on; what has none of these gets the next free.
    """
    codes = [value.code for value in column.missing if not isinstance(value.code, str)]
    letters: dict[float | None, str] = {}
    for code in codes:
        if code is None or -len(LETTERS) < code < 0 == code % 1:
            letters[code] = LETTERS[-int(code or 0)]
    free = (letter for letter in LETTERS[1:] if letter not in letters.values())
    return letters | {code: next(free) for code in codes if code not in letters}
