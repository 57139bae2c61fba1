"""A definition that somebody has written or changed, read with errors that name what is wrong."""

import re
from dataclasses import dataclass
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
        return msgspec.json.decode(content, type=definition_types().definition)
    except msgspec.ValidationError as error:
        raise BadDefinitionError([_problem(str(error))]) from error
    except (msgspec.DecodeError, RecursionError) as error:
        message = _("This file is no JSON: %s") % error
        raise BadDefinitionError([Problem("", message)]) from error


def definition_from(content: Any) -> Definition:
    """Return a definition from the plain JSON types in which a revision has it."""
    return msgspec.convert(content, definition_types().definition, strict=False)


def _problem(message: str) -> Problem:
    match = _PLACE.search(message)
    if match is None:
        return Problem("", message)
    return Problem(match["path"].lstrip("."), message[: match.start()])
