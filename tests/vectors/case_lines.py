"""Files of shared vectors: JSON with one case a line, so that a change shows what it is about."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def read_vectors(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def write(name: str, vectors: dict[str, Any]) -> None:
    (FOLDER / name).write_text(_text_of(vectors), encoding="ascii")


def _text_of(vectors: dict[str, Any]) -> str:
    parts = ",\n".join(f"{json.dumps(name)}: {_part(value)}" for name, value in vectors.items())
    return f"{{\n{parts}\n}}\n"


def _part(value: Any) -> str:
    """A list or an object in which each case has its line."""
    if isinstance(value, dict):
        lines = [f"{json.dumps(name)}: {json.dumps(case)}" for name, case in value.items()]
        return "{\n" + ",\n".join(lines) + "\n}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]"
    return json.dumps(value)
