"""Proportions within groups, and differences between groups, with delta-method errors."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, BoolArray, FloatArray
from rr_engine.association.derived import Derived
from rr_engine.association.table import EMPTY, check_first_scores
from rr_engine.distributions import margin_factor
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note, Noted, vanished_errors
from rr_engine.estimation.ratio import fieller
from rr_engine.estimation.score import ends_around
from rr_engine.multiattribute.joint_table import JOINT_NOTES, JointTable

# Groups whose share is below this many standard errors get a warning.
UNCERTAIN = 3.0
# The interval of a share that is not estimable.
UNKNOWN = (0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Noted):
    """Proportions of one attribute within each category of another.

    Attributes
    ----------
    values : ndarray of float, shape (groups, categories)
        Rows sum to one; entries may leave 0 to 1 where those of the table do.
    standard_errors : ndarray of float, shape (groups, categories)
        Delta method; infinite where a group's share is not above zero.
    groups : tuple of str
    categories : tuple of str
    notes : tuple of Note
    numerators : ndarray of float, shape (groups, categories)
        Shares of the cells.
    numerator_covariances : ndarray of float, shape (groups, categories, categories)
        Their covariances within each group.
    population : str
        "sample" or "fixed".
    """

    values: FloatArray
    standard_errors: FloatArray
    groups: tuple[str, ...]
    categories: tuple[str, ...]
    notes: tuple[Note, ...]
    numerators: FloatArray
    numerator_covariances: FloatArray
    population: str

    def interval(self, level: float = 0.95, method: str = "default") -> FloatArray:
        """Return an interval for every conditional proportion by itself.

        Parameters
        ----------
        level : float, default 0.95
        method : {"default", "fieller", "normal"}
            "default" is "fieller": all ratios that the two shares do not contradict, which holds
            where a group is small too. "normal" goes out from the value by standard errors.

        Returns
        -------
        ndarray of float, shape (groups, categories, 2)
            Not cut to the range 0 to 1. Where the group's share is not clearly above zero, Fieller
            can rule nothing out: 0 and 1.

        Raises
        ------
        ArgumentError
        """
        factor = margin_factor(level)
        name = check.choice(method, "method", ("normal", "fieller", "default"))
        if name == "normal":
            return ends_around(self.values, factor * self.standard_errors)
        with_group = self.numerator_covariances.sum(axis=2)
        numerator_variances = np.diagonal(self.numerator_covariances, axis1=1, axis2=2)
        shares, spreads = self.numerators.sum(axis=1), with_group.sum(axis=1)
        moments = (numerator_variances, with_group, spreads[:, None])
        return fieller(self.numerators, shares[:, None], moments, factor, unknown=UNKNOWN)

    def estimable(self, level: float = 0.95) -> BoolArray:
        """Tell which conditional shares are estimable.

        Parameters
        ----------
        level : float, default 0.95

        Returns
        -------
        ndarray of bool, shape (groups, categories)
            False for a share whose "fieller" interval holds everything, since its value may even
            lie outside of that, and for one of a sample whose error has vanished; see
            :func:`rr_engine.estimation.notes.vanished_errors`.

        References
        ----------
        .. [1] E. C. Fieller, "Some Problems in Interval Estimation", Journal of the Royal
           Statistical Society B 16 (1954), 175-185 (a denominator that may be zero).
        """
        open_ended = (self.interval(level, "fieller") == UNKNOWN).all(axis=-1)
        vanished = vanished_errors(self.standard_errors, self.population)
        return np.isfinite(self.standard_errors) & ~open_ended & ~vanished


def conditional(joint: JointTable, of_axis: int, given_axis: int) -> Conditional:
    """Return the conditional proportions; see :meth:`JointEstimate.conditional`."""
    table = _two_axes(joint, of_axis, given_axis)
    covariances = table.covariance_operator.within_rows()
    shares, spreads = table.proportions.sum(axis=1), covariances.sum(axis=(1, 2))
    estimable = (shares * table.n > EMPTY) & np.isfinite(spreads)
    values = np.full(table.shape, 1 / table.shape[1])
    values[estimable] = table.proportions[estimable] / shares[estimable, None]
    errors = np.full(table.shape, np.inf)
    for group in np.flatnonzero(estimable):
        errors[group] = _ratio_errors(values[group], shares[group], covariances[group])
    return Conditional(
        values=values,
        standard_errors=errors,
        groups=table.categories[0],
        categories=table.categories[1],
        notes=_group_notes(shares, spreads, estimable),
        numerators=table.proportions,
        numerator_covariances=covariances,
        population=joint.population,
    )


def difference(
    joint: JointTable, of_axis: int, category: int, given_axis: int, groups: Sequence[int]
) -> Derived:
    """Return a difference of conditional proportions; see :meth:`JointEstimate.difference`."""
    table = _two_axes(joint, of_axis, given_axis)
    column = check.whole(category, "category", maximum=table.shape[1] - 1)
    rows = check.indices(groups, table.shape[0], "groups")
    shares = table.proportions[rows].sum(axis=1)
    if not (shares * joint.n > EMPTY).all():
        return Derived(0.0, np.inf, (JOINT_NOTES.note("empty_group"),), bounds=(-1.0, 1.0))
    ratios = table.proportions[rows, column] / shares
    gradient = np.zeros(table.shape)
    for row, share, ratio, sign in zip(rows, shares, ratios, (1, -1), strict=True):
        gradient[row] = -sign * ratio / share
        gradient[row, column] += sign / share
    spreads = table.covariance_operator.within_rows()[rows].sum(axis=(1, 2))
    notes = _group_notes(shares, spreads, np.isfinite(spreads))
    error = np.sqrt(max(table.covariance_of(gradient, gradient), 0.0))
    return Derived(float(ratios[0] - ratios[1]), float(error), notes, bounds=(-1.0, 1.0))


def conditional_means(
    joint: JointTable, of_axis: int, given_axis: int, scores: ArrayLike
) -> list[Derived]:
    """Return the mean score in each group; see :meth:`JointEstimate.conditional_means`."""
    table = _two_axes(joint, of_axis, given_axis)
    weights = check_first_scores(scores, table.shape[1])
    return [_mean(table, group, weights) for group in range(table.shape[0])]


def _mean(table: JointTable, group: int, scores: FloatArray) -> Derived:
    """A ratio of two sums of cells; the delta method gives each cell its slope."""
    bounds, cells = (float(scores.min()), float(scores.max())), table.proportions[group]
    cells, answers = cells[: len(scores)], len(scores)
    answering = float(cells.sum())
    if answering <= 0 or not np.isfinite(table.standard_errors).all():
        return Derived(sum(bounds) / 2, np.inf, (JOINT_NOTES.note("empty_group"),), bounds=bounds)
    mean = float(scores @ cells) / answering
    slopes = np.zeros(table.shape)
    slopes[group, :answers] = (scores - mean) / answering
    error = float(np.sqrt(max(table.covariance_of(slopes, slopes), 0.0)))
    return Derived(mean, error, bounds=bounds)


def _two_axes(joint: JointTable, of_axis: int, given_axis: int) -> JointTable:
    """Return the table of two attributes, groups in rows."""
    last = len(joint.shape) - 1
    of = check.whole(of_axis, "of_axis", maximum=last)
    group_axis = check.whole(given_axis, "given_axis", maximum=last)
    if of == group_axis:
        rule = "be another attribute than of_axis"
        raise ArgumentError("given_axis", given_axis, rule, "axes_not_distinct")
    return joint.margin((group_axis, of))


def _ratio_errors(ratios: FloatArray, share: float, covariance: FloatArray) -> FloatArray:
    """Delta method: the ratio's error is that of ``(cell - ratio * group) / share``."""
    with_group = covariance.sum(axis=1)
    raw = np.diag(covariance) - 2 * ratios * with_group + ratios**2 * with_group.sum()
    return np.sqrt(np.maximum(raw, 0)) / share


def _group_notes(shares: FloatArray, spreads: FloatArray, estimable: BoolArray) -> tuple[Note, ...]:
    uncertain = estimable & (shares**2 < UNCERTAIN**2 * spreads)
    conditions = {"empty_group": not estimable.all(), "uncertain_group": bool(uncertain.any())}
    return JOINT_NOTES.holding(conditions)
