"""Weights that meet known margins, and the variance that gains by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import SAMPLE_NOTES, Note
from rr_engine.labelled import same_people
from rr_engine.sampling.checks import check_contributions
from rr_engine.sampling.margins import TOLERANCE, Margins, check_margins, make_margins
from rr_engine.sampling.weighted_sample import WeightedSample, check_sample

MAX_ROUNDS = 1000
# Relative size below which a combination of margins says nothing that the others do not.
DEPENDENT = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class CalibratedSample(FrozenArrays, WeightedSample):
    """A sample whose weights were calibrated to known margins.

    Attributes
    ----------
    base : WeightedSample
        The sample before.
    weights : ndarray of float, shape (n,)
        The calibrated weights.
    strata, clusters : ndarray of int, shape (n,)
    margins : Margins
    deviation : float
        Largest difference of a weighted share from the known one.
    converged : bool
        Whether that is at most 1e-10.
    rounds : int
        How often all margins were met in turn.
    trimmed : int
        Respondents whose weight is held at a limit.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import rake
    >>> sample = SurveySample([2, 2, 1, 1, 1, 3] * 20, clusters=[*range(30)] * 4)
    >>> raked = rake(sample, [[0, 1, 1] * 40], [[0.5, 0.5]], names=["sex"])
    >>> raked.n, round(raked.design_effect, 3), raked.weights[:3].round(2).tolist()
    (120, 1.293, [3.33, 1.43, 0.71])
    """

    base: WeightedSample
    weights: FloatArray
    strata: IntArray
    clusters: IntArray
    margins: Margins
    deviation: float
    converged: bool
    rounds: int
    trimmed: int
    notes: tuple[Note, ...]

    @property
    def degrees_of_freedom(self) -> int:
        """Those of the sample before."""
        return self.base.degrees_of_freedom

    @property
    def own_coefficients(self) -> FloatArray:
        """Those of the sample before."""
        return self.base.own_coefficients

    def with_replacement(self) -> CalibratedSample:
        """Return the same weights of a sample drawn with replacement (Graubard & Korn 2002)."""
        return replace(self, base=self.base.with_replacement())

    @property
    def factors(self) -> FloatArray:
        """Calibrated weights over those before; 1 where both are 0."""
        before = self.base.weights
        return np.divide(self.weights, before, out=np.ones_like(before), where=before > 0)

    def covariance_of_total(self, contributions: ArrayLike) -> FloatArray:
        """Return the estimated covariance of the column sums of a table.

        Parameters
        ----------
        contributions : array_like of float, shape (n, p)
            One row for each respondent, already weighted with the calibrated weights.

        Returns
        -------
        ndarray of float, shape (p, p)
            What the margins predict of a contribution varies no more: the covariance is that of
            the residuals.

        Raises
        ------
        ArgumentError

        Notes
        -----
        docs/methods/sampling.md. Contributions over their weights are regressed, with the weights
        before, on the categories less their known shares (and on a one, where the population's
        size is known); the residuals times the calibrated weights take their places.

        References
        ----------
        .. [1] J.-C. Deville and C.-E. Sarndal, "Calibration Estimators in Survey Sampling",
           Journal of the American Statistical Association 87 (1992), 376-382.
        .. [2] J.-C. Deville, C.-E. Sarndal and O. Sautory, "Generalized Raking Procedures in Survey
           Sampling", Journal of the American Statistical Association 88 (1993), 1013-1020.

        Examples
        --------
        What the margins tell has no variance left:

        >>> from rr_engine import SurveySample
        >>> from rr_engine.sampling import rake
        >>> sample = rake(SurveySample(n=4), [[0, 0, 0, 1]], [[0.5, 0.5]], total=40)
        >>> sample.weights.round(3).tolist()
        [6.667, 6.667, 6.667, 20.0]
        >>> women = [[0.0], [0.0], [0.0], [20.0]]
        >>> abs(sample.covariance_of_total(women).round(9)).tolist()
        [[0.0]]
        """
        table = check_contributions(contributions, self.n)
        weights, before, cells = self.weights, self.base.weights, self.margins.cell_of
        units = np.divide(
            table, weights[:, None], out=np.zeros_like(table), where=weights[:, None] > 0
        )
        order = np.lexsort((before, *units.T, cells))
        starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
        weighted = np.column_stack([before, units * before[:, None]])[order]
        sums = np.add.reduceat(weighted, starts, axis=0)
        columns = self.margins.columns()
        information = columns.T @ (columns * sums[:, :1])
        slopes = np.linalg.pinv(information, rcond=DEPENDENT, hermitian=True) @ (
            columns.T @ sums[:, 1:]
        )
        residuals = units - (columns @ slopes)[cells]
        return self.base.covariance_of_total(residuals * weights[:, None])


@same_people("answers")
def rake(
    sample: WeightedSample,
    answers: Sequence[ArrayLike],
    shares: Sequence[ArrayLike],
    *,
    total: float | None = None,
    limits: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
    max_rounds: int = MAX_ROUNDS,
) -> CalibratedSample:
    """Calibrate weights to known shares of the answers to direct questions.

    Parameters
    ----------
    sample : SurveySample or ProbabilitySample
    answers : sequence of array_like of int, each of shape (n,)
        For each question the number of each respondent's category; -1 for no answer, which the
        question's shares then say nothing about.
    shares : sequence of array_like of float
        For each question the known shares of its categories; they sum to 1.
    total : float, optional
        Size of the population, that the weights shall sum to; without it their sum stays.
    limits : sequence of float, optional
        Least and largest weight as multiples of the mean, such as (0.2, 5): weights beyond are
        held there, and the others raked again.
    names : sequence of str, optional
        Names of the questions, for messages.
    max_rounds : int, default 1000

    Returns
    -------
    CalibratedSample
        Takes the place of the sample in every estimate, whose errors it makes those of calibrated
        weights. Margins that contradict each other or the limits are not met: its `deviation`
        tells by how much, and the note `margins_not_met` is set.

    Raises
    ------
    ArgumentError
        Also for a category with a known share and no respondents ("empty_category").

    Notes
    -----
    docs/methods/sampling.md. Each question in turn is met by multiplying the weights in each of
    its categories, until all are met to 1e-10.

    References
    ----------
    .. [1] W. E. Deming and F. F. Stephan, "On a Least Squares Adjustment of a Sampled Frequency
       Table When the Expected Marginal Totals are Known", The Annals of Mathematical Statistics
       11 (1940), 427-444.
    .. [2] G. Kalton and I. Flores-Cervantes, "Weighting Methods", Journal of Official Statistics
       19 (2003), 81-97.

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import rake
    >>> age, region = [0, 0, 1, 1], [0, 1, 0, 1]
    >>> sample = rake(SurveySample(n=4), [age, region], [[0.6, 0.4], [0.25, 0.75]])
    >>> sample.weights.round(3).tolist(), sample.converged
    ([0.6, 1.8, 0.4, 1.2], True)
    """
    base = _check_base(sample)
    codes, known, _ = check_margins(answers, shares, base.weights, names)
    return _calibrate(base, make_margins(codes, known, total, limits, max_rounds))


def _check_base(sample: object) -> WeightedSample:
    base = check_sample(sample)
    if isinstance(base, CalibratedSample):
        rule = "be as it was drawn: give all margins at once"
        raise ArgumentError("sample", sample, rule, "already_calibrated")
    return base


def _calibrate(base: WeightedSample, margins: Margins) -> CalibratedSample:
    result = margins.rake(base.weights)
    vanished = np.count_nonzero(result.weights) < np.count_nonzero(base.weights)
    conditions = {
        "margins_not_met": result.deviation > 10 * TOLERANCE,
        "weights_trimmed": result.trimmed > 0,
        "zero_weights": bool(vanished),
    }
    return CalibratedSample(
        base=base,
        weights=result.weights,
        strata=base.strata,
        clusters=base.clusters,
        margins=margins,
        deviation=result.deviation,
        converged=result.deviation <= 10 * TOLERANCE,
        rounds=result.rounds,
        trimmed=result.trimmed,
        notes=SAMPLE_NOTES.holding(conditions),
    )


@same_people("answers")
def post_stratify(
    sample: WeightedSample,
    cells: ArrayLike,
    shares: ArrayLike,
    *,
    total: float | None = None,
    limits: Sequence[float] | None = None,
) -> CalibratedSample:
    """Calibrate weights to known shares of cells, such as age by sex.

    Parameters
    ----------
    sample : SurveySample or ProbabilitySample
    cells : array_like of int, shape (n,)
        Number of each respondent's cell; -1 for unknown.
    shares : array_like of float
        Known shares of the cells; they sum to 1.
    total, limits
        As of :func:`rake`.

    Returns
    -------
    CalibratedSample

    Raises
    ------
    ArgumentError
        Also for a cell with a known share and no respondents ("empty_category").

    References
    ----------
    .. [1] D. Holt and T. M. F. Smith, "Post Stratification", Journal of the Royal Statistical
       Society A 142 (1979), 33-46.

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import post_stratify
    >>> post_stratify(SurveySample(n=4), [0, 0, 0, 1], [0.5, 0.5]).weights.round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """
    base = _check_base(sample)
    codes, known, _ = check_margins([cells], [shares], base.weights, ["the cells"], "cells")
    return _calibrate(base, make_margins(codes, known, total, limits, MAX_ROUNDS))
