"""The text that a digest covers."""

import hashlib
from collections.abc import Mapping
from typing import Any

import rfc8785

OUTSIDE_DIGEST = frozenset({"digest", "translations"})


def canonical_json(document: Any) -> bytes:
    """RFC 8785. Numbers must be integers below 2**53; anything fractional is a decimal string."""
    return rfc8785.dumps(document)


def digest_of_json(document: Mapping[str, Any]) -> str:
    """Return the digest of a document as plain JSON.

    It covers all of the document but the digest itself and the translations.
    """
    fields = {key: value for key, value in document.items() if key not in OUTSIDE_DIGEST}
    return "sha256:" + hashlib.sha256(canonical_json(fields)).hexdigest()
