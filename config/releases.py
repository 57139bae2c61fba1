"""The version of this source, and the published list of the files that pages of its release load.

The list of a release is `static/releases/VERSION.scripts.json`, and what signs it lies beside it
(docs/releases/README.md): each site serves them as it serves its other static files.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import rfc8785
from django.conf import settings
from django.contrib.staticfiles import finders

from config.group_files import STYLES, grouped_files
from config.staticfiles import stripper
from rr_engine import __version__

VERSION = __version__
FORMAT = "candor-scripts/1"
SIGNED = ".minisig"
# Style sheets of respondents' pages, beside those of features.
_STYLES = (f"{STYLES}respond.css", "css/physical.css")
_OF_FEATURES = "css/features/*/*.css"


def list_name(version: str = VERSION) -> str:
    """The name of a release's list among the static files."""
    return f"releases/{version}.scripts.json"


def respondent_styles() -> tuple[str, ...]:
    """Those of respondents' pages: a style can hide a line, or lay one thing over another."""
    of_features = [
        path.relative_to(root).as_posix()
        for root in map(Path, settings.STATICFILES_DIRS)
        for path in sorted(root.glob(_OF_FEATURES))
    ]
    return (*_STYLES, *of_features)


def listing(files: Mapping[str, str], version: str = VERSION) -> bytes:
    """The list as it is published: canonical JSON, so that the same files give the same bytes."""
    return rfc8785.dumps({"format": FORMAT, "version": version, "files": {**files}})


def published(version: str = VERSION) -> dict[str, str] | None:
    """The SHA-256 of each file of a release by its name; None where no list of it is here."""
    path = finders.find(list_name(version))
    if path is None:
        return None
    document: dict[str, Any] = json.loads(Path(path).read_bytes())
    return dict(document["files"])


def is_signed(version: str = VERSION) -> bool:
    return finders.find(list_name(version) + SIGNED) is not None


def made(names: Iterable[str]) -> dict[str, bytes]:
    """Files as production stores them, made anew from the source; raises FileNotFoundError."""
    files = grouped_files()
    return {name: files[name].encode() if name in files else _stored(name) for name in names}


def hashes_of(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def _stored(name: str) -> bytes:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(f"{name} is missing.")
    text = Path(path).read_text(encoding="utf-8")
    strip = stripper(name)
    return (strip(text) if strip else text).encode()
