"""What is changed in a valid document to break a rule, and how it is refused.

A path leads to what is changed, in the words in which a refusal names it: `questions.0.scale.unit`.
"""

import copy
from collections.abc import Callable, Mapping
from typing import Any

Json = dict[str, Any]
Change = Callable[[Json], object]
# A change, the code of the rule that it breaks, and the field at which it is refused.
Breach = tuple[Change, str, str]

GONE = object()


def put(document: Json, path: str, value: Any) -> None:
    """Put a value where a path leads, or one more at the end of a list; or take it away.

    A function makes the value of what stands there.
    """
    *parents, last = (int(key) if key.isdigit() else key for key in path.split("."))
    place: Any = document
    for key in parents:
        # Documents share their parts.
        place[key] = copy.copy(place[key])
        place = place[key]
    if value is GONE:
        del place[last]
    elif isinstance(last, int) and last == len(place):
        place.append(value)
    else:
        place[last] = value(place[last]) if callable(value) else value


def but(**values: Any) -> Callable[[Json], Json]:
    """Return what stands there, with other values."""
    return lambda there: there | values


def at(path: str, value: Any, code: str, told: str = "") -> Breach:
    """Return the breach of a rule by one value, told at its path or where else that says.

    A dot before `told` leads on from the path.
    """
    return at_once({path: value}, code, path + told if told[:1] in ("", ".") else told)


def at_once(values: Mapping[str, Any], code: str, told: str) -> Breach:
    """Return the breach of a rule by several values together."""

    def change(document: Json) -> None:
        for path, value in values.items():
            put(document, path, value)

    return change, code, told
