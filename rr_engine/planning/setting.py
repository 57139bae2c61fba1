"""The setting of a plan: expected proportions, the category of interest, its reported share."""

from math import ceil, isfinite

import numpy.typing as npt

from rr_engine import check
from rr_engine.arguments import check_channel, holds_several
from rr_engine.arrays import FloatArray
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError


def expected(
    design: Channel, prevalence: float | npt.ArrayLike, category: int | None
) -> tuple[FloatArray, int | None]:
    """Return all true proportions and the index of the category that the plan is about.

    One number is the share of the category (1 when left out), the rest spread evenly; a list
    leaves the category open.
    """
    channel = check_channel(design)
    size = channel.truth_size
    if holds_several(prevalence):
        proportions = channel.check_shares(prevalence, "prevalence")
        index = None if category is None else check_category(category, size)
        return proportions, index
    share = check.probability(prevalence, "prevalence")
    index = check_category(1 if category is None else category, size)
    return channel.spread_shares(share, index), index


def people(size: float, argument: str, value: object) -> int:
    """Return the whole number of respondents from `size` up; infinitely many are refused."""
    if not isfinite(size):
        rule = "be one that some number of respondents reaches"
        raise ArgumentError(argument, value, rule, "unreachable")
    return max(1, ceil(size))


def check_category(value: int, size: int) -> int:
    """Return the index of a category."""
    return check.whole(value, "category", maximum=size - 1)
