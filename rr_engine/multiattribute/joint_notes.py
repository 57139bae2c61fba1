"""Notes on a joint estimate."""

from collections.abc import Iterable
from math import prod

import numpy as np

from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.distributions import binomial_cdf, binomial_sf
from rr_engine.estimation.notes import FALSE_ALARM, ILL_CONDITIONED, Note, NoteTexts, note
from rr_engine.multiattribute.axes import report_axes
from rr_engine.validation import FloatArray, IntArray

# How far below zero rounding alone can push a proportion that is zero.
ROUNDING = 1e-12
JOINT_NOTES = NoteTexts(
    empty_group="A group's share is estimated at zero or below: nothing can be said within it; "
    "equal shares with an infinite standard error stand in.",
    uncertain_group="A group's share is hardly above zero: the normal interval within it is "
    "only a guide, the default one holds.",
)


def table_notes(designs: tuple[Channel, ...], counts: IntArray, population: str) -> list[Note]:
    """Return the notes on the counts of one stratum."""
    n = int(counts.sum())
    condition = np.prod([design.condition_number for design in designs])
    conditions = {
        "no_reports": n == 0,
        "one_report": n == 1 and population == "sample",
        "all_alike": n > 1 and int(counts.max()) == n,
        "implausible": n > 0 and _implausible(designs, counts),
        "ill_conditioned": condition > ILL_CONDITIONED,
    }
    return [note(code) for code, holds in conditions.items() if holds]


def joint_solution_notes(proportions: FloatArray, method: str, *, converged: bool) -> list[Note]:
    """Return the notes on estimated proportions."""
    conditions = {
        "outside_range": proportions.min() < -ROUNDING or proportions.max() > 1 + ROUNDING,
        "boundary": method == "mle" and proportions.min() <= ROUNDING,
        "not_converged": not converged,
    }
    return [note(code) for code, holds in conditions.items() if holds]


def without_repeats(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return each note once, in order."""
    return tuple({note.code: note for note in notes}.values())


def report_bounds(designs: tuple[Channel, ...]) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest chance of each combination; one number if all are alike."""
    least, most = ProductChannel(designs).report_bounds()
    if not least.ndim == most.ndim == 0:
        shape = report_axes(designs)
        least, most = (
            np.broadcast_to(bound, prod(shape)).reshape(shape) for bound in (least, most)
        )
    return least, most


def _implausible(designs: tuple[Channel, ...], counts: IntArray) -> bool:
    """Test every reported share against the nearest one that the devices allow.

    Exact binomial tails with Bonferroni's correction over both sides of every cell.
    """
    n = counts.sum()
    lowest, highest = (np.clip(bound, 0, 1) for bound in report_bounds(designs))
    # If all cells have the same bounds, the smallest and the largest count are decisive.
    fewest, most = (counts, counts) if lowest.ndim else (counts.min(), counts.max())
    too_low, too_high = binomial_cdf(fewest, n, lowest), binomial_sf(most - 1, n, highest)
    return bool(min(too_low.min(), too_high.min()) < FALSE_ALARM / (2 * counts.size))
