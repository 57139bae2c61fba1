"""Numbers other than shares: counts, decimals, epsilons, factors, errors, p-values."""

from decimal import ROUND_UP, Decimal
from math import floor, isfinite, log10

from django.utils.translation import gettext as _

from surveys.numbers.signs import MINUS, NO_BREAK, UNKNOWN, format_number

# Numbers beyond this are shown as their bound, such as an end of an odds ratio's interval.
_BEYOND, _BEYOND_TEXT = 1e9, "10⁹"
_SMALL, _LARGE = Decimal("0.000001"), 1_000_000
_LEAST_P = Decimal("0.001")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Number = Decimal | float | str


def count(number: int) -> str:
    return format_number(number)


def crowd(number: int, most: int) -> str:
    """A count; above `most` only that bound is shown: “over 10,000,000”."""
    return count(number) if number <= most else _("over %s") % count(most)


def decimal(number: Number) -> str:
    """All digits except trailing zeros: "0.50" -> "0.5", Decimal("1E+1") -> "10"."""
    return format_number(_normal(Decimal(str(number))))


def fixed_decimals(number: float | None, digits: int) -> str:
    """Rounded to this number of decimals, ties to even: 2 -> "2.0"."""
    if number is None:
        return UNKNOWN
    if abs(number) >= _BEYOND:
        return f"> {_BEYOND_TEXT}" if number > 0 else f"< {MINUS}{_BEYOND_TEXT}"
    return format_number(round(Decimal(str(number)), digits), digits)


def epsilon(number: Number) -> str:
    """An epsilon with at most four decimals, which is what an author can ask for.

    A device's part of one has six: those of three options at 1 add up to 0.999999.
    """
    return decimal(Decimal(number).quantize(Decimal("0.0001")))


def epsilon_rounded_up(number: float | None) -> str:
    """An epsilon rounded up to three decimals; for None the text says that there is no bound.

    Floating-point noise below the sixth decimal is ignored.
    """
    if number is None:
        return _("infinite")
    exact = Decimal(repr(number))
    near, rounded = round(exact, 6), exact.quantize(_LEAST_P, rounding=ROUND_UP)
    return decimal(min(rounded, near) if near % _LEAST_P == 0 else rounded)


def three_digits(number: float) -> str:
    """Three digits within limits at both ends: “over 1,000,000”, “under 0.000001”."""
    if not isfinite(number):
        return UNKNOWN
    if number >= _LARGE:
        return _("over %s") % count(_LARGE)
    if 0 < number < _SMALL:
        return _("under %s") % decimal(_SMALL)
    return format_number(Decimal(format(Decimal(f"{number:.3g}"), "f")))


def two_digits(number: float | None) -> str:
    """Two digits and a power of ten, which plain text can raise: 2.1·10⁻⁵."""
    if number is None:
        return UNKNOWN
    digits, power = f"{number:.1e}".split("e")
    if -3 <= int(power) <= 2:
        return decimal(f"{number:.2g}")
    return f"{decimal(digits)}·10{str(int(power)).translate(_RAISED)}"


def digits_of_error(error: float | None) -> int:
    """Decimals that show two figures of a standard error: 0.034 -> 3, 0.34 -> 2, 3.4 -> 1."""
    if error is None or error <= 0:
        return 2
    return max(0, min(4, 1 - floor(log10(error))))


def p_value(p: float | None) -> str:
    """Two or three decimals, as in the notation of statistics: "p = 0.043", "p < 0.001"."""
    if p is None:
        return UNKNOWN
    text = p_in_column(p)
    return f"p{NO_BREAK}{text}" if p < _LEAST_P else f"p{NO_BREAK}={NO_BREAK}{text}"


def p_in_column(p: float | None) -> str:
    """Return a p-value under a heading that says what it is: "0.043", "< 0.001"."""
    if p is None:
        return UNKNOWN
    if p < _LEAST_P:
        return f"<{NO_BREAK}{decimal(_LEAST_P)}"
    return fixed_decimals(p, 3 if p < 0.1 else 2)


def _normal(number: Decimal) -> Decimal:
    """The number without trailing zeros; `normalize` alone turns 10 into 1E+1."""
    return Decimal(format(number.normalize(), "f"))
