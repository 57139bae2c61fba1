"""The German of the site as tests see it: a survey in German, and English that must not show."""

import functools
import re
from decimal import Decimal

import polib

from scripts import messages

# Shorter texts are found inside of German ones: "Name", "Start".
LONG = 12
_WORD = re.compile(r"\w+")
_MARK = re.compile(r"%(?:\(\w+\))?[sd]|<[^>]*>|\{\w*\}")

SURVEY = {
    "title": "Gesundheit bei der Arbeit",
    "introduction": "Eine kurze Umfrage.",
    "consent": "Die Teilnahme ist freiwillig.",
    "contact": "umfrage@example.org",
    "language": "de",
    "budget": Decimal("6"),
    "questions": [
        {"text": "Haben Sie gefehlt?", "epsilon": Decimal("1.1"), "prefer_not": True},
        {
            "text": "Wie war der Tag?",
            "kind": "single_choice",
            "options": ["Gut", "Schlecht", "Weder gut noch schlecht"],
            "epsilon": Decimal("1.5"),
        },
        {"text": "Leiten Sie andere an?", "randomized": False, "required": False},
    ],
}


def english_in(text: str) -> list[str]:
    """The English texts of the catalogues that can be read in `text`, in whole or in part."""
    line = " ".join(text.split())
    words = {"", *_WORD.findall(line)}
    return [part for part, word in _english_parts() if word in words and part in line]


@functools.cache
def _english_parts() -> list[tuple[str, str]]:
    """Each with its longest word that stands between two others, if any, which is found sooner."""
    parts = set()
    for path in messages.catalogues():
        for entry in polib.pofile(str(path)):
            for text in (entry.msgid, entry.msgid_plural):
                pieces = _MARK.split(text.replace("%%", "%"))
                parts |= {piece.strip() for piece in pieces if len(piece.strip()) > LONG}
    return [(part, max(_WORD.findall(part)[1:-1], key=len, default="")) for part in sorted(parts)]
