"""Bodies and addresses for every operation of the interface, made from its description."""

from typing import Any

from surveys.api.application import application
from surveys.api.openapi import openapi
from surveys.models import Survey


def example(schema: dict[str, Any], parts: dict[str, Any]) -> Any:
    """A value that a schema describes, with every property that it has."""
    if "$ref" in schema:
        return example(parts[schema["$ref"].rpartition("/")[2]], parts)
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return example(next(x for x in schema[choice] if x.get("type") != "null"), parts)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        named = {name: example(each, parts) for name, each in schema.get("properties", {}).items()}
        more = schema.get("additionalProperties")
        return named | ({"drug": example(more, parts)} if isinstance(more, dict) else {})
    if kind == "array":
        return [example(schema.get("items") or {}, parts)]
    numbers = {"integer": max(1, schema.get("minimum", 1)), "number": 1.5, "boolean": True}
    formats = {"date-time": "2030-01-01T00:00:00Z", "decimal": "1.5"}
    return numbers.get(str(kind), formats.get(schema.get("format", ""), "text"))


def operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """The method, the address and the description of every operation, by its id."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in openapi(application())["paths"].items()
        for method, operation in methods.items()
    }


def body_of(operation: dict[str, Any]) -> Any:
    """A body that fits the description of an operation; None where it takes none.

    Not of definitions, of which there are better ones.
    """
    content = operation.get("requestBody", {}).get("content", {})
    if not content or "Definition" in str(content):
        return None
    (described,) = content.values()
    return example(described["schema"], openapi(application())["components"]["schemas"])


def address(path: str, **values: Any) -> str:
    """An address with these values, and those that nobody has for all others."""
    names = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
    filled = path.format(**{name: values.get(name, 999_999) for name in names})
    return filled.removeprefix("/api/v1/")


def all_bodies(survey: Survey) -> dict[tuple[str, str], Any]:
    """An address of every operation that takes a body, and a body that fits its description."""
    values = {"survey_id": survey.pk, "question": "q1", "language": "he", "name": "summary.pdf"}
    bodies = {
        (method, address(path, **values)): body_of(operation)
        for method, path, operation in operations().values()
    }
    return {key: body for key, body in bodies.items() if body is not None}
