"""What the functions for several attributes share: their arguments, one table, their notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Protocol

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_invertible
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray, as_list
from rr_engine.association.table import Table
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.channels.tallies import dense_tally, labelled_cells, labelled_table
from rr_engine.design import DesignMatrix
from rr_engine.distributions import binomial_cdf, binomial_sf, normal_isf
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.estimation.common import Curve, variance_at
from rr_engine.estimation.estimating import estimate
from rr_engine.estimation.intervals import score_ends
from rr_engine.estimation.moment_guard import guard_scores
from rr_engine.estimation.notes import FALSE_ALARM, ILL_CONDITIONED, Note, NoteTexts, note
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.score import ends_around, structured_curves, variance_curves
from rr_engine.estimation.stratified import estimate_strata
from rr_engine.frames.tallies import counted
from rr_engine.kronecker import outer
from rr_engine.labelled import column_labels, row_labels
from rr_engine.multiattribute.axes import axes_of, report_axes
from rr_engine.multiattribute.table_covariance import TableCovariance

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


@dataclass(frozen=True, slots=True, eq=False)
class JointStratum(FrozenArrays):
    """People who answered all attributes with the same devices.

    Attributes
    ----------
    designs : tuple of Channel
        One for each attribute, or over several of them.
    counts : ndarray of int
        Contingency table of the reports, one axis for each attribute.
    """

    designs: tuple[Channel, ...]
    counts: IntArray

    @property
    def categories(self) -> tuple[tuple[str, ...], ...]:
        """Labels of the truths of each attribute; numbers where its device has no labels."""
        return labels_by_question(self.designs)


def labels_by_question(channels: Sequence[Channel]) -> tuple[tuple[str, ...], ...]:
    """Return the labels of the truths of each question that these devices cover, or numbers."""
    return tuple(labels for channel in channels for labels in _labels_of(channel))


def _labels_of(channel: Channel) -> tuple[tuple[str, ...], ...]:
    if isinstance(channel, DesignMatrix):
        return (channel.categories,)
    return tuple(map(check.number_labels, channel.truth_shape))


class JointTable(Table, Protocol):
    """The part of a :class:`JointEstimate` that its intervals and conditionals read."""

    @property
    def strata(self) -> tuple[JointStratum, ...]: ...

    @property
    def covariance_operator(self) -> TableCovariance: ...

    @property
    def method(self) -> str: ...

    @property
    def pooled(self) -> Estimate | None: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def categories(self) -> tuple[tuple[str, ...], ...]: ...

    def margin(self, axes: int | Sequence[int]) -> JointTable: ...


def combine_designs(stratum: tuple[Channel, ...]) -> DesignMatrix:
    """Return the design of all attributes at once, over flattened tables."""
    matrix = outer([design.matrix for design in stratum])
    axes = len(stratum)
    rows_first = np.transpose(matrix, [*range(0, 2 * axes, 2), *range(1, 2 * axes, 2)])
    labels = [" / ".join(names) for names in product(*labels_by_question(stratum))]
    size = prod(design.tally_size for design in stratum)
    unique = labels if len(set(labels)) == len(labels) else check.number_labels(len(labels))
    return DesignMatrix(rows_first.reshape(size, len(labels)), unique, check.number_labels(size))


def check_designs(value: object, argument: str = "designs") -> tuple[Channel, ...]:
    """Return one or more devices, each of which identifies its attribute."""
    rule = "be a sequence of one or more devices whose reports are counted one by one"
    designs = check.instances(value, argument, CountingChannel, rule, "not_designs")
    for design in designs:
        check_invertible(design)
    return designs


def check_table(value: Any, designs: tuple[Channel, ...]) -> IntArray:
    """Return the contingency table of reports: one axis per attribute, whole numbers."""
    shape = report_axes(designs)
    value = counted(value)
    labels = [getattr(design, "report_labels", ()) for design in designs]
    if column_labels(value) is None and row_labels(value) is not None:
        value = labelled_cells(value, shape, labels)
    elif column_labels(value) is not None and len(designs) == 2:
        # Rows and columns are the reports of both questions, by number or by label.
        found = labelled_table(value, shape, "counts", labels)
        value = value if found is None else found
    table = _shaped(value, shape)
    impossible = (table > 0) & (report_bounds(designs)[1] == 0)
    if impossible.any():
        where = np.argwhere(impossible)[0].tolist()
        rule = f"be 0 for reports never made, as at {where}"
        raise CountsError("counts", value, rule, "impossible_report")
    return table


def _shaped(value: ArrayLike | Mapping, shape: tuple[int, ...]) -> IntArray:
    if isinstance(value, Mapping):
        return dense_tally(value, shape).reshape(shape)
    rule = f"be a table of whole numbers of shape {shape}, one axis for each question"
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise CountsError("counts", value, rule, "table_does_not_fit") from None
    if array.shape != shape:
        raise CountsError("counts", value, rule, "table_does_not_fit")
    return check.counts(array.ravel(), array.size).reshape(shape)


def check_attributes(value: object, axes: int) -> tuple[int, ...]:
    """Return one or more different attributes, given as one number or as a sequence."""
    entries = as_list(value)
    numbers = (value,) if entries is None else entries
    chosen = tuple(check.whole(axis, "axes", maximum=axes - 1) for axis in numbers)
    if not chosen or len(set(chosen)) < len(chosen):
        rule = "name one or more attributes, each once"
        raise ArgumentError("axes", value, rule, "axes_not_distinct")
    return chosen


METHODS = ("normal", "chebyshev", "wilson", "guarded", "default")


def cell_interval(joint: JointTable, level: float, method: str) -> FloatArray:
    """Return lower and upper ends on a last axis; see :meth:`JointEstimate.interval`."""
    alpha = 1 - check.open_unit(level, "level")
    if joint.pooled is not None:
        return joint.pooled.interval(level, method).reshape(*joint.shape, 2)
    one_device = len(joint.strata) == len(joint.strata[0].designs) == 1
    if one_device and method not in METHODS[:2]:
        (stratum,) = joint.strata
        flat = estimate(stratum.designs[0], stratum.counts, joint.method, joint.population)
        return flat.interval(level, method).reshape(*joint.shape, 2)
    name = check.choice(method, "method", METHODS)
    if joint.n == 0:
        return np.broadcast_to([0.0, 1.0], (*joint.shape, 2)).copy()
    if name in METHODS[2:]:
        return _score_ends(joint, alpha, guarded=name != "wilson")
    factor = alpha**-0.5 if name == "chebyshev" else normal_isf(alpha / 2)
    return ends_around(joint.proportions, float(factor) * joint.standard_errors)


def _score_ends(joint: JointTable, alpha: float, *, guarded: bool) -> FloatArray:
    """Invert the score test of every cell, as the intervals of one attribute do.

    The variance of a cell at a proportion x is ``(c0 + c1 x + c2 x**2) / n``, so that
    ``(estimate - x)**2 <= z**2 variance(x)`` is a quadratic in x. Where the estimate lies so far
    outside 0 to 1 that no proportion passes, go out from it by the error at the nearer end.
    """
    one_stratum = len(joint.strata) == 1
    centre, curve = _one_stratum_curve(joint) if one_stratum else _strata_curve(joint)
    ends = score_ends(centre, curve, alpha, joint.n, several=True)
    return guard_scores(centre, curve, joint.n, ends, alpha) if guarded else ends


def _strata_curve(joint: JointTable) -> tuple[FloatArray, Curve]:
    """Return the cells of a margin of pooled strata, and n times their variance at a proportion.

    The curve is that of the strata pooled for these attributes alone, raised to the variance that
    sums of cells of the whole table have.
    """
    pooled = estimate_strata(
        [combine_designs(stratum.designs) for stratum in joint.strata],
        [stratum.counts.ravel() for stratum in joint.strata],
        population=joint.population,
    )
    curve = variance_curves(pooled, joint.population)
    here = variance_at(curve, pooled.projected())
    variances = joint.n * joint.standard_errors.ravel() ** 2
    ratio = np.divide(
        variances, here, out=np.ones_like(here), where=(here > 0) & (variances > here)
    )
    constant, slope, square = ((part * ratio).reshape(joint.shape) for part in curve)
    return joint.proportions, (constant, slope, square)


def _one_stratum_curve(joint: JointTable) -> tuple[FloatArray, Curve]:
    """Return the unbiased cells, and n times their variance at a proportion.

    The other cells keep their ratios to each other. Per truth the mean square of a cell's score is
    a Kronecker product again.
    """
    (stratum,) = joint.strata
    axes = axes_of(stratum.designs)
    centre = axes.solve(stratum.counts / joint.n)
    squares, own_squares = axes.scores().squares, axes.own_squares()
    low, slope, square = structured_curves(
        lambda table: squares(axes.apply(table)), own_squares, joint.projected()
    )
    if joint.population == "fixed":
        return centre, (low, own_squares - 1 - low, np.zeros(joint.shape))
    return centre, (low, slope, square)
