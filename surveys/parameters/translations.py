"""The texts of a document that respondents read, and the same document in another language.

Which texts these are the types of the document say (`Told` in surveys/parameters/types.py), those
of features like all others. A path names each: the keys that lead to it, and in a list the id of
the part, or its place from 0 on where parts have none (`questions.drug.categories.1`).
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from surveys.features import FEATURES
from surveys.parameters.document import Parameters, document_types
from surveys.parameters.reading import Texts, read, to_json


def texts_by_path(parameters: Parameters) -> dict[str, str]:
    """Return the texts of a document that respondents read, without empty ones, in its order."""
    root, parts = _schema(FEATURES.revision)
    return {path: text for path, text in _texts(to_json(parameters), root, parts, ()) if text}


def in_language(parameters: Parameters, language: str, texts: Texts) -> Parameters:
    """Return a document with some of its texts in another language.

    It is for pages alone: no digest names it. Raises KeyError for a path that leads nowhere, and
    ParametersError for texts that it cannot have.
    """
    plain = to_json(parameters) | {"language": language}
    for path, text in texts.items():
        *keys, last = path.split(".")
        part: Any = plain
        for key in keys:
            part = part[_place(part, key)]
        place = _place(part, last)
        if not isinstance(part[place], str):
            raise KeyError(path)
        part[place] = text
    return read(plain)


def missing_of(parameters: Parameters, texts: Texts) -> list[str]:
    """Return the paths of a document that have no text in a language, in its order."""
    return [path for path in texts_by_path(parameters) if not texts.get(path)]


@lru_cache(maxsize=8)
def _schema(_revision: int) -> tuple[Any, dict[str, Any]]:
    """The schema of the whole document, and those of its parts by their references."""
    template = "#/{name}"
    types = [document_types().parameters]
    (root,), parts = msgspec.json.schema_components(types, ref_template=template)
    return root, {template.format(name=name): part for name, part in parts.items()}


def _texts(
    value: Any, schema: Mapping[str, Any], parts: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    schema = parts.get(schema.get("$ref", ""), schema)
    for each in schema.get("anyOf", ()):
        yield from _texts(value, each, parts, path)
    if isinstance(value, str):
        if schema.get("translatable"):
            yield ".".join(path), value
    elif isinstance(value, dict):
        for key, of in schema.get("properties", {}).items():
            if key in value:
                yield from _texts(value[key], of, parts, (*path, key))
    elif isinstance(value, list):
        of = schema.get("items") or {}
        for place, item in enumerate(value):
            name = item.get("id", str(place)) if isinstance(item, dict) else str(place)
            yield from _texts(item, of, parts, (*path, name))


def _place(part: Any, key: str) -> Any:
    if not isinstance(part, list):
        return key
    ids = [item.get("id") if isinstance(item, dict) else None for item in part]
    if key in ids:
        return ids.index(key)
    if key.isdecimal() and int(key) < len(part):
        return int(key)
    raise KeyError(key)
