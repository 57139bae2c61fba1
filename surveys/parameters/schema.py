"""The JSON Schema of the document as it is served, made from the types.

`make generated` writes it to docs/parameters.schema.json, for those who write a client. It says the
form of every field; docs/protocol.md has the rules beyond that.
"""

import json
import os
import sys
from typing import Any

import django
import msgspec

from surveys.parameters.document import document_types


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12, with the keys that stand outside the digest."""
    (reference,), parts = msgspec.json.schema_components(
        [document_types().parameters], ref_template="#/$defs/{name}"
    )
    root = parts["Parameters"]
    root["properties"] |= {
        "digest": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
        "translations": {"type": "object"},
    }
    root["required"] = [*root["required"], "digest"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Candor: the frozen parameters of a survey",
        **reference,
        "$defs": parts,
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.write(json.dumps(schema(), indent=2) + "\n")
