"""Groups of scripts and style sheets as files, made from the sources as they are on the disk."""

import atexit
import gettext
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage, Storage

from config.groups import SCRIPTS, Grouping
from config.staticfiles import without_comments

STYLES = "css/groups/"
# The language of the sources, whose files have no texts beside them.
SOURCE_LANGUAGE = "en"
# Name, path and time of files.
Stamps = tuple[tuple[str, str, int], ...]
# Style sheets under css/, in their order.
STYLE_GROUPS = {
    "site": ("tokens", "base", "components"),
    "respond": ("tokens", "base", "respond", "kinds", "joint", "closing", "features/*/page"),
}


def texts_file(language: str) -> str:
    """The name of the file with the texts of all scripts in a language."""
    return f"{SCRIPTS}{language}/catalogue.js"


def current_grouping() -> Grouping:
    """The groups of the scripts as they are on the disk now."""
    return _read_grouping(_stamps("js"))


def grouped_files() -> dict[str, str]:
    """The text of each file, by its name among the static files."""
    return _files(_stamps("js"), _stamps("css"), _catalogues())


def _kept(read: Callable[..., Stamps]) -> Callable[..., Stamps]:
    """Whoever develops sees each change at once; otherwise sources stay as they are."""
    once = cache(read)

    def reading(*arguments: Any) -> Stamps:
        return (read if settings.DEBUG else once)(*arguments)

    return reading


@_kept
def _sources_in(folder: str, roots: tuple[str, ...]) -> Stamps:
    found = {
        path.relative_to(root / folder).with_suffix("").as_posix(): path
        for root in map(Path, roots)
        for path in sorted((root / folder).rglob(f"*.{folder}"))
    }
    return tuple((name, str(path), path.stat().st_mtime_ns) for name, path in sorted(found.items()))


@_kept
def _catalogues_in(roots: tuple[str, ...]) -> Stamps:
    return tuple(
        (path.parts[-3], str(path), path.stat().st_mtime_ns)
        for root in map(Path, roots)
        for path in sorted(root.glob("*/LC_MESSAGES/*.mo"), key=lambda x: (x.stem == "djangojs", x))
        if path.stem != "django"
    )


def _stamps(folder: str) -> Stamps:
    """Name, path and time of each of our scripts, or style sheets."""
    return _sources_in(folder, tuple(map(str, settings.STATICFILES_DIRS)))


def _catalogues() -> Stamps:
    """Language, path and time of each catalogue of scripts, those of all pages last."""
    return _catalogues_in(tuple(map(str, settings.LOCALE_PATHS)))


def translated(language: str) -> dict[str, str]:
    """The texts of scripts in a language; none in that of the sources."""
    texts: dict[str, str] = {}
    if language == SOURCE_LANGUAGE:
        return texts
    for own, path, _time in _catalogues():
        if own == language:
            with Path(path).open("rb") as file:
                texts |= gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    return {text: told for text, told in texts.items() if text}


def _texts(stamps: Stamps) -> dict[str, str]:
    return {name: Path(path).read_text(encoding="utf-8") for name, path, _time in stamps}


@cache
def _read_grouping(stamps: Stamps) -> Grouping:
    return Grouping(_texts(stamps))


@cache
def _files(scripts: Stamps, styles: Stamps, _catalogues: Stamps) -> dict[str, str]:
    grouping = _read_grouping(scripts)
    files = {}
    for language, _name in settings.RESPONDENT_LANGUAGES:
        texts = translated(language)
        for name, group in grouping.groups.items():
            files[group.file(language)] = grouping.text(name, texts)
        files[texts_file(language)] = grouping.texts(texts)
    return files | {
        f"{STYLES}{name}.css": _style(parts, _texts(styles)) for name, parts in STYLE_GROUPS.items()
    }


def _style(parts: Iterable[str], sheets: Mapping[str, str]) -> str:
    """The sheets one after the other, without their comments."""
    names = [
        name
        for part in parts
        for name in (sorted(sheets) if "*" in part else [part])
        if "*" not in part or re.fullmatch(part.replace("*", r"\w+"), name)
    ]
    return "".join(without_comments(sheets[name]) for name in names)


class GroupFinder(BaseFinder):
    """Finds the groups for `collectstatic`, and for servers that serve what finders find."""

    def check(self, **kwargs: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        if path.startswith((SCRIPTS, STYLES)) and path in grouped_files():
            found = self._written().path(path)
            return [found] if find_all else found
        return []

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        storage = self._written()
        for name in grouped_files():
            yield name, storage

    def _written(self) -> FileSystemStorage:
        """A folder with all groups as they are now."""
        return _folder(_stamps("js"), _stamps("css"), _catalogues())


@cache
def _folder(scripts: Stamps, styles: Stamps, catalogues: Stamps) -> FileSystemStorage:
    """A storage whose folder is there until the process ends."""
    folder = tempfile.mkdtemp(prefix="candor-groups-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, text in _files(scripts, styles, catalogues).items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return FileSystemStorage(location=folder)
