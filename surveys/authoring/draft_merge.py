"""A three-way merge of a survey's page: as it was loaded, as it is stored now, as it was posted.

All three are texts as a browser posts them, by field. What only one side has changed is taken from
that side; what both have changed in different ways is a conflict, which the author decides.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

# The posted texts of each field; without any, a box is not ticked or a field is empty.
Values = Mapping[str, tuple[str, ...]]
Prints = Mapping[str, str]

# Fields of a question that mean the same whatever the rest of it becomes. All others belong
# together: an epsilon for two options is not one for a range.
TEXTS = frozenset({"text", "help_text"})

_PRINT_BYTES = 9


@dataclass(frozen=True, slots=True)
class Loaded:
    """The fingerprints of a page when it was loaded: of its fields, and of its rows by key.

    The rows are in their order.
    """

    fields: Prints
    rows: Mapping[str, Prints]


@dataclass(slots=True)
class FieldMerge:
    """`taken`: fields that only the other side has changed; `open`: those that both have."""

    taken: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)


def fingerprint(texts: Sequence[str]) -> str:
    """A short hash of a field's texts; a page has one of each field to tell what has changed."""
    content = "\0".join(normal(texts)).encode()
    return hashlib.blake2b(content, digest_size=_PRINT_BYTES).hexdigest()


def prints_of(values: Values) -> Prints:
    return {name: fingerprint(texts) for name, texts in values.items()}


def normal(texts: Sequence[str]) -> tuple[str, ...]:
    """Without what browsers and forms change: line ends, space at either end, empty texts."""
    stripped = (text.replace("\r\n", "\n").strip() for text in texts)
    return tuple(sorted(filter(None, stripped)))


def merge_fields(
    loaded: Prints, stored: Values, posted: Values, *, apart: frozenset[str] | None = None
) -> FieldMerge:
    """`apart`: the fields that are independent of all others; None where all are.

    Where each side has changed other fields of those that belong together, all that the other side
    has changed is open.
    """
    result = FieldMerge()
    ours = {name for name in posted if _differs(loaded, name, posted[name])}
    theirs = [name for name in stored if name in loaded and _differs(loaded, name, stored[name])]
    together = apart is not None and not ours <= apart
    for name in theirs:
        if name in posted and normal(posted[name]) == normal(stored[name]):
            continue
        bound = together and apart is not None and name not in apart
        (result.open if name in ours or bound else result.taken).append(name)
    return result


def _differs(loaded: Prints, name: str, texts: Sequence[str]) -> bool:
    return loaded.get(name) != fingerprint(texts)


def is_changed(loaded: Prints, values: Values) -> bool:
    """Whether a field that was loaded has another value."""
    return any(name in loaded and _differs(loaded, name, values[name]) for name in values)


def merge_order(
    loaded: Sequence[str], stored: Sequence[str], posted: Sequence[str], kept: Iterable[str]
) -> tuple[list[str], bool]:
    """The order of the rows that are kept, and whether both sides have moved some of them.

    What only one side has comes after the row that it follows there.
    """
    alive = set(kept)
    common = set(loaded) & set(stored) & set(posted) & alive
    before, theirs, ours = (
        [key for key in keys if key in common] for keys in (loaded, stored, posted)
    )
    both_moved = before not in (theirs, ours) and theirs != ours
    first, second = (posted, stored) if theirs == before or both_moved else (stored, posted)
    return weave(first, second, alive), both_moved


def weave(first: Sequence[str], second: Sequence[str], alive: set[str]) -> list[str]:
    """Return the keys of `first`, with those of `second` alone after their predecessors there."""
    order = [key for key in first if key in alive]
    place = 0
    for key in second:
        if key not in alive:
            continue
        if key in order:
            place = order.index(key) + 1
        else:
            order.insert(place, key)
            place += 1
    return order
