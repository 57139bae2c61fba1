"""The signs of a number: percent sign, minus, and a dash for an unknown number."""

from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.utils import numberformat
from django.utils.formats import get_format
from django.utils.translation import get_language

UNKNOWN = "–"
NO_BREAK = "\u00a0"
MINUS = "−"
# The mark of a text from left to right.
FROM_LEFT = "\u200e"
# By language, the number in braces. German as CLDR has it. CLDR's English has no space; Candor's
# English texts write “95 %” throughout, as the SI brochure asks (9th
# edition, 5.4.7; docs/decisions/0029-numbers-and-figures.md).
PERCENT_PATTERNS = {"de": "{}\u00a0%", "en": "{}\u00a0%", "he": "{}%"}
_OTHERWISE = "{}\u00a0%"


class _Signs(NamedTuple):
    """What a language writes numbers with."""

    decimal: str
    thousands: str
    # Digits to a group.
    grouping: int
    # In a text from right to left it has a mark that keeps it before its number.
    minus: str
    percent: str


# A page of results formats thousands of numbers, and Django asks for each of these for each number.
@lru_cache(maxsize=64)
def _signs_of(language: str | None) -> _Signs:
    name = (language or "").partition("-")[0]
    return _Signs(
        decimal=get_format("DECIMAL_SEPARATOR", language),
        thousands=get_format("THOUSAND_SEPARATOR", language),
        grouping=get_format("NUMBER_GROUPING", language),
        minus=f"{FROM_LEFT}{MINUS}" if name in settings.LANGUAGES_BIDI else MINUS,
        percent=PERCENT_PATTERNS.get(name, _OTHERWISE),
    )


def percent_pattern() -> str:
    """The pattern of the active language, such as “{} %” with a no-break space."""
    return _signs_of(get_language()).percent


def with_percent_sign(digits: str) -> str:
    """Formatted digits with a percent sign: "29.4 … 38.9" -> "29.4 … 38.9 %"."""
    return percent_pattern().format(digits)


def format_number(number: Decimal | int, digits: int | None = None) -> str:
    """The number with grouping, the decimal sign of the language, and a minus sign.

    `digits` decimals are padded with zeros; with None all decimals of the number are written.
    """
    signs = _signs_of(get_language())
    text = numberformat.format(
        number, signs.decimal, digits, signs.grouping, signs.thousands, force_grouping=True
    )
    # No “−0”: the sign of a rounded zero says nothing.
    return text.replace("-", signs.minus if number else "")
