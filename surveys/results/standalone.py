"""The summary: the results page as one file with its style, under a policy that allows no script
and no request.
"""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.safestring import mark_safe

STYLES = ("css/tokens.css", "css/base.css", "css/components.css", "css/results.css")


def summary_context() -> dict[str, Any]:
    style = "\n".join(map(_static, STYLES))
    return {
        "standalone": True,
        "style": mark_safe(_check_element(style, "style")),
        "policy": _policy(style),
    }


def _static(name: str) -> str:
    path = finders.find(name)
    if not isinstance(path, str):
        raise FileNotFoundError(f"Static file {name} is missing.")
    return Path(path).read_text(encoding="utf-8")


def _policy(style: str) -> str:
    return (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(_normalize(text).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _normalize(text: str) -> str:
    """The text with the line ends that a browser reads from a page, for the hash of a script."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check_element(text: str, tag: str) -> str:
    """The text; raises ValueError if it would end its own element."""
    if re.search(rf"</{tag}|<!--", text, re.IGNORECASE):
        raise ValueError(f"A text with </{tag}> or <!-- cannot stand inside <{tag}>.")
    return text
