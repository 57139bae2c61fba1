"""The app's typed documents as types of the interface: read, and described, by msgspec alone.

Ninja asks pydantic to read bodies and to describe types. `Bridge` answers it with the msgspec
type that the rest of the app has, so that no document is written down twice.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from django.http import HttpResponse
from django.utils.translation import gettext as _
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from surveys.api.problems import Broken, Problem, Refusal, shown_value
from surveys.results_document.kinds import MEANS, EitherMean

# The key of a schema that stands for a document until all are described together.
MARK = "x-candor-document"
MEDIA_TYPE = "application/json"
# The place that msgspec names at the end of a message: "Expected `int`, got `str` - at `$.a[0]`".
_PLACE = re.compile(r" - at `(?:key in )?\$(?P<path>[^`]*)`$")
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Bridge:
    """What pydantic asks of a type. `source`: a type, or what returns it: those of documents with
    parts of features are made as features are registered; or what returns a JSON Schema.

    `read`: reads a body, where the app has a reader of its own.
    """

    source: Any
    read: Callable[[bytes], Any] | None = None

    @property
    def of(self) -> Any:
        """The type, or the JSON Schema."""
        is_type = isinstance(self.source, type) or not callable(self.source)
        return self.source if is_type else self.source()

    def __get_pydantic_core_schema__(
        self, _source: Any, _handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.value)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {MARK: mark_of(self)}

    def value(self, body: bytes) -> Any:
        """The document in a body; raises Refusal with its place and the value there."""
        return self.read(body) if self.read else read_as(self.of, body)


# Every document that an operation has, in the order in which they were named.
_BRIDGES: list[Bridge] = []


def mark_of(bridge: Bridge) -> int:
    """The number by which a schema names a document."""
    if bridge not in _BRIDGES:
        _BRIDGES.append(bridge)
    return _BRIDGES.index(bridge)


def described(ref_template: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The schema of every document by its number, and the parts that these refer to by name."""
    sources = [bridge.of for bridge in _BRIDGES]
    types = [source for source in sources if not isinstance(source, dict)]
    means = [{"$ref": ref_template.format(name=mean.__name__)} for mean in MEANS]

    def hook(wanted: type) -> dict[str, Any]:
        if wanted is not EitherMean:
            raise TypeError(f"no schema of {wanted} is known")
        return {"anyOf": means}

    of_types, parts = msgspec.json.schema_components(
        [*types, Problem, *MEANS], schema_hook=hook, ref_template=ref_template
    )
    schemas, typed = [], iter(of_types)
    for source in sources:
        if isinstance(source, dict):
            schema, own = _moved(source, ref_template)
            parts |= own
            schemas.append(schema)
        else:
            schemas.append(next(typed))
    return schemas, parts


def _moved(schema: dict[str, Any], ref_template: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A schema that was written as a document of its own, and its parts under names of theirs."""

    def moved(value: Any) -> Any:
        if isinstance(value, list):
            return [*map(moved, value)]
        if not isinstance(value, dict):
            return value
        at = value.get("$ref")
        if isinstance(at, str):
            name = "Frozen" + at.removeprefix("#/$defs/")
            return {**value, "$ref": ref_template.format(name=name)}
        return {key: moved(each) for key, each in value.items()}

    own = {f"Frozen{name}": moved(part) for name, part in schema["$defs"].items()}
    return {"$ref": moved({"$ref": schema["$ref"]})["$ref"]}, own


def document(source: Any) -> Any:
    """The type of an answer for Ninja."""
    return Annotated[Any, Bridge(source)]


def read_as(of: Any, body: bytes) -> Any:
    """Read a body as a type; raises Refusal that names place, value and rule."""
    try:
        return msgspec.json.decode(body, type=of)
    except msgspec.ValidationError as error:
        raise Refusal(
            422, "invalid", _("The body breaks a rule."), errors=[_broken(str(error), body)]
        ) from error
    except (msgspec.DecodeError, RecursionError) as error:
        words = _("The body is no JSON: %s") % error
        raise Refusal(400, "not_json", words) from error


def _broken(message: str, body: bytes) -> Broken:
    match = _PLACE.search(message)
    if match is None:
        return Broken(field="", rule=message)
    path = match["path"].lstrip(".")
    return Broken(field=path, value=shown_value(_at(body, path)), rule=message[: match.start()])


def _at(body: bytes, path: str) -> Any:
    value = msgspec.json.decode(body)
    for name, number in _STEP.findall(path):
        try:
            value = value[int(number)] if number else value[name]
        except (LookupError, TypeError):
            return None
    return value


def answer(
    content: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """An answer with a document, or with JSON that is written already."""
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    return HttpResponse(body, status=status, content_type=MEDIA_TYPE, headers=dict(headers or {}))


def no_content() -> HttpResponse:
    return HttpResponse(status=204)
