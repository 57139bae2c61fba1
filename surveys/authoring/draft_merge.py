"""A three-way merge of a form: as it was loaded, as it is stored now, as it was posted.

All three are texts as a browser posts them, by field. What only one side has changed is taken from
that side; what both have changed in different ways is a conflict, which the author decides.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# The posted texts of each field; without any, a box is not ticked or a field is empty.
Values = Mapping[str, tuple[str, ...]]
Prints = Mapping[str, str]

_PRINT_BYTES = 9
# Keys of what is stored of a row as it was typed (surveys/forms/sheets.py): the texts of one that
# is not right yet, and the versions of a field among which somebody has to choose.
TEXTS, OTHERS = "texts", "others"


def without_typed(typed: Mapping[str, Any] | None, *names: str) -> Mapping[str, Any] | None:
    """Return what was typed but in these fields, which another page has set."""
    if not typed or TEXTS not in typed:
        return typed
    texts = {name: value for name, value in typed[TEXTS].items() if name not in names}
    return {**typed, TEXTS: texts}


def is_unfinished(typed: Mapping[str, object] | None) -> bool:
    """Whether something of a row is not right yet, or has to be chosen."""
    return bool(typed) and not {TEXTS, OTHERS}.isdisjoint(typed or ())


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


def merge_fields(loaded: Prints, stored: Values, posted: Values) -> FieldMerge:
    result = FieldMerge()
    ours = {name for name in posted if _differs(loaded, name, posted[name])}
    theirs = [name for name in stored if name in loaded and _differs(loaded, name, stored[name])]
    for name in theirs:
        if name in posted and normal(posted[name]) != normal(stored[name]):
            (result.open if name in ours else result.taken).append(name)
    return result


def _differs(loaded: Prints, name: str, texts: Sequence[str]) -> bool:
    return loaded.get(name) != fingerprint(texts)
