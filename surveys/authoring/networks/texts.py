"""The statistics of a network as texts, with as many digits as their margins leave them."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.kinds.network_presentation import SHARES


def share_margin(margin: float) -> str:
    """Return a margin in points, with two figures."""
    if margin >= 1:
        return numbers.margin(margin)
    return _("± %s points") % numbers.points(margin, min(2, numbers.digits_of_error(100 * margin)))


def statistic_text(name: str, value: float | None, margin: float) -> str:
    """A value of a statistic, with as many digits as its margin leaves it."""
    if name in SHARES:
        return numbers.percent(value, min(2, numbers.digits_of_error(100 * margin)))
    return numbers.fixed_decimals(value, numbers.digits_of_error(margin))


def statistic_span(name: str, ends: Sequence[float], margin: float) -> str:
    return numbers.from_to(*(statistic_text(name, end, margin) for end in ends))
