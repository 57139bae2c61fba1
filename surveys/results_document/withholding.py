"""The one rule of what is shown of too few people: how many they are, and what is `Told` anyway.

It goes by the types of the document: whoever adds a field that rests on answers need not think of
this, and whoever marks one as told says that no answer has a part in it.
"""

from functools import lru_cache
from typing import Any, ClassVar, Protocol, TypeVar, get_type_hints

from surveys.results_document.parts import TOLD, Part


class Counted(Protocol):
    """A part about `n` people, besides whom there are `suppressed` ones.

    `few`: the code of the note where they are too few.
    """

    few: ClassVar[str]

    @property
    def n(self) -> int: ...

    @property
    def suppressed(self) -> int: ...


CountedPart = TypeVar("CountedPart", bound=Counted)


def above_threshold(part: CountedPart, threshold: int) -> CountedPart:
    """Return a part as it may be shown: whole, or of too few people what is told of them."""
    if not 0 < part.n < threshold:
        return part
    counts = {"n": 0, "suppressed": part.n + part.suppressed, "notes": (part.few,)}
    return type(part)(**_told(part), **counts)


def _told(part: object) -> dict[str, object]:
    kind: Any = type(part)
    return {name: _stripped(getattr(part, name)) for name in _told_fields(kind)}


def _stripped(value: object) -> object:
    """Return what is told of a value: of parts in it, again what is told of them."""
    if isinstance(value, tuple):
        return tuple(map(_stripped, value))
    return type(value)(**_told(value)) if isinstance(value, Part) else value


@lru_cache(maxsize=64)
def _told_fields(kind: Any) -> tuple[str, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(name for name, hint in hints.items() if TOLD in getattr(hint, "__metadata__", ()))
