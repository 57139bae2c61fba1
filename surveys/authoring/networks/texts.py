"""What the panel of a network is made of: statistics as texts, and tables of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.kinds.network_presentation import SHARES


@dataclass(frozen=True, slots=True)
class Row:
    """`marked`: what the question does."""

    cells: list[str]
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A table with what is to be said about it; `folded`: it opens when it is wanted."""

    heading: str
    columns: list[str]
    rows: list[Row]
    sentences: list[str]
    folded: bool = False


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
