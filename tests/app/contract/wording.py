"""What must not be read in a text that people read."""

import re

from surveys.devices import FAMILIES
from surveys.devices.physical.registry import PHYSICAL_DEVICES, PHYSICAL_FAMILIES
from surveys.kinds import KINDS
from tests.german import english_in

# A value that is missing, or a place in a text that nothing was put into.
_MISSING = re.compile(
    r"%\(\w+\)s|%[sd]\b|\bNone\b(?! of)|\bundefined\b|\bNaN\b|\bnan\b|“”|„“|\binf\b"
)


def problems_in(text: str, language: str, *, keys: bool = True) -> list[str]:
    """Places left empty, names that only programs know, and English in German."""
    problems = _MISSING.findall(text) + ([] if text.strip() else ["no text"])
    if keys:
        problems += [name for name in _names() if re.search(rf"(?<![\w/.]){name}(?![\w/])", text)]
    return problems + (english_in(text) if language == "de" else [])


def _names() -> list[str]:
    """Of devices and kinds; a name of one word may be an ordinary word of a sentence."""
    registries = (FAMILIES, PHYSICAL_DEVICES, PHYSICAL_FAMILIES, KINDS)
    return [name for names in registries for name in names if "_" in name]
