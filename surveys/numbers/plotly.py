"""The numbers that Plotly writes in the browser: signs of the active language, and its notation."""

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
    """A value in a hover text, rounded to so many decimals."""
    return f"%{{{name}:.{digits}f}}"


def hover_digits(name: str, digits: int) -> str:
    """A value in a hover text with so many digits, without zeros behind the last."""
    return f"%{{{name}:.{digits}~g}}"
