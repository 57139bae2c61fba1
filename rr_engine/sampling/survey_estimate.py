"""The result of an estimate from a survey, and its intervals."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays
from rr_engine.display.description import Description, Table, known
from rr_engine.display.figures import Drawn, Intervals
from rr_engine.display.reading import describe, told
from rr_engine.distributions import t_isf
from rr_engine.estimation.notes import Note, Noted
from rr_engine.projection import project_to_simplex
from rr_engine.sampling.scores import ReportScores

# Largest remainder beside a share that is one up to rounding.
ALONE = 1e-12
# Relative size below which a variance is rounding.
NOTHING = 1e-12
# Effective number of people with the rarer answer at which the variance that the sample shows may
# be half of the one that its weights imply.
RARE = 20


def variance_curves(
    scores: ReportScores, squares: FloatArray, proportions: FloatArray
) -> FloatArray:
    """Return c0, c1, c2 of the variance of each proportion, were it x, shape (3, k).

    `squares`: for each respondent the squared share of the weights. The other proportions keep
    their ratios to each other, as in :mod:`rr_engine.estimation.score`. The mean square of the
    score of v is s for those who have it and r for the others; its mean is x.
    """
    shares, size = project_to_simplex(proportions), len(proportions)
    order = np.lexsort((squares, scores.device_of))
    order = order[scores.reported[order]]
    parts = np.bincount(scores.device_of[order], squares[order], minlength=len(scores.squares))
    mean = sum(part * table for part, table in zip(parts, scores.squares, strict=True))
    own, rest = np.diag(mean), 1 - shares
    alone = rest <= ALONE
    even = (mean.sum(axis=0) - own) / (size - 1)
    low = np.where(alone, even, (shares @ mean - shares * own) / np.where(alone, 1.0, rest))
    return np.stack([low, own - low, np.full(size, -parts.sum())])


def score_ends(
    values: FloatArray,
    variances: FloatArray,
    curves: FloatArray,
    quantile: float,
    correction: float,
) -> FloatArray:
    """Return the ends between which proportions pass the score test, shape (k, 2).

    `correction`: the part of the sampling variance that a finite population leaves.
    """
    c0, c1, c2 = curves
    edge = np.clip(values, 0.0, 1.0)
    model = np.maximum(c0 + c1 * edge + c2 * edge**2, 0.0)
    scale = np.abs(curves).max(axis=0)
    # Where nothing varies, such as no yes at all to a direct question, the weights alone tell.
    known = (variances > NOTHING * scale) & (model > NOTHING * scale)
    factors = np.where(known, variances / np.where(model > 0, model, 1.0), correction)
    # With few people the variance comes out small just where the share does.
    few = np.minimum(edge, 1 - edge) / -c2
    factors = np.maximum(factors, correction / (1 + few / RARE))
    z2 = quantile**2 * factors
    finite = np.isfinite(z2)
    z2 = np.where(finite, z2, 0.0)
    square, linear, constant = 1 - z2 * c2, 2 * values + z2 * c1, values**2 - z2 * c0
    inside = linear**2 - 4 * square * constant
    root = np.sqrt(np.maximum(inside, 0.0))
    ends = np.column_stack([linear - root, linear + root]) / (2 * square[:, None])
    reach = np.sqrt(z2 * model)
    # No proportion at all passes: go out from the estimate by the error at the range's end.
    none = inside < -NOTHING * linear**2
    ends[none] = np.column_stack([values - reach, values + reach])[none]
    ends[~finite] = [0.0, 1.0]
    return ends


def errors_of(covariance: FloatArray) -> FloatArray:
    """Return square roots of the diagonal; inf where the estimate of a variance is negative."""
    variances = np.diag(covariance)
    return np.where(variances >= 0, np.sqrt(np.maximum(variances, 0)), np.inf)


def student_quantile(level: float, degrees: int) -> float:
    """Return how many standard errors an interval reaches; without a degree of freedom as with 1.

    Raises
    ------
    ArgumentError
    """
    return float(t_isf((1 - check.open_unit(level, "level")) / 2, max(degrees, 1)))


def student_intervals(
    values: FloatArray, errors: FloatArray, degrees: int, level: float
) -> FloatArray:
    """Return ``value -+ t error``, shape (k, 2)."""
    half = student_quantile(level, degrees) * errors
    return np.column_stack([values - half, values + half])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SurveyEstimate(FrozenArrays, Noted, Drawn):
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

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import estimate_mean, value_scores
    >>> found = estimate_mean(value_scores([3.0, 1.0, 2.0, 4.0]), SurveySample([1, 1, 2, 2]))
    >>> found.values.round(3).tolist(), found.standard_errors.round(3).tolist()
    ([2.667], [0.66])
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

    def _described(self) -> Description:
        return told(self, describe(self).facts, self._table())

    def _table(self) -> Table:
        found = self.values, self.standard_errors
        return known("number", range(len(self.values)), "estimate", found, self.interval())

    def _figure(self) -> Intervals:
        axis = f"{self.kind.capitalize()}, with its interval of 95 %"
        return Intervals.of(self._table(), axis, f"Estimates from {self.n} respondents")

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

    Examples
    --------
    >>> from rr_engine import SurveySample, estimate_weighted, warner
    >>> sample = SurveySample([2, 2, 1, 1, 1, 3] * 20, clusters=[*range(30)] * 4)
    >>> found = estimate_weighted(warner(0.8), [1, 0, 0, 1, 0] * 24, sample)
    >>> found.proportions.round(3).tolist(), found.standard_errors.round(3).tolist()
    ([0.667, 0.333], [0.166, 0.166])
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
        if check.choice(method, "method", ("score", "normal")) == "normal":
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
