"""Checks of texts for readers."""

import functools
import re

from surveys.devices import FAMILIES
from surveys.devices.physical.registry import PHYSICAL_DEVICES, PHYSICAL_FAMILIES
from surveys.kinds import KINDS
from tests.german import english_in

# A missing value, or an unfilled placeholder.
_MISSING = re.compile(
    r"%\(\w+\)s|%[sd]\b|\bNone\b(?! of)|\bundefined\b|\bNaN\b|\bnan\b|“”|„“|\binf\b"
)


def problems_in(text: str, language: str, *, keys: bool = True) -> list[str]:
    """Unfilled placeholders, internal names, and English in German."""
    problems = _MISSING.findall(text) + ([] if text.strip() else ["no text"])
    if keys:
        problems += _any_of(_names()).findall(text)
    return problems + (english_in(text) if language == "de" else [])


def _names() -> tuple[str, ...]:
    """Names of devices and kinds, except names that are ordinary words."""
    registries = (FAMILIES, PHYSICAL_DEVICES, PHYSICAL_FAMILIES, KINDS)
    return tuple(name for names in registries for name in names if "_" in name)


@functools.cache
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w/.])(?:{'|'.join(names)})(?![\w/])")
