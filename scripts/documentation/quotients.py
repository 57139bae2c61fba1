"""Rows of MathML: bars for quotients where these are sure, and spaces where the source has some."""

from dataclasses import dataclass

# What ends a quotient that is written with spaces.
_RELATIONS = frozenset("+−=<>≤≥≠∼→,;:|±∈…")


@dataclass
class Item:
    """A part of a row: its MathML, and how it stands there."""

    markup: str
    kind: str = "factor"  # or "operator", "large", "limits", "function", "text", "space", "slash"
    spaced: bool = False  # there is a space before it
    inner: str = ""  # of a group in parentheses: the same without them
    sign: str = ""


def set_row(items: list[Item], display: bool) -> str:
    """The row, with bars for quotients in a display, and thin spaces where the source has one."""
    items = list(items)
    at = 0
    while display and at < len(items):
        if items[at].kind == "slash":
            start, end = _sides(items, at)
            if start < at < end - 1:
                items[start:end] = [_quotient(items[start:at], items[at + 1 : end])]
                at = start
        at += 1
    parts: list[str] = []
    for before, item in zip([None, *items], items, strict=False):
        if before and _is_apart(before, item):
            parts.append('<mspace width="0.22em"/>')
        parts.append(item.markup)
    return "".join(parts)


def _is_apart(before: Item, item: Item) -> bool:
    apart = ("operator", "space", "slash")
    return item.spaced and before.kind not in apart and item.kind not in apart


def _sides(items: list[Item], at: int) -> tuple[int, int]:
    """Where the numerator begins and the denominator ends; (at, at) where that is not sure."""
    if items[at].spaced:
        return _sides_of_spaced(items, at)
    start = at
    while start > 0 and _is_tight(items[start - 1]) and (start == at or not items[start].spaced):
        start -= 1
    end = at + 1
    while end < len(items) and _is_tight(items[end]) and not items[end].spaced:
        end += 1
    return start, end


def _is_tight(item: Item) -> bool:
    return item.kind in ("factor", "group", "function")


def _sides_of_spaced(items: list[Item], at: int) -> tuple[int, int]:
    start, end = at, at + 1
    while start > 0 and not _ends_quotient(items[start - 1]):
        start -= 1
    while end < len(items) and not _ends_quotient(items[end]):
        end += 1
    # `max a / b` may be the largest of the quotients, or the quotient of the largest.
    sides = items[start:at] + items[at + 1 : end]
    unsure = [item for item in sides if item.kind in ("limits", "slash")]
    for side in (items[start:at], items[at + 1 : end]):
        unsure += [item for item in side if item.kind == "text" and len(side) > 1]
    ratio = [side[0].kind == "limits" for side in (items[start:at], items[at + 1 : end]) if side]
    if unsure and not (ratio == [True, True] and len(unsure) == 2):
        return at, at
    return start, end


def _ends_quotient(item: Item) -> bool:
    return item.kind in ("large", "space") or (item.kind == "operator" and item.sign in _RELATIONS)


def _quotient(above: list[Item], below: list[Item]) -> Item:
    spaced = above[0].spaced
    sides = "".join(
        side[0].inner
        if len(side) == 1 and side[0].kind == "group"
        else f"<mrow>{set_row([*side], display=True)}</mrow>"
        for side in (above, below)
    )
    return Item(f"<mfrac>{sides}</mfrac>", "factor", spaced)
