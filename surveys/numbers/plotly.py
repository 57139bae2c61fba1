"""Formats of the numbers that Plotly writes in the browser, in the active language."""

from django.utils.formats import get_format

from surveys.numbers.signs import percent_pattern


def separators() -> str:
    """Decimal sign, then grouping sign, for a figure's layout."""
    return get_format("DECIMAL_SEPARATOR") + get_format("THOUSAND_SEPARATOR")


def percent_ticks() -> dict[str, str]:
    """The percent sign of an axis whose numbers are percent."""
    before, after = percent_pattern().split("{}")
    signs = {"tickprefix": before, "ticksuffix": after}
    return {name: sign for name, sign in signs.items() if sign}


def hover_fixed(name: str, digits: int) -> str:
    """A value in a hover text, rounded to this number of decimals."""
    return f"%{{{name}:.{digits}f}}"


def hover_digits(name: str, digits: int) -> str:
    """A value in a hover text with this number of digits, without trailing zeros."""
    return f"%{{{name}:.{digits}~g}}"
