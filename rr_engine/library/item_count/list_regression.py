"""Regression of the sensitive item of a list experiment on covariates."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit, gammaln, log_expit, logit

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.codes import check_codes
from rr_engine.design import DesignMatrix
from rr_engine.errors import CategoryError, CountsError
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import same_people
from rr_engine.library.item_count.tables import MAX_ITEMS, count_matrix
from rr_engine.library.multilevel.group_terms import log_sum_exp
from rr_engine.precision import left_inverse
from rr_engine.regression.engine.covariates import check_covariates, scale_columns
from rr_engine.regression.engine.fitted_model import FEW_REPORTS, FittedMaximum, FittedModel
from rr_engine.regression.engine.newton import Maximum, maxima_from, wide_points
from rr_engine.regression.engine.row_likelihood import RowLikelihood, RowTerms
from rr_engine.regression.engine.samples import ModelSample, group_rows, model_sample
from rr_engine.regression.engine.separation import unbounded_directions
from rr_engine.regression.randomized_outcome.predictions import delta_errors
from rr_engine.sampling.weighted_sample import WeightedSample


@dataclass(frozen=True, eq=False)
class ListLikelihood(RowLikelihood):
    """Groups of respondents who are alike.

    Attributes
    ----------
    columns : ndarray of float, shape (g, p)
    weights : ndarray of float, shape (g,)
    chances : ndarray of float, shape (g, 2, items + 1)
        Of the group's report, by trait and by count of the other items.
    """

    columns: FloatArray
    weights: FloatArray
    chances: FloatArray

    @property
    def items(self) -> int:
        """Number of items on the short list."""
        return self.chances.shape[2] - 1

    @cached_property
    def log_chances(self) -> FloatArray:
        """Logarithms of the chances; minus infinity of those that are 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.chances)

    @property
    def parts(self) -> tuple[FloatArray, FloatArray]:
        """The columns of the trait and of the other items."""
        return self.columns, self.columns

    @property
    def row_weights(self) -> FloatArray:
        """The weight of each group."""
        return self.weights

    def terms(self, eta: FloatArray) -> RowTerms:
        """Return the terms of each group: complete information less the missing (Louis 1982)."""
        trait, item = eta.T
        count = np.arange(self.items + 1)
        binomial = gammaln(self.items + 1) - gammaln(count + 1) - gammaln(self.items + 1 - count)
        logs = binomial + count * log_expit(item)[:, None]
        logs = logs + (self.items - count) * log_expit(-item)[:, None]
        having = np.stack([log_expit(-trait), log_expit(trait)], axis=1)
        joint = self.log_chances + having[:, :, None] + logs[:, None, :]
        values = log_sum_exp(joint, axis=(1, 2))
        posterior = np.exp(joint - np.where(np.isfinite(values), values, 0.0)[:, None, None])
        # Posterior means of trait and count, their variances, and their covariance.
        z, y = posterior[:, 1].sum(axis=1), (posterior * count).sum(axis=(1, 2))
        both = (posterior[:, 1] * count).sum(axis=1) - z * y
        squares = (posterior * count**2).sum(axis=(1, 2)) - y**2
        information = np.empty((len(z), 2, 2))
        information[:, 0, 0] = expit(trait) * expit(-trait) - z * (1 - z)
        information[:, 0, 1] = information[:, 1, 0] = -both
        information[:, 1, 1] = self.items * expit(item) * expit(-item) - squares
        score = np.column_stack([z - expit(trait), y - self.items * expit(item)])
        return RowTerms(values, score, information)


def report_chances(matrix: FloatArray, reports: IntArray, treated: IntArray) -> FloatArray:
    """Return the chances of reports by trait and count, shape (n, 2, items + 1)."""
    rows = matrix[reports]
    without = rows[:, :-1]
    having = np.where(treated[:, None] == 1, rows[:, 1:], without)
    return np.stack([without, having], axis=1)


