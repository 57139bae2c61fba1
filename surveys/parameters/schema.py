"""The JSON Schema of the document as it is served, made from the types.

`make generated` writes it to docs/parameters.schema.json, for those who write a client. It says the
form of every field; docs/protocol.md has the rules beyond that.
"""

from typing import Any

import msgspec

from surveys.parameters.document import document_types


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12, with the keys that stand outside the digest."""
    made = schema_of(document_types().parameters, "Candor: the frozen parameters of a survey")
    root = made["$defs"]["Parameters"]
    root["properties"] |= {
        "digest": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
        "translations": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    "texts": {"type": "object", "additionalProperties": {"type": "string"}},
                    "digest": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
                },
                "required": ["texts", "digest"],
                "additionalProperties": False,
            },
        },
    }
    root["required"] = [*root["required"], "digest"]
    return made


def schema_of(document: type[msgspec.Struct], title: str) -> dict[str, Any]:
    """JSON Schema 2020-12 of a type of documents and of its parts."""
    (reference,), parts = msgspec.json.schema_components([document], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **reference,
        "$defs": parts,
    }
