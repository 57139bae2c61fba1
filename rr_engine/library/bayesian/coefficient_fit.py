"""BayesianFit: the posterior of coefficients."""

from __future__ import annotations

from dataclasses import dataclass

from rr_engine.estimation.notes import Note
from rr_engine.library.bayesian.coefficient_prior import CoefficientPrior
from rr_engine.validation import FloatArray, FrozenArrays


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BayesianFit(FrozenArrays):
    """The posterior distribution of the coefficients of a model.

    Attributes
    ----------
    modes : ndarray of float, shape (p,); (truths - 1, p) of a multinomial logit
        The most likely coefficients together (posterior mode), the intercept's first.
    laplace_errors : ndarray of float, shape of the modes
        Standard deviations of the normal distribution with the curvature at the mode.
    means, medians, standard_deviations : ndarray of float, shape of the modes
    covariance : ndarray of float, shape (q * p, q * p)
        Flat in C order.
    intervals : ndarray of float, shape (*shape of the modes, 2)
        Equal-tailed credible intervals.
    positive : ndarray of float, shape of the modes
        Probability that the coefficient is above 0.
    level : float
    prior : CoefficientPrior
    monte_carlo_errors : ndarray of float, shape of the modes
        Of the means, as if as many points as count had been drawn at random.
    effective_draws : float
        Points that count, as if all had the same weight (Kish).
    n : int
        Respondents with a report.
    names : tuple of str
    link : str
    notes : tuple of Note
    """

    modes: FloatArray
    laplace_errors: FloatArray
    means: FloatArray
    medians: FloatArray
    standard_deviations: FloatArray
    covariance: FloatArray
    intervals: FloatArray
    positive: FloatArray
    level: float
    prior: CoefficientPrior
    monte_carlo_errors: FloatArray
    effective_draws: float
    n: int
    names: tuple[str, ...]
    link: str
    notes: tuple[Note, ...]
