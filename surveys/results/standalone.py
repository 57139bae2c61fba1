"""The summary: the results page as one file with its style, library and figures, under a
policy that allows exactly these scripts and no requests.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.safestring import mark_safe

from surveys.results.figures.plotly_files import plotly_script

STYLES = ("css/tokens.css", "css/base.css", "css/components.css", "css/results.css")
# Joined into one module: the second script uses names of the first.
MODULE = ("js/results/draw.js", "js/results/summary.js")


def summary_context(figures: Mapping[str, Any]) -> dict[str, Any]:
    style = "\n".join(map(_static, STYLES))
    module = "\n".join(map(_static, MODULE))
    scripts = [plotly_script(), module] if figures else []
    return {
        "standalone": True,
        "figures": figures,
        "style": mark_safe(_check_element(style, "style")),
        "scripts": [mark_safe(_check_element(script, "script")) for script in scripts],
        "policy": _policy(style, scripts),
    }


def _static(name: str) -> str:
    path = finders.find(name)
    if not isinstance(path, str):
        raise FileNotFoundError(f"Static file {name} is missing.")
    return Path(path).read_text(encoding="utf-8")


def _policy(style: str, scripts: list[str]) -> str:
    hashes = " ".join(map(_hash, scripts)) or "'none'"
    return (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {hashes}; "
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
