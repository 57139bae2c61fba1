"""The JSON Schemas in docs/, made from the types: `make generated` writes them."""

import json
import sys
from pathlib import Path

import django

DOCS = Path(__file__).parents[2] / "docs"


def schemas() -> dict[Path, str]:
    """Return the text of each file; models are imported once Django has been set up."""
    from surveys.api.application import application
    from surveys.api.openapi import openapi
    from surveys.definitions.document import definition_schema
    from surveys.parameters.schema import schema

    made = {
        "parameters.schema.json": schema(),
        "definition.schema.json": definition_schema(),
        "openapi.json": openapi(application()),
    }
    return {DOCS / name: json.dumps(each, indent=2) + "\n" for name, each in made.items()}


def main() -> int:
    django.setup()
    for path, text in schemas().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
