"""The scripts that a respondent's browser runs, and the hashes of their served bytes."""

import functools
import hashlib
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import HashedFilesMixin, staticfiles_storage
from django.http import HttpRequest
from django.urls import reverse

from config.group_files import SOURCE_LANGUAGE, current_grouping, texts_file
from config.groups import ASKED, DOOR, PAGE, RULES, Grouping
from surveys.features import FEATURES, used_features
from surveys.parameters import Parameters
from surveys.views.catalog import catalog
from surveys.views.parts import Parts

# Modules in these folders check the parameters before anything is asked, as rules of features do.
_CHECKS = ("rr/", "lib/")
_FEATURES = "features/"
_ASKING = "ui/asking"


@dataclass(frozen=True, slots=True)
class Script:
    """One script: its address here, and the SHA-256 of the bytes at that address.

    `group`: that of a file of modules, which `modules` names; `needs`: groups to load beside it.
    """

    name: str
    url: str
    digest: bytes
    group: str = ""
    needs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        return self.digest.hex()

    @property
    def integrity(self) -> str:
        return "sha256-" + b64encode(self.digest).decode("ascii")

    @property
    def of_features(self) -> tuple[str, ...]:
        """The modules that a page looks for by the name of a feature."""
        roles = (RULES, DOOR, ASKED)
        parts = (x.rpartition("/") for x in self.modules if x.startswith(_FEATURES))
        return tuple("".join(each) for each in parts if each[-1] in roles)


@dataclass(frozen=True, slots=True)
class Loading:
    """Scripts `first` until somebody can agree to take part, `soon` until the first question, and
    `later` where something comes up.
    """

    first: list[Script]
    soon: list[Script]
    later: list[Script]


def respondent_scripts(language: str = SOURCE_LANGUAGE) -> tuple[Script, ...]:
    """The groups of modules, the one that starts the page before all others, and then what features
    run beside it.
    """
    serve = _served_scripts if settings.DEBUG else _cached_scripts
    return serve(language, FEATURES.revision)


def all_scripts() -> tuple[Script, ...]:
    """Those of every language, each once."""
    languages = [language for language, _ in settings.RESPONDENT_LANGUAGES]
    return tuple(
        dict.fromkeys(script for language in languages for script in respondent_scripts(language))
    )


def catalog_script(language: str) -> Script | None:
    """The translations of one language, at an address that changes with them; English has none."""
    if language == SOURCE_LANGUAGE:
        return None
    return (_served_catalog if settings.DEBUG else _cached_catalog)(language)


def language_texts(language: str) -> Script:
    """The file with the texts of all scripts in a language, for pages that change theirs."""
    name = texts_file(language)
    return next(script for script in respondent_scripts(language) if script.name == name)


def loading_of(parts: Parts, language: str) -> Loading:
    """When a page loads which groups."""
    scripts = {script.group: script for script in respondent_scripts(language) if script.group}
    first, soon, later = {PAGE}, set[str](), set[str]()
    for module, part in _entries().items():
        groups = _grouping().closure(_grouping().group_of[module])
        if part in parts.needed and _is_check(module):
            first |= groups
        elif part in parts.after:
            later |= groups
        elif part in parts.needed or module == _ASKING:
            soon |= groups
        elif part not in parts.unused:
            later |= groups
    times = (first, soon - first, later - soon - first)
    return Loading(*([scripts[group] for group in scripts if group in names] for names in times))


def scripts_beside(parameters: Parameters) -> list[Script]:
    """The scripts that features in use run by themselves."""
    names = {
        f"js/{_FEATURES}{feature.name}/{name}.js"
        for feature in used_features(parameters)
        for name in feature.page.scripts
    }
    return [script for script in respondent_scripts() if script.name in names]


def fingerprint(scripts: tuple[Script, ...]) -> str:
    """One hash of all scripts: that of the lines of `sha256sum` for the files, sorted by name."""
    lines = sorted(f"{script.sha256}  {script.name}\n" for script in scripts)
    lines.sort(key=lambda line: line[66:])
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _served_scripts(language: str, _revision: int) -> tuple[Script, ...]:
    grouping = _grouping()
    return (
        *(
            _script(group.file(language), group.name, group.needs, group.modules)
            for group in grouping.groups.values()
        ),
        _script(texts_file(language)),
        *(
            _script(f"js/{_FEATURES}{feature.name}/{name}.js")
            for feature in FEATURES.values()
            for name in feature.page.scripts
        ),
    )


def _script(name: str, *grouped: Any) -> Script:
    return Script(name, staticfiles_storage.url(name), _digest(served_bytes(name)), *grouped)


def _grouping() -> Grouping:
    return current_grouping() if settings.DEBUG else _cached_grouping(FEATURES.revision)


def _entries() -> dict[str, str]:
    """The modules that a page loads later, each with the name of its part (see parts.py)."""
    return {
        module: module.split("/")[1] if module in _of_features() else PurePosixPath(module).name
        for module in _grouping().entries
    }


def _of_features() -> set[str]:
    roles = (RULES, DOOR, ASKED)
    return {f"{_FEATURES}{name}/{role}" for name in FEATURES for role in roles}


def _is_check(module: str) -> bool:
    return module.startswith(_CHECKS) or module.endswith((f"/{RULES}", f"/{DOOR}"))


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _served_catalog(language: str) -> Script:
    request = HttpRequest()
    request.method = "GET"
    digest = _digest(catalog(request, language).content)
    url = reverse("javascript-catalog", args=[language])
    # Cached copies of an older catalogue must not be checked against the hash of a newer one.
    return Script(f"jsi18n/{language}", f"{url}?v={digest.hex()[:12]}", digest)


# The scripts stay the same for as long as no feature is added.
_cached_scripts = functools.lru_cache(maxsize=8)(_served_scripts)


@functools.lru_cache(maxsize=2)
def _cached_grouping(_revision: int) -> Grouping:
    return current_grouping()


_cached_catalog = functools.cache(_served_catalog)


def _source(name: str) -> bytes:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(f"Script {name} is missing.")
    return Path(path).read_bytes()


def served_bytes(name: str) -> bytes:
    """What is served of a static file."""
    if not isinstance(staticfiles_storage, HashedFilesMixin) or settings.DEBUG:
        return _source(name)
    # Hashed storage rewrites import statements, so the served bytes are not the source's.
    with staticfiles_storage.open(staticfiles_storage.stored_name(name)) as file:
        return file.read()
