"""The scripts that a respondent's browser runs, and the hashes of their served bytes."""

import functools
import hashlib
import posixpath
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import HashedFilesMixin, staticfiles_storage
from django.http import HttpRequest
from django.urls import reverse

from surveys.features import FEATURES
from surveys.views.catalog import SCRIPTS, catalog
from surveys.views.parts import Parts

SOURCE_LANGUAGE = "en"
ENTRY = "js/pages/respond.js"
# Each feature has a folder here with the checks of its section, and its part of the page.
FEATURE_FOLDER = "js/features/"
# A module named by import() is loaded later as a part; comments may name types in the same way.
_LATE = re.compile(r"""(?<!\{)\bimport\(["'](\.{1,2}/[^"']+)["']\)""")
_IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["'](\.{1,2}/[^"']+)["'];""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Script:
    """One script: its address here, and the SHA-256 of the bytes at that address.

    `parts`: the names of the parts it belongs to; none if it is loaded with the page.
    """

    name: str
    url: str
    digest: bytes
    parts: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The name of the module of a feature; empty for all others."""
        name = self.name.removeprefix(FEATURE_FOLDER).removesuffix(".js")
        return name if self.name.startswith(FEATURE_FOLDER) else ""

    @property
    def sha256(self) -> str:
        return self.digest.hex()

    @property
    def integrity(self) -> str:
        return "sha256-" + b64encode(self.digest).decode("ascii")


def respondent_scripts() -> tuple[Script, ...]:
    """The entry module, its imports, then the modules loaded later, in a fixed order."""
    return _served_scripts() if settings.DEBUG else _cached_scripts(FEATURES.revision)


def catalog_script(language: str) -> Script | None:
    """The translations of one language, at an address that changes with them; English has none."""
    return next(iter(catalog_scripts(language)), None)


def catalog_scripts(language: str, further: Iterable[str] = ()) -> list[Script]:
    """Return the catalogue and those of `further` domains that a page needs; none in English."""
    if language == SOURCE_LANGUAGE:
        return []
    serve = _served_catalog if settings.DEBUG else _cached_catalog
    return [serve(language, domain) for domain in (SCRIPTS, *further)]


def scripts_by_time(scripts: tuple[Script, ...], parts: Parts) -> tuple[list[Script], list[Script]]:
    """The scripts loaded with a page after its entry module, and those it may load later."""
    named_scripts = [(script, set(script.parts)) for script in scripts[1:]]
    at_once = [script for script, names in named_scripts if not names or names & parts.needed]
    later = [
        script for script, names in named_scripts if script not in at_once and names - parts.unused
    ]
    return at_once, later


def fingerprint(scripts: tuple[Script, ...]) -> str:
    """One hash of all scripts: that of the lines of `sha256sum` for the files, sorted by name."""
    lines = sorted(f"{script.sha256}  {script.name}\n" for script in scripts)
    lines.sort(key=lambda line: line[66:])
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _served_scripts() -> tuple[Script, ...]:
    at_once = _imported_names(ENTRY)
    of_features = {name for _, entry in _feature_entries() for name in _imported_names(entry)}
    parts: dict[str, set[str]] = {name: set() for name in [ENTRY, *sorted(at_once - {ENTRY})]}
    for entry in sorted(_late_entries(at_once | of_features)):
        for name in sorted(_imported_names(entry) - at_once):
            parts.setdefault(name, set()).add(PurePosixPath(entry).stem)
    for feature, entry in _feature_entries():
        for name in sorted(_imported_names(entry) - at_once):
            parts.setdefault(name, set()).add(feature)
    return tuple(
        Script(
            name,
            staticfiles_storage.url(name),
            _digest(_served_bytes(name)),
            tuple(sorted(entries)),
        )
        for name, entries in parts.items()
    )


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _served_catalog(language: str, domain: str) -> Script:
    request = HttpRequest()
    request.method = "GET"
    digest = _digest(catalog(request, language, domain).content)
    if domain == SCRIPTS:
        name, url = f"jsi18n/{language}", reverse("javascript-catalog", args=[language])
    else:
        name = f"jsi18n/{language}/{domain}"
        url = reverse("further-catalog", args=[language, domain])
    # Cached copies of an older catalogue must not be checked against the hash of a newer one.
    return Script(name, f"{url}?v={digest.hex()[:12]}", digest)


@functools.lru_cache(maxsize=2)
def _cached_scripts(_revision: int) -> tuple[Script, ...]:
    """Return the scripts, which stay the same for as long as no feature is added."""
    return _served_scripts()


_cached_catalog = functools.cache(_served_catalog)


def _imported_names(entry: str) -> set[str]:
    names, queue = set(), [entry]
    while queue:
        name = queue.pop()
        if name in names:
            continue
        names.add(name)
        queue += _paths(_IMPORT, name)
    return names


def _late_entries(names: set[str]) -> set[str]:
    """Return the modules that these load later, and those that they load later still."""
    entries, queue = set[str](), [*names]
    while queue:
        found = set(_paths(_LATE, queue.pop())) - entries
        entries |= found
        queue += {name for entry in found for name in _imported_names(entry)}
    return entries


def _feature_entries() -> Iterator[tuple[str, str]]:
    """The modules of features that the page may load, each with the feature's name."""
    for feature in FEATURES:
        for role in ("rules", "page"):
            entry = f"{FEATURE_FOLDER}{feature}/{role}.js"
            if finders.find(entry):
                yield feature, entry


def _paths(pattern: re.Pattern[str], name: str) -> list[str]:
    """The scripts that one script imports."""
    paths = pattern.findall(_source(name).decode())
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in paths]


def _source(name: str) -> bytes:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(f"Script {name} is missing.")
    return Path(path).read_bytes()


def _served_bytes(name: str) -> bytes:
    if not isinstance(staticfiles_storage, HashedFilesMixin) or settings.DEBUG:
        return _source(name)
    # Hashed storage rewrites import statements, so the served bytes are not the source's.
    with staticfiles_storage.open(staticfiles_storage.stored_name(name)) as file:
        return file.read()