# Starts around that of the means, and the rows up to which they are walked.
WIDE, MOST_SEARCHED = 16, 5000
# The start is kept this far from the ends of the range.
EDGE = 0.02


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedList(FittedMaximum):
    """The likelihood of counts at its maximum."""

    likelihood: ListLikelihood

    def prevalence_error(self, kind: str) -> float:
        """Return the standard error of the mean probability; infinite where it is not known."""
        size = self.likelihood.columns.shape[1]
        weights, covariance = self.likelihood.weights, self.covariance(kind)[:size, :size]
        chances = expit(self.likelihood.columns @ self.theta[:size])
        slope = (weights * chances * (1 - chances)) @ self.likelihood.columns / weights.sum()
        # The columns are scaled, the covariance is not.
        slope = np.linalg.solve(self.transform[:size, :size].T, slope)
        return float(delta_errors(slope[None, :], covariance)[0])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListRegression(FittedModel):
    """Coefficients of the trait and of the other items; p columns, the intercept's first.

    Attributes
    ----------
    params : ndarray of float, shape (p,)
        Of log odds of the trait.
    control_params : ndarray of float, shape (p,)
        Of log odds that one of the other items is true.
    covariance : ndarray of float, shape (2 * p, 2 * p)
        Of `params` and `control_params`; infinite where there is no finite estimate.
    standard_error_kind : str
        "observed", or "robust" with weights.
    log_likelihood : float
    prevalence : float
        Mean probability of the trait over all respondents.
    n : int
        Respondents of both groups with a weight above zero.
    names : tuple of str
    weighted : bool
    converged : bool
    iterations : int
    notes : tuple of Note
    fitted : FittedList

    Examples
    --------
    >>> from rr_engine import list_regression
    >>> counts = [0] * 20 + [1] * 50 + [2] * 30 + [0] * 14 + [1] * 40 + [2] * 35 + [3] * 11
    >>> fit = list_regression(None, counts, [0] * 100 + [1] * 100, 2)
    >>> fit.names, round(fit.prevalence, 2), fit.converged
    (('intercept',), 0.35, True)
    """

    control_params: FloatArray
    log_likelihood: float
    prevalence: float
    weighted: bool
    fitted: FittedList

    def _further(self) -> Sequence[tuple[str, tuple[str, ...], FloatArray]]:
        return (("One of the other items", self.names, self.control_params),)

    @property
    def prevalence_standard_error(self) -> float:
        """Standard error of `prevalence`, by the delta method."""
        return self.fitted.prevalence_error(self.standard_error_kind)


@by_formula(frame="counts", columns=("treated", "weights"))
@same_people("X", "counts", "treated", "weights")
def list_regression(
    X: ArrayLike | None,
    counts: ArrayLike,
    treated: ArrayLike,
    items: int,
    weights: ArrayLike | None = None,
    *,
    intercept: bool = True,
    names: Sequence[str] | None = None,
    design: DesignMatrix | None = None,
    sample: WeightedSample | None = None,
) -> ListRegression:
    """Regress the sensitive item of a list experiment on covariates, by maximum likelihood.

    Parameters
    ----------
    X : array_like of float, shape (n, covariates) or (n,), or None
    counts : array_like of int, shape (n,)
        What each person said: 0 to items with the short list, 0 to items + 1 with the long one; or
        the reports of a device.
    treated : array_like of int, shape (n,)
        1 for those with the long list, else 0; some of both.
    items : int
        Items of the short list, 1 to 20.
    weights : array_like of float, shape (n,), optional
        Sampling weights: the standard errors are robust then.
    intercept : bool, default True
    names : sequence of str, optional
        Of the covariates; x1, x2, ... when left out.
    design : DesignMatrix, optional
        A device for the count, as in :func:`rr_engine.list_experiment`.
    sample : SurveySample, ProbabilitySample or calibrated sample, optional
        Weights, strata and clusters, for the standard errors. A finite population is not used:
        a model is about what made it (docs/methods/sampling.md).

    Returns
    -------
    ListRegression

    Raises
    ------
    ArgumentError, CategoryError, DesignError, NotIdentifiableError

    Notes
    -----
    The trait is logistic, and the number of the other items binomial with a logistic chance that
    does not depend on the trait (the "constrained" model of R's package list). Newton's method on
    the observed likelihood, the highest maximum from a start of the means and others all around
    it. docs/methods/item-count.md.

    References
    ----------
    .. [1] K. Imai, "Multivariate Regression Analysis for the Item Count Technique", Journal of the
       American Statistical Association 106 (2011), 407-416.
    .. [2] T. A. Louis, "Finding the Observed Information Matrix when Using the EM Algorithm",
       Journal of the Royal Statistical Society B 44 (1982), 226-233.

    Examples
    --------
    >>> counts = [0] * 20 + [1] * 50 + [2] * 30 + [0] * 14 + [1] * 40 + [2] * 35 + [3] * 11
    >>> treated = [0] * 100 + [1] * 100
    >>> fit = list_regression(None, counts, treated, 2)
    >>> round(fit.prevalence, 3), round(fit.prevalence_standard_error, 3)
    (0.346, 0.097)
    """
    size = check.whole(items, "items", minimum=1, maximum=MAX_ITEMS)
    matrix = count_matrix(size, design)
    reports, groups = check_counts(counts, treated, matrix, direct=design is None)
    covariates = check_covariates(X, len(reports), names, intercept=intercept)
    people = model_sample(weights, sample, len(reports))
    _check_used(people.weights, reports, groups, matrix)
    people = people.with_mean_one()
    rows = group_rows(covariates.columns, np.column_stack([reports, groups]), people.weights)
    scaling = scale_columns(rows.columns, rows.weights, covariates.names, intercept=intercept)
    likelihood = ListLikelihood(
        scaling.apply(rows.columns),
        rows.weights,
        report_chances(matrix, rows.codes[:, 0], rows.codes[:, 1]),
    )
    start = _start(likelihood, rows.codes, matrix)
    others = wide_points(start, WIDE) if len(rows.codes) <= MOST_SEARCHED else []
    found = maxima_from(likelihood, [start, *others])[0]
    fitted = FittedList.at(
        likelihood,
        found,
        rows,
        people,
        transform=np.kron(np.eye(2), scaling.transform).astype(np.float64),
        unbounded=unbounded_directions(likelihood, found.theta, found.information),
    )
    return _result(found, fitted, covariates.names, people)


