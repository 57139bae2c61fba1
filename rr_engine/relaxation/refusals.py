"""Errors of two designs between which there is no degradation."""

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.channels.protocol import Channel
from rr_engine.errors import DesignError

RULE = (
    "be a degraded copy of the later design, but every solution has a negative chance "
    "(earlier report, later report, chance)"
)
ROUNDED = (
    "be exactly a degraded copy of the later design, and was found to be one only up to rounding "
    "(earlier report, later report, chance)"
)
LOST = (
    "not tell apart truths that the later design mixes up "
    "(earlier report, truth, chance that is left)"
)


def negative_entry(
    now: Channel, later: Channel, previous: int, following: int, chance: float, slack: float = 0.0
) -> DesignError:
    """Return the error for an entry of a degradation that would be negative.

    `slack` is what rounding both tables to integers can take off such an entry.
    """
    entry = (_label(now, previous), _label(later, following), chance)
    if chance >= -slack:
        return DesignError("design_now", entry, ROUNDED, "rounded_apart")
    return DesignError("design_now", entry, RULE, "no_relaxation")


def lost_difference(now: Channel, residual: FloatArray, slack: float = 0.0) -> DesignError:
    """Return the error for an earlier report that no mixture of later ones reproduces."""
    previous, truth = np.unravel_index(int(np.abs(residual).argmax()), residual.shape)
    chance = float(residual[previous, truth])
    entry = (_label(now, int(previous)), int(truth), chance)
    if abs(chance) <= slack:
        return DesignError("design_now", entry, ROUNDED, "rounded_apart")
    return DesignError("design_now", entry, LOST, "no_relaxation")


def _label(channel: Channel, report: int) -> str:
    # The label of a report of a device of bits counts two for each bit: clear and set.
    return channel.report_label(report)
