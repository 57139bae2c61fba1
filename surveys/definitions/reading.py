"""A definition that somebody has written or changed, read with errors that name what is wrong."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from surveys.definitions.document import MOST_BYTES, Definition, definition_types
from surveys.exceptions import SurveyError

# The place that msgspec names at the end of a message: "Expected `int`, got `str` - at `$.a[0]`".
_PLACE = re.compile(r" - at `(?P<key>key in )?\$(?P<path>[^`]*)`$")


@dataclass(frozen=True, slots=True)
class Problem:
    """`place`: the key of the document, such as `questions[2].epsilon`; "" for all of it."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class BadDefinitionError(SurveyError):
    """A definition that is none, or of no survey that can be. `problems` says where and why."""

    code = "bad_definition"

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(" ".join(map(str, problems)))
        self.problems = problems


def read_definition(content: bytes) -> Definition:
    """Read a document; raises BadDefinitionError, with the first place that has another form."""
    if len(content) > MOST_BYTES:
        message = _("This file is larger than 2 MB; no definition is.")
        raise BadDefinitionError([Problem("", message)])
    try:
        definition = msgspec.json.decode(content, type=definition_types().definition)
    except msgspec.ValidationError as error:
        raise BadDefinitionError([_problem(str(error))]) from error
    except (msgspec.DecodeError, RecursionError) as error:
        message = _("This file is no JSON: %s") % error
        raise BadDefinitionError([Problem("", message)]) from error
    if problems := [*_unstorable(definition, "")]:
        raise BadDefinitionError(problems)
    return definition


def _unstorable(value: Any, place: str) -> Iterator[Problem]:
    """Yield the texts and numbers that no column takes, wherever they stand."""
    if isinstance(value, str) and "\0" in value:
        yield Problem(place, _("A text has no character NUL."))
    elif isinstance(value, Decimal) and not _is_storable(value):
        message = _("A number such as 0.5: at most 6 digits before the point and 12 after it.")
        yield Problem(place, message)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _unstorable(getattr(value, name), f"{place}.{name}".lstrip("."))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _unstorable(key, place)
            yield from _unstorable(each, f"{place}.{key}")
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _unstorable(each, f"{place}[{number}]")


def _is_storable(number: Decimal) -> bool:
    if not number.is_finite():
        return False
    _sign, digits, exponent = number.normalize().as_tuple()
    return isinstance(exponent, int) and exponent >= -12 and len(digits) + exponent <= 6


def definition_from(content: Any) -> Definition:
    """Return a definition from the plain JSON types in which a revision has it."""
    return msgspec.convert(content, definition_types().definition, strict=False)


def _problem(message: str) -> Problem:
    match = _PLACE.search(message)
    if match is None:
        return Problem("", message)
    return Problem(match["path"].lstrip("."), message[: match.start()])
