"""Shares of a whole, from 0 to 1 unless they are estimates, as percent or percentage points."""

from collections.abc import Iterable
from decimal import Decimal
from math import ceil
from typing import Protocol

from django.utils.translation import gettext as _

from surveys.numbers.plain import decimal, fixed_decimals
from surveys.numbers.signs import UNKNOWN, with_percent_sign

# Both ends; None where the reports do not tell.
Interval = tuple[float | None, float | None]
# From a margin of this many percentage points on, shares are shown without a decimal.
_COARSE = 10.0
# An excess or a probability below this is treated as zero.
_NOTHING = 0.0005
_FEW = Decimal("0.001")


class WithInterval(Protocol):
    @property
    def interval(self) -> Interval: ...


def percent(share: float | None, digits: int | None = None) -> str:
    """A share with this number of decimals: percent(0.3412, 1) -> "34.1 %".

    Without `digits`, whole percent; near 0 and near 100 with a decimal.
    """
    if share is None:
        return UNKNOWN
    if digits is not None:
        return with_percent_sign(points(share, digits))
    value = 100 * share
    if 0 < value < 0.05:
        return _("under %s") % percent(0.001, 1)
    if 99.95 <= value < 100:
        return _("over %s") % percent(0.999, 1)
    return percent(share, 0 if 20 <= value < 99.5 or value == 100 else 1)


def points(share: float | None, digits: int) -> str:
    """Percentage points, without a sign: 0.3412 -> "34.1"."""
    return UNKNOWN if share is None else fixed_decimals(100 * share, digits)


def chosen_percent(share: float | str | Decimal) -> str:
    """A chosen share, without digits beyond those given: 0.1 -> "10 %"."""
    return with_percent_sign(_chosen_digits(share))


def chosen_percents(shares: Iterable[float | str | Decimal]) -> str:
    """Several under one sign, in their order: "40 / 35 / 25 %"."""
    return with_percent_sign(" / ".join(map(_chosen_digits, shares)))


def _chosen_digits(share: float | str | Decimal) -> str:
    if isinstance(share, float):
        return decimal(f"{100 * share:.4g}")
    return decimal(100 * Decimal(share))


def percent_with_error(share: float, error: float) -> str:
    """A share and its margin of error in percentage points: "95.0 % ± 0.6"."""
    return f"{percent(share, 1)} ± {points(error, 1)}"


def excess(ratio: float) -> str:
    """A relative excess over the minimum, rounded up because it is stated as an upper bound.

    It may be far above one: 1.352 -> "136 %". Floating-point noise is ignored.
    """
    digits = 1 if ratio < 0.2 else 0
    steps = ceil(round(100 * ratio * 10**digits, 6))
    return with_percent_sign(fixed_decimals(steps / 10**digits, digits))


def margin(half_width: float) -> str:
    """Half the width of an interval of shares."""
    if half_width >= 1:
        return _("over 100 points")
    return _("± %s points") % points(half_width, 1)


def out_of_100(chance: float) -> str:
    """A probability in percent without the sign, short: “0” for zero, “<0.1” for a small one."""
    if chance == 0:
        return "0"
    if chance < _NOTHING:
        return f"<{decimal(100 * _FEW)}"
    return points(chance, 0 if chance >= 0.0995 else 1)


def digits_for(interval: Interval) -> int:
    """The decimals of a share: one, or none if its interval is wide."""
    low, high = interval
    return 0 if low is None or high is None or 50 * (high - low) >= _COARSE else 1


def common_digits(rows: Iterable[WithInterval]) -> int:
    """The decimals for all rows of a question: those of its widest interval."""
    return min((digits_for(row.interval) for row in rows), default=0)
