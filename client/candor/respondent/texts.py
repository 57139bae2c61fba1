"""Short texts: what is drawn of them."""

import itertools
import re
import unicodedata
from hashlib import sha256
from typing import Any

from candor.respondent.chance import noisy_bits, uniform_below
from candor.respondent.rules import require
from candor.respondent.values import Json, RandomBytes

# The signs of section 4: what a text loses, and what becomes another sign, in this order.
INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff\ufe0e\ufe0f]")

FOLDED = (
    ("\u03c2", "\u03c3"),
    ("\u00df", "ss"),
    (("i\u0307",), "i"),
    ("\u2018\u2019\u02bc", "'"),
    ("\u201c\u201d\u201e", '"'),
    ("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
)

SPACES = re.compile(
    "[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
)


def draw_text(table: Json, text: str, random_bytes: RandomBytes) -> list[Any]:
    """A cohort, and the noisy filter of a normalized text in it."""
    cohort = uniform_below(table["cohorts"], random_bytes)
    positions = positions_of(text, cohort, table["bits"], table["hashes"])
    is_set = [bit in positions for bit in range(table["bits"])]
    return [cohort, noisy_bits(table, is_set, random_bytes)]


def positions_of(text: str, cohort: int, bits: int, hashes: int) -> list[int]:
    positions: list[int] = []
    for block in itertools.count():
        digest = sha256(f"candor bloom {cohort} {block} {text}".encode()).digest()
        for start in range(0, len(digest), 4):
            position = int.from_bytes(digest[start : start + 4], "big") % bits
            if position not in positions:
                positions.append(position)
            if len(positions) == hashes:
                return positions
    raise AssertionError


def normalize(typed: str) -> str:
    """The one form of a text; empty if nothing is left of it."""
    text = re.sub("[\ud800-\udfff]", "\ufffd", typed)
    text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text).lower())
    for letters, replacement in FOLDED:
        for letter in letters:
            text = text.replace(letter, replacement)
    return SPACES.sub(" ", unicodedata.normalize("NFKC", text)).strip(" ")


def text_of(question: Json, typed: str | None) -> str:
    """Return what a text question hashes: a text that may be typed, or nothing for None."""
    if typed is None:
        require(question["prefer_not"], "a refusal is one of the answers")
        return ""
    text = normalize(typed)
    require(0 < len(text) <= question["characters"], "a text has some characters, and not too many")
    return text
