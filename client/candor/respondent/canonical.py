"""The digest of a document (section 2 of the protocol)."""

from hashlib import sha256
from typing import Any

from candor.respondent.rules import require
from candor.respondent.values import Json

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n"}
ESCAPES |= {"\f": "\\f", "\r": "\\r"}


def canonical(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{"".join(map(_escape, value))}"'
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    require(isinstance(value, dict), "a value is no integer, string, boolean, null, list or object")
    return f"{{{','.join(f'{canonical(key)}:{canonical(value[key])}' for key in sorted(value))}}}"


def _escape(character: str) -> str:
    plain = f"\\u{ord(character):04x}" if character < " " else character
    return ESCAPES.get(character, plain)


def digest_of(document: Json) -> str:
    fields = {key: document[key] for key in document if key not in ("digest", "translations")}
    return f"sha256:{sha256(canonical(fields).encode('utf-8')).hexdigest()}"
