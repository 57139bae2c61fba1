"""Estimates from weighted samples, with what is known about their error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.estimation.notes import Note, Noted
from rr_engine.sampling.survey_intervals import (
    errors_of,
    score_ends,
    student_intervals,
    student_quantile,
)
from rr_engine.validation import FloatArray, FrozenArrays, check_choice


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SurveyEstimate(FrozenArrays, Noted):
    """Means or totals of a population, estimated from a weighted sample.

    Attributes
    ----------
    values : ndarray of float, shape (k,)
    covariance : ndarray of float, shape (k, k)
        Of sampling and randomizing together.
    randomization_covariance : ndarray of float, shape (k, k)
        The part that the devices' chance adds, by an unbiased estimate; 0 for direct answers. What
        is left is the error of the same sample asked directly.
    design_effects : ndarray of float, shape (k,)
        How many times the variance is that of a simple random sample, drawn with replacement, of
        as many reports through the same devices; 1 where that is 0.
    n : int
        Respondents with a report.
    effective_n : float
        Equally weighted respondents who would tell as much, by Kish.
    degrees_of_freedom : int
    kind : str
        "mean" or "total".
    notes : tuple of Note
    """

    values: FloatArray
    covariance: FloatArray
    randomization_covariance: FloatArray
    design_effects: FloatArray
    n: int
    effective_n: float
    degrees_of_freedom: int
    kind: str
    notes: tuple[Note, ...] = ()

    @property
    def standard_errors(self) -> FloatArray:
        """Square roots of the covariance's diagonal; inf where the estimate of it is negative."""
        return errors_of(self.covariance)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return confidence intervals by Student's t between clusters, shape (k, 2).

        Parameters
        ----------
        level : float, default 0.95

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] E. L. Korn and B. I. Graubard, "Analysis of Health Surveys", Wiley, 1999,
           section 2.2.
        """
        errors, degrees = self.standard_errors, self.degrees_of_freedom
        return student_intervals(self.values, errors, degrees, level)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightedProportions(SurveyEstimate):
    """Proportions of the true answers in a population; see :class:`SurveyEstimate`.

    Attributes
    ----------
    method : str
        "unbiased" or "mle".
    curves : ndarray of float, shape (3, k)
        Variance of each estimate if its proportion were x, ``c0 + c1 x + c2 x**2``: with the
        weights that there are and respondents drawn independently.
    correction : float
        Part of the sampling variance that the finite population leaves; 1 without one.
    """

    method: str
    curves: FloatArray
    correction: float

    @property
    def proportions(self) -> FloatArray:
        """The values."""
        return self.values

    def interval(self, level: float = 0.95, method: str = "score") -> FloatArray:
        """Return a confidence interval for each proportion by itself, shape (k, 2).

        Parameters
        ----------
        level : float, default 0.95
        method : {"score", "normal"}
            "score" inverts the score test with the effective number of respondents and holds near
            0 and 1. "normal" goes out from the proportion by standard errors. Both take quantiles
            of Student's t.

        Returns
        -------
        ndarray of float, shape (k, 2)
            Not cut to the range 0 to 1.

        Raises
        ------
        ArgumentError

        Notes
        -----
        docs/methods/sampling.md. The variance curve c(x) of independently drawn respondents is
        raised by the factor that the sample's own variance has over it at the estimate, D:
        ``(value - x)**2 <= t**2 D c(x)``. Ours: D is at least 1/(1 + m/20), m the effective
        number of people with the rarer answer.

        References
        ----------
        .. [1] E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
           Inference", Journal of the American Statistical Association 22 (1927), 209-212.
        .. [2] E. L. Korn and B. I. Graubard, "Confidence Intervals for Proportions with Small
           Expected Number of Positive Counts Estimated from Survey Data", Survey Methodology 24
           (1998), 193-201 (the effective number of respondents).
        """
        if check_choice(method, "method", ("score", "normal")) == "normal":
            return SurveyEstimate.interval(self, level)
        variances = np.where(np.isinf(self.standard_errors), np.inf, np.diag(self.covariance))
        quantile = student_quantile(level, self.degrees_of_freedom)
        return score_ends(self.values, variances, self.curves, quantile, self.correction)

    def possible_interval(self, level: float = 0.95, method: str = "score") -> FloatArray:
        """Return the part of :meth:`interval` inside 0 to 1.

        An interval that lies outside as a whole is moved to the nearest end of the range, so that
        a proportion never looks more certain because the reports came out odd.

        Ours: docs/methods/sampling.md.
        """
        ends = self.interval(level, method)
        width = np.minimum(np.ptp(ends, axis=1), 1.0)
        below, above = ends[:, 1] < 0, ends[:, 0] > 1
        ends[below] = np.column_stack([np.zeros_like(width), width])[below]
        ends[above] = np.column_stack([1 - width, np.ones_like(width)])[above]
        return np.clip(ends, 0.0, 1.0)
