"""Telephone numbers and addresses in a text of helplines, as links."""

import re

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

# Numbers of few digits that are called in many countries; all other short ones may be anything.
SHORT_NUMBERS = frozenset({"000", "110", "111", "112", "911", "988", "999"})
FEWEST_DIGITS, MOST_DIGITS = 6, 15
_YEARS = re.compile(r"(19|20)\d\d\D+(19|20)\d\d")
_ADDRESS = r"(?P<address>https://[^\s<>\"“”„«»]+)"
# A number is no part of a word, of another address, of a time, or of a number with a fraction.
# Only the code of a country or of a place may stand in brackets.
_PLACE = r"(?:\+\d{1,3}[ \u00a0]?)?(?:\(\d{1,5}\)[ \u00a0]?)?"
_BEFORE, _AFTER = r"(?<![\w@/.,:+-])", r"(?![\w@]|[.,:]\d)"
_NUMBER = rf"(?P<number>{_BEFORE}{_PLACE}\d(?:[\d \u00a0/-]*\d)?{_AFTER})"
_LINKED = re.compile(f"{_ADDRESS}|{_NUMBER}")
_AT_END = ".,;:!?)]}’'\""
_ALL_DAY = re.compile(r"[ \u00a0]24/7$")


def linked(text: str) -> SafeString:
    """Return a plain text as HTML, with links to telephones and to addresses with https alone."""
    parts: list[str] = []
    end = 0
    for match in _LINKED.finditer(text):
        is_number = match["number"] is not None
        found = _ALL_DAY.sub("", match[0]) if is_number else match[0].rstrip(_AT_END)
        parts += [text[end : match.start()], _link(found, is_number=is_number)]
        end = match.start() + len(found)
    return format_html_join("", "{}", ((part,) for part in [*parts, text[end:]]))


def _link(found: str, *, is_number: bool) -> str:
    """Return what was found as a link, or as it is where it is no telephone number."""
    if not is_number:
        return format_html(
            '<a href="{}" target="_blank" rel="noopener noreferrer">{}</a>', found, found
        )
    digits = _digits(found)
    return format_html('<a href="tel:{}" dir="ltr">{}</a>', digits, found) if digits else found


def _digits(found: str) -> str:
    """Return the number as a telephone takes it; empty where it is none."""
    # A zero in brackets is dialled within the country only.
    written = found.replace("(0)", "") if found.startswith("+") else found
    digits = re.sub(r"\D", "", written)
    if _YEARS.fullmatch(found) or len(digits) > MOST_DIGITS:
        return ""
    if len(digits) < FEWEST_DIGITS and found not in SHORT_NUMBERS:
        return ""
    return f"+{digits}" if found.startswith("+") else digits
