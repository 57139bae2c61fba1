"""The German of the site as tests see it: a survey in German, and English that must not show."""

import functools
import re
from decimal import Decimal

import polib

from scripts import messages

# Shorter texts are found inside of German ones: "Name", "Start".
LONG = 12
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
    words = " ".join(text.split())
    return [part for part in _english_parts() if part in words]


@functools.cache
def _english_parts() -> list[str]:
    parts = set()
    for path in messages.catalogues():
        for entry in polib.pofile(str(path)):
            for text in (entry.msgid, entry.msgid_plural):
                pieces = _MARK.split(text.replace("%%", "%"))
                parts |= {piece.strip() for piece in pieces if len(piece.strip()) > LONG}
    return sorted(parts)
