"""Errors of two designs between which there is no degradation."""

import numpy as np
import numpy.typing as npt

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
    now: Channel, later: Channel, place: tuple[int, int], chance: float, slack: float = 0.0
) -> DesignError:
    """Return the error for an entry of a degradation, of two reports, that would be negative.

    `slack` is what rounding both tables to integers can take off such an entry.
    """
    # The label of a report of a device of bits counts two for each bit: clear and set.
    entry = (now.report_label(place[0]), later.report_label(place[1]), chance)
    if chance >= -slack:
        return DesignError("design_now", entry, ROUNDED, "rounded_apart")
    return DesignError("design_now", entry, RULE, "no_relaxation")


def lost_difference(now: Channel, residual: FloatArray, slack: float = 0.0) -> DesignError:
    """Return the error for an earlier report that no mixture of later ones reproduces."""
    previous, truth = place_of_least(-np.abs(residual))
    chance = float(residual[previous, truth])
    entry = (now.report_label(previous), truth, chance)
    if abs(chance) <= slack:
        return DesignError("design_now", entry, ROUNDED, "rounded_apart")
    return DesignError("design_now", entry, LOST, "no_relaxation")


def place_of_least(table: npt.NDArray) -> tuple[int, int]:
    """Return the row and the column of the smallest entry."""
    row, column = np.unravel_index(int(table.argmin()), table.shape)
    return int(row), int(column)
