"""The scripts that a respondent's browser runs, and the hash of each as it is served."""

import functools
import hashlib
import posixpath
import re
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import HashedFilesMixin, staticfiles_storage
from django.http import HttpRequest
from django.urls import reverse

from surveys.views.catalog import catalog

SOURCE_LANGUAGE = "en"
ENTRY = "js/pages/respond.js"
_IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["'](\.{1,2}/[^"']+)["'];""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Script:
    """One script: its address here, and the SHA-256 of the bytes at that address."""

    name: str
    url: str
    digest: bytes

    @property
    def sha256(self) -> str:
        return self.digest.hex()

    @property
    def integrity(self) -> str:
        return "sha256-" + b64encode(self.digest).decode("ascii")


def respondent_scripts() -> tuple[Script, ...]:
    """The entry module, then everything that it imports, in a fixed order."""
    return _scripts_as_served() if settings.DEBUG else _cached_scripts()


def catalog_script(language: str) -> Script | None:
    """The translations of one language, at an address that changes with them; English has none."""
    if language == SOURCE_LANGUAGE:
        return None
    return _catalog_as_served(language) if settings.DEBUG else _cached_catalog(language)


def fingerprint(scripts: tuple[Script, ...]) -> str:
    """One hash for all: of the lines that `sha256sum` prints for the files, sorted by name."""
    lines = sorted(f"{script.sha256}  {script.name}\n" for script in scripts)
    lines.sort(key=lambda line: line[66:])
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _scripts_as_served() -> tuple[Script, ...]:
    return tuple(
        Script(name, staticfiles_storage.url(name), hashlib.sha256(_served(name)).digest())
        for name in [ENTRY, *sorted(_imported(ENTRY) - {ENTRY})]
    )


def _catalog_as_served(language: str) -> Script:
    request = HttpRequest()
    request.method = "GET"
    digest = hashlib.sha256(catalog(request, language).content).digest()
    url = reverse("javascript-catalog", args=[language])
    # Cached copies of an older catalogue must not meet the integrity of a newer one.
    return Script(f"jsi18n/{language}", f"{url}?v={digest.hex()[:12]}", digest)


_cached_scripts = functools.cache(_scripts_as_served)
_cached_catalog = functools.cache(_catalog_as_served)


def _imported(entry: str) -> set[str]:
    found, waiting = set(), [entry]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        folder = posixpath.dirname(name)
        paths = _IMPORT.findall(_source(name).decode())
        waiting += [posixpath.normpath(posixpath.join(folder, path)) for path in paths]
    return found


def _source(name: str) -> bytes:
    return Path(finders.find(name)).read_bytes()


def _served(name: str) -> bytes:
    if not isinstance(staticfiles_storage, HashedFilesMixin) or settings.DEBUG:
        return _source(name)
    # Hashed storage rewrites import statements, so the served bytes are not the source's.
    with staticfiles_storage.open(staticfiles_storage.stored_name(name)) as file:
        return file.read()