def _check_used(
    weights: FloatArray, reports: IntArray, groups: IntArray, matrix: FloatArray
) -> None:
    """Refuse a group of whom nobody counts, and reports that the device never makes."""
    rule = "be of some of both groups with a weight above zero"
    if len({*groups[weights > 0].tolist()}) < 2:
        raise CategoryError("treated", groups, rule, "not_truths")
    long_list, short_list = (part.max(axis=1) > 0 for part in (matrix, matrix[:, :-1]))
    possible = np.where(groups == 1, long_list[reports], short_list[reports])
    if not possible[weights > 0].all():
        raise CountsError("counts", reports, "be such as the device makes", "impossible_report")


def check_counts(
    counts: ArrayLike, treated: ArrayLike, matrix: FloatArray, *, direct: bool
) -> tuple[IntArray, IntArray]:
    """Return the reports, and 1 for those with the long list; refuses other numbers."""
    rule = "be a list of 0 and 1, one for each respondent, with some of both"
    groups, reports = (
        check_codes(value, name, error=CategoryError, code="not_truths", remedy="fill it in")
        for name, value in (("treated", treated), ("counts", counts))
    )
    if set(np.unique(groups).tolist()) != {0, 1}:
        raise CategoryError("treated", treated, rule, "not_truths")
    rule = f"be a list of whole numbers from 0 to {len(matrix) - 1}, one for each respondent"
    if len(reports) != len(groups) or reports.min() < 0 or reports.max() >= len(matrix):
        raise CategoryError("counts", counts, rule, "not_truths")
    if direct and (reports[groups == 0] == len(matrix) - 1).any():
        rule = f"be at most {len(matrix) - 2} with the short list"
        raise CategoryError("counts", counts, rule, "not_truths")
    return reports, groups


def _start(likelihood: ListLikelihood, codes: IntArray, matrix: FloatArray) -> FloatArray:
    """Return chances that are the same for everybody: the difference in means, and the mean."""
    scores = [
        np.arange(columns.shape[1]) @ left_inverse(columns) for columns in (matrix[:, :-1], matrix)
    ]
    means = [
        np.average(score[codes[group, 0]], weights=likelihood.weights[group])
        for score, group in zip(scores, (codes[:, 1] == 0, codes[:, 1] == 1), strict=True)
    ]
    shares = np.clip([means[1] - means[0], means[0] / likelihood.items], EDGE, 1 - EDGE)
    # Without an intercept the nearest to a constant that the columns make.
    constant = np.linalg.lstsq(likelihood.columns, np.ones(len(codes)), rcond=None)[0]
    return np.concatenate([float(logit(share)) * constant for share in shares])


def _result(
    found: Maximum, fitted: FittedList, names: tuple[str, ...], people: ModelSample
) -> ListRegression:
    likelihood, size = fitted.likelihood, len(names)
    chances = expit(likelihood.columns @ found.theta[:size])
    kind = people.error_kind
    covariance, params = fitted.covariance(kind), fitted.transform @ found.theta
    conditions = {
        "separation": bool(np.isinf(np.diag(covariance)).any()),
        "not_converged": not found.converged,
        "few_reports": people.n < FEW_REPORTS * 2 * size,
    }
    return ListRegression(
        params=params[:size],
        control_params=params[size:],
        covariance=covariance,
        log_likelihood=found.value,
        prevalence=float(likelihood.weights @ chances / likelihood.weights.sum()),
        names=names,
        **fitted.described(found, people, kind, conditions),
    )
