"""The signs of a number: percent sign, minus, and a dash for an unknown number."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import get_language, get_language_bidi

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


def percent_pattern() -> str:
    """The pattern of the active language, such as “{} %” with a no-break space."""
    language = (get_language() or "").partition("-")[0]
    return PERCENT_PATTERNS.get(language, _OTHERWISE)


def with_percent_sign(digits: str) -> str:
    """Formatted digits with a percent sign: "29.4 … 38.9" -> "29.4 … 38.9 %"."""
    return percent_pattern().format(digits)


def format_number(number: Decimal | int, digits: int | None = None) -> str:
    """The number with grouping, the decimal sign of the language, and a minus sign.

    `digits` decimals are padded with zeros; with None all decimals of the number are written.
    """
    text = number_format(number, decimal_pos=digits, force_grouping=True)
    # No “−0”: the sign of a rounded zero says nothing.
    return text.replace("-", _minus() if number else "")


def _minus() -> str:
    """The minus sign, which stays before its number in a text from right to left, too."""
    return f"{FROM_LEFT}{MINUS}" if get_language_bidi() else MINUS
