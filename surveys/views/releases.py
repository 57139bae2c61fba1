"""The name of the release that a respondent's page runs, by the bytes that are served."""

import functools
import hashlib
from dataclasses import dataclass

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

from config.releases import (
    SIGNED,
    VERSION,
    is_signed,
    list_name,
    made,
    published,
    respondent_styles,
)
from surveys.features import FEATURES
from surveys.views.scripts import all_scripts, served_bytes


@dataclass(frozen=True, slots=True)
class Release:
    """`name`: that of the release, with `+changes` where a file is not the one that it lists.

    `listed`: the address of its list, and `signature` that of what signs it; empty where there is
    none.
    """

    name: str
    listed: str
    signature: str

    @property
    def is_changed(self) -> bool:
        return self.name != VERSION


def current_release() -> Release:
    return (_release if settings.DEBUG else _cached_release)(FEATURES.revision)


def made_files() -> dict[str, bytes]:
    """All files that respondents' pages load, as production stores them, made from the source."""
    return made([script.name for script in all_scripts()]) | made(respondent_styles())


def _served_files() -> dict[str, str]:
    """The SHA-256 of each of them as it is served here; development serves some with comments."""
    scripts = {script.name: script.sha256 for script in all_scripts()}
    styles = {name: hashlib.sha256(served_bytes(name)).hexdigest() for name in respondent_styles()}
    return scripts | styles


def _release(_revision: int) -> Release:
    listed = published()
    return Release(
        name=VERSION if listed == _served_files() else f"{VERSION}+changes",
        listed=staticfiles_storage.url(list_name()) if listed is not None else "",
        signature=staticfiles_storage.url(list_name() + SIGNED) if is_signed() else "",
    )


_cached_release = functools.lru_cache(maxsize=2)(_release)
