"""Means and totals of quantities from scrambled reports."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
import numpy.typing as npt

from rr_engine.distributions import normal_isf
from rr_engine.estimation.notes import Note
from rr_engine.quantitative.design import ScrambledDesign, check_scrambled
from rr_engine.quantitative.remarks import remarks
from rr_engine.quantitative.scrambling import check_quantities
from rr_engine.quantitative.sums import Inclusion, Sums, check_inclusion, mean_of, total_of
from rr_engine.validation import FloatArray, check_open_unit

# Relative; below it the spread of direct answers is rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrambledEstimate:
    """The mean or the total of a quantity, from scrambled reports.

    Attributes
    ----------
    value : float
        Unbiased, whatever the quantity's distribution (Hajek's mean nearly so).
    standard_error : float
        inf where the sample does not tell, as with one report.
    interval : tuple of float
        Normal.
    level : float
    n : int
        Number of reports.
    device_variance : float
        The part of the squared standard error that direct answers would not have.
    notes : tuple of Note
        Codes "one_report", "all_alike", "device_explains_all".
    """

    value: float
    standard_error: float
    interval: tuple[float, float]
    level: float
    n: int
    device_variance: float
    notes: tuple[Note, ...]

    @property
    def equivalent_n(self) -> float | None:
        """How many direct answers of such a sample would have this standard error.

        None where the reports do not tell, or where direct answers would have no error.
        """
        variance = self.standard_error**2
        direct = variance - self.device_variance
        if not (variance < inf and direct > ROUNDING * variance):
            return None
        return self.n * direct / variance


def scrambled_mean(
    design: ScrambledDesign,
    reports: npt.ArrayLike,
    *,
    inclusion: npt.ArrayLike | None = None,
    population: int | None = None,
    estimator: str = "hajek",
    level: float = 0.95,
) -> ScrambledEstimate:
    """Estimate the mean of a quantity from scrambled reports.

    Parameters
    ----------
    design : ScrambledDesign
        The one that made the reports, such as :class:`Eriksson`.
    reports : array_like of float, shape (n,)
    inclusion : array_like of float, shape (n,), optional
        The chance of each respondent to be in the sample. Left out: the same for everybody, n over
        the population, or next to 0 where the population is left out too.
    population : int, optional
        Number of people that the sample was drawn from without replacement.
    estimator : {"hajek", "horvitz-thompson"}, default "hajek"
        Whether the weighted sum is divided by the sum of the weights or by `population`.
    level : float, default 0.95

    Returns
    -------
    ScrambledEstimate

    Raises
    ------
    ArgumentError

    Notes
    -----
    The variance is Deville's of the transformed reports, which needs no joint inclusion
    probabilities, and the device's that it does not show, ``sum_i v_i / pi_i`` over the squared
    size. docs/methods/quantitative.md.

    References
    ----------
    .. [1] A. Chaudhuri, "Randomized Response and Indirect Questioning Techniques in Surveys", CRC
       Press 2011, chapter 3 (the variance in two parts).
    .. [2] J.-C. Deville and Y. Tillé, "Variance Approximation under Balanced Sampling", Journal of
       Statistical Planning and Inference 128 (2005), 569-591.

    Examples
    --------
    >>> from rr_engine import Eriksson, Scrambling
    >>> design = Eriksson(0.75, Scrambling.from_cards([0, 1, 2, 3]))
    >>> found = scrambled_mean(design, [0, 3, 1, 1, 2, 0, 1, 1, 0, 2], population=200)
    >>> round(found.value, 4), round(found.standard_error, 4), round(found.equivalent_n, 2)
    (0.9667, 0.414, 4.85)
    """
    scores, device, sample = _scored(design, reports, inclusion, population)
    return _result(mean_of(scores, device, sample, estimator), scores, level)


def scrambled_total(
    design: ScrambledDesign,
    reports: npt.ArrayLike,
    *,
    inclusion: npt.ArrayLike | None = None,
    population: int | None = None,
    estimator: str = "horvitz-thompson",
    level: float = 0.95,
) -> ScrambledEstimate:
    """Estimate the total of a quantity over a population from scrambled reports.

    Parameters
    ----------
    design : ScrambledDesign
    reports : array_like of float, shape (n,)
    inclusion : array_like of float, shape (n,), optional
        As of :func:`scrambled_mean`; it or `population` must be given.
    population : int, optional
        Needed for "hajek".
    estimator : {"hajek", "horvitz-thompson"}, default "horvitz-thompson"
    level : float, default 0.95

    Returns
    -------
    ScrambledEstimate

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] D. G. Horvitz and D. J. Thompson, "A Generalization of Sampling Without Replacement from
       a Finite Universe", Journal of the American Statistical Association 47 (1952), 663-685.

    Examples
    --------
    >>> from rr_engine import EichhornHayre, Scrambling
    >>> design = EichhornHayre(Scrambling.from_cards([0.5, 1, 1.5]))
    >>> found = scrambled_total(design, [10, 20, 15], inclusion=[0.1, 0.2, 0.1])
    >>> found.value, round(found.standard_error, 2)
    (350.0, 54.41)
    """
    scores, device, sample = _scored(design, reports, inclusion, population)
    return _result(total_of(scores, device, sample, estimator), scores, level)


def _scored(
    design: ScrambledDesign, reports: npt.ArrayLike, inclusion: object, population: object
) -> tuple[FloatArray, FloatArray, Inclusion]:
    scrambled, numbers = check_scrambled(design), check_quantities(reports, "reports")
    sample = check_inclusion(inclusion, population, len(numbers))
    scores = scrambled.transform(numbers)[:, None]
    return scores, scrambled.variance_estimates(numbers)[:, None, None], sample


def _result(sums: Sums, scores: FloatArray, level: float) -> ScrambledEstimate:
    value, variance, device = float(sums.values[0]), sums.covariance[0, 0], sums.device[0, 0]
    error = sqrt(variance)
    n, alike = len(scores), bool(np.ptp(scores) == 0)
    codes = {
        "one_report": error == inf,
        "all_alike": alike and n > 1,
        "device_explains_all": not alike and error < inf and bool(device >= variance > 0),
    }
    return ScrambledEstimate(
        value=value,
        standard_error=error,
        interval=normal_interval(value, error, level),
        level=float(level),
        n=n,
        device_variance=float(device),
        notes=remarks(codes),
    )


def normal_interval(value: float, error: float, level: float) -> tuple[float, float]:
    """Return the normal interval; everything for an infinite error."""
    half = float(normal_isf((1 - check_open_unit(level, "level")) / 2)) * error
    return value - half, value + half
