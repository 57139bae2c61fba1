"""Cross-tables of two questions in a population, from a weighted sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays
from rr_engine.display.shown import Shown
from rr_engine.distributions import f_sf
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.estimation.notes import SAMPLE_NOTES, Note
from rr_engine.estimation.ratio import fieller
from rr_engine.sampling.assembling import check_weights_of
from rr_engine.sampling.estimating import proportions_of
from rr_engine.sampling.scores import ReportScores, check_scores_of, pair_scores
from rr_engine.sampling.survey_estimate import WeightedProportions, student_quantile
from rr_engine.sampling.weighted_sample import WeightedSample, check_sample

# Cells of a table, and numbers in a table of all respondents' scores: 1 GB.
MOST_CELLS = 1024
MOST_SCORES = 2**27
# Relative size below which a direction of the residuals' covariance is rounding.
DEPENDENT = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightedTable(Shown):
    """Joint proportions of two questions in a population.

    Attributes
    ----------
    cells : WeightedProportions
        Of all cells in a row, the second question changing fastest, with covariance and intervals.
    shape : tuple of int
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import SurveySample, warner
    >>> from rr_engine.sampling import estimate_weighted_table, report_scores
    >>> first = report_scores(warner(0.9), [0] * 60 + [1] * 60)
    >>> second = report_scores(warner(0.8), [0] * 50 + [1] * 10 + [0] * 25 + [1] * 35)
    >>> table = estimate_weighted_table(first, second, SurveySample([1, 2] * 60))
    >>> table.shape, table.proportions.round(2).tolist()
    ((2, 2), [[0.57, -0.07], [0.13, 0.37]])
    """

    cells: WeightedProportions
    shape: tuple[int, int]
    notes: tuple[Note, ...]

    @property
    def proportions(self) -> FloatArray:
        """Joint proportions, shape (rows, columns); unbiased, so that they may leave 0 to 1."""
        return self.cells.values.reshape(self.shape)

    @property
    def standard_errors(self) -> FloatArray:
        """Standard errors of the joint proportions, shape (rows, columns)."""
        return self.cells.standard_errors.reshape(self.shape)

    def margin(self, axis: int) -> FloatArray:
        """Return the proportions of the first (0) or second (1) question.

        Ours: docs/methods/sampling.md.
        """
        return self.proportions.sum(axis=1 - check.whole(axis, "axis", maximum=1))

    def interval(self, level: float = 0.95, method: str = "score") -> FloatArray:
        """Return a confidence interval for each cell, shape (rows, columns, 2).

        See :meth:`WeightedProportions.interval` (Wilson 1927; Korn & Graubard 1998).
        """
        return self.cells.interval(level, method).reshape(*self.shape, 2)

    def shares_within(self, axis: int = 0, level: float = 0.95) -> WeightedShares:
        """Return the proportions of one question within each category of the other.

        Parameters
        ----------
        axis : int, default 0
            The question whose categories are the groups: 0 for the first, 1 for the second.
        level : float, default 0.95

        Returns
        -------
        WeightedShares
            Intervals are Fieller's, with quantiles of Student's t; where the share of a group is
            not clearly above 0 they are 0 to 1.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] E. C. Fieller, "Some Problems in Interval Estimation", Journal of the Royal
           Statistical Society B 16 (1954), 175-185.
        .. [2] C.-E. Sarndal, B. Swensson and J. Wretman, "Model Assisted Survey Sampling",
           Springer, 1992, section 5.6 (ratios).
        """
        groups = check.whole(axis, "axis", maximum=1)
        rows, columns = self.shape
        order = np.arange(rows * columns).reshape(self.shape)
        order = order if groups == 0 else order.T
        table = self.cells.values[order]
        covariances = self.cells.covariance[order[:, :, None], order[:, None, :]]
        sums = table.sum(axis=1)
        with_group, spreads = covariances.sum(axis=2), covariances.sum(axis=(1, 2))
        variances = np.diagonal(covariances, axis1=1, axis2=2)
        known = sums > 0
        safe = np.where(known, sums, 1.0)[:, None]
        values = np.where(known[:, None], table / safe, 1 / table.shape[1])
        squares = variances - 2 * values * with_group + values**2 * spreads[:, None]
        errors = np.sqrt(np.maximum(squares, 0.0)) / safe
        errors[~known] = np.inf
        factor = student_quantile(level, self.cells.degrees_of_freedom)
        moments = (variances, with_group, spreads[:, None])
        ends = fieller(table, sums[:, None], moments, factor, unknown=(0.0, 1.0))
        ends[~known] = [0.0, 1.0]
        return WeightedShares(values=values, standard_errors=errors, ends=ends)

    def independence(self) -> IndependenceWald:
        """Test whether the two questions are independent of each other.

        Returns
        -------
        IndependenceWald

        Notes
        -----
        docs/methods/sampling.md. Residuals, joint proportions less products of the margins, over
        their covariance by linearisation: Wald's statistic W with d = (rows - 1)(columns - 1).
        With f degrees of freedom between clusters, ``W (f - d + 1)/(f d)`` has about an F
        distribution with d and f - d + 1.

        References
        ----------
        .. [1] I. P. Fellegi, "Approximate Tests of Independence and Goodness of Fit Based on
           Stratified Multistage Samples", Journal of the American Statistical Association 75
           (1980), 261-268.
        .. [2] D. R. Thomas and J. N. K. Rao, "Small-Sample Comparisons of Level and Power for
           Simple Goodness-of-Fit Statistics Under Cluster Sampling", Journal of the American
           Statistical Association 82 (1987), 630-636.
        """
        rows, columns = self.shape
        table = self.proportions
        first, second = table.sum(axis=1), table.sum(axis=0)
        residuals = (table - np.outer(first, second))[:-1, :-1].ravel()
        slopes = np.eye(rows * columns)
        slopes -= np.kron(np.kron(np.eye(rows), np.ones((1, columns))), second[:, None])
        slopes -= np.kron(first[:, None], np.kron(np.ones((1, rows)), np.eye(columns)))
        inner = (np.arange(rows * columns).reshape(self.shape)[:-1, :-1]).ravel()
        spread = slopes[inner] @ self.cells.covariance @ slopes[inner].T
        inverse = np.linalg.pinv(spread, rcond=DEPENDENT, hermitian=True)
        size, freedom = len(inner), self.cells.degrees_of_freedom
        rest = freedom - size + 1
        statistic = max(float(residuals @ inverse @ residuals), 0.0)
        if rest < 1:
            # Fewer clusters than residuals: their covariance says nothing of some of them.
            return IndependenceWald(
                0.0, size, rest, 1.0, SAMPLE_NOTES.holding({"few_clusters": True})
            )
        ratio = statistic * rest / (freedom * size)
        return IndependenceWald(ratio, size, rest, float(f_sf(ratio, size, rest)), ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightedShares(FrozenArrays):
    """Proportions of one question within the categories of another.

    Attributes
    ----------
    values : ndarray of float, shape (groups, categories)
        Equal ones where the share of a group is not above 0.
    standard_errors : ndarray of float, shape (groups, categories)
    ends : ndarray of float, shape (groups, categories, 2)
        Confidence intervals.

    Examples
    --------
    >>> from rr_engine import SurveySample, warner
    >>> from rr_engine.sampling import estimate_weighted_table, report_scores
    >>> first = report_scores(warner(0.9), [0] * 60 + [1] * 60)
    >>> second = report_scores(warner(0.8), [0] * 50 + [1] * 10 + [0] * 25 + [1] * 35)
    >>> table = estimate_weighted_table(first, second, SurveySample([1, 2] * 60))
    >>> shares = table.shares_within(0)
    >>> shares.values.round(2).tolist(), shares.standard_errors.round(2).tolist()
    ([[1.14, -0.14], [0.26, 0.74]], [[0.1, 0.1], [0.13, 0.13]])
    """

    values: FloatArray
    standard_errors: FloatArray
    ends: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class IndependenceWald(Shown):
    """A test of independence from a weighted sample.

    Attributes
    ----------
    statistic : float
        An F ratio.
    numerator_freedom, denominator_freedom : int
    p_value : float
        1 where clusters are too few for a test, with the note `few_clusters`.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import SurveySample, warner
    >>> from rr_engine.sampling import estimate_weighted_table, report_scores
    >>> first = report_scores(warner(0.9), [0] * 60 + [1] * 60)
    >>> second = report_scores(warner(0.8), [0] * 50 + [1] * 10 + [0] * 25 + [1] * 35)
    >>> table = estimate_weighted_table(first, second, SurveySample([1, 2] * 60))
    >>> test = table.independence()
    >>> test.numerator_freedom, test.p_value < 0.01, test.notes
    (1, True, ())
    """

    statistic: float
    numerator_freedom: int
    denominator_freedom: int
    p_value: float
    notes: tuple[Note, ...]


def estimate_weighted_table(
    first: ReportScores, second: ReportScores, sample: WeightedSample
) -> WeightedTable:
    """Estimate the joint proportions of two questions in a population.

    Parameters
    ----------
    first, second : ReportScores
        From :func:`report_scores`, each by its own device or devices, or direct; the devices of
        the two questions draw independently of each other. Respondents without a report on either
        are left out.
    sample : SurveySample, ProbabilitySample or calibrated sample

    Returns
    -------
    WeightedTable

    Raises
    ------
    ArgumentError, CountsError

    Notes
    -----
    docs/methods/sampling.md. The score of a cell is the product of the two scores, whose mean,
    given the truths, is 1 in the respondent's own cell and 0 elsewhere.

    References
    ----------
    .. [1] A. Chaudhuri, "Randomized Response and Indirect Questioning Techniques in Surveys",
       CRC Press, 2011, chapter 3.

    Examples
    --------
    >>> from rr_engine import SurveySample, warner
    >>> from rr_engine.designs import direct
    >>> from rr_engine.sampling import estimate_weighted_table, report_scores
    >>> trait = report_scores(warner(0.75), [1, 0, 0, 1, 0, 1])
    >>> group = report_scores(direct(2), [0, 0, 1, 1, 0, 1])
    >>> table = estimate_weighted_table(trait, group, SurveySample([2, 1, 1, 1, 1, 2]))
    >>> table.proportions.round(3).tolist()
    [[0.25, 0.0], [0.25, 0.5]]
    """
    drawn = check_sample(sample)
    answers = []
    for value, name in ((first, "first"), (second, "second")):
        answers.append(check_scores_of(value, drawn.n, name))
        if value.variances is not None:
            rule = "be of the truths of a question, from report_scores"
            raise ArgumentError(name, value, rule, "not_report_scores")
    shape = answers[0].rows.shape[1], answers[1].rows.shape[1]
    cells = shape[0] * shape[1]
    if cells > MOST_CELLS or cells * drawn.n > MOST_SCORES:
        rule = f"have at most {min(MOST_CELLS, MOST_SCORES // drawn.n)} cells with the other"
        raise ArgumentError("second", second, rule, "too_many_cells")
    if not (answers[0].reported & answers[1].reported).any():
        rule = "have a report of somebody who has one in first"
        raise CountsError("second", second, rule, "too_few_reports")
    pairs = pair_scores(*answers)
    check_weights_of(pairs, drawn)
    found = proportions_of(pairs, drawn)
    return WeightedTable(cells=found, shape=shape, notes=found.notes)
