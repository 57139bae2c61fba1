"""Regression of the sensitive item of a list experiment on covariates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.estimation.notes import Note
from rr_engine.item_count.tables import MAX_ITEMS, check_count_device
from rr_engine.precision import left_inverse
from rr_engine.regression.covariates import check_covariates, scale_columns
from rr_engine.regression.list_likelihood import ListLikelihood, report_chances
from rr_engine.regression.newton import Maximum, maximise
from rr_engine.regression.remarks import remarks
from rr_engine.regression.rows import check_weights, group_rows
from rr_engine.regression.wald import WaldTable
from rr_engine.validation import (
    FloatArray,
    IntArray,
    as_array,
    check_whole,
    freeze,
)

# Share of the largest curvature below which a direction has no information.
FLAT = 1e-9
# The start is kept this far from the ends of the range.
EDGE = 0.02
FEW = 10


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListRegression(WaldTable):
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
    prevalence, prevalence_standard_error : float
        Mean probability of the trait over all respondents, and its error by the delta method.
    n : int
        Respondents of both groups with a weight above zero.
    names : tuple of str
    converged : bool
    iterations : int
    notes : tuple of Note
    """

    params: FloatArray
    control_params: FloatArray
    covariance: FloatArray
    standard_error_kind: str
    log_likelihood: float
    prevalence: float
    prevalence_standard_error: float
    n: int
    names: tuple[str, ...]
    converged: bool
    iterations: int
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        for name in ("params", "control_params", "covariance"):
            object.__setattr__(self, name, freeze(getattr(self, name)))

    @property
    def standard_errors(self) -> FloatArray:
        """Errors of the trait's coefficients."""
        return np.sqrt(np.diag(self.covariance))[: len(self.params)]

    @property
    def control_standard_errors(self) -> FloatArray:
        """Errors of the other items' coefficients."""
        return np.sqrt(np.diag(self.covariance))[len(self.params) :]


def list_regression(
    X: npt.ArrayLike | None,
    counts: npt.ArrayLike,
    treated: npt.ArrayLike,
    items: int,
    weights: npt.ArrayLike | None = None,
    *,
    intercept: bool = True,
    names: Sequence[str] | None = None,
    design: DesignMatrix | None = None,
) -> ListRegression:
    """Regress the sensitive item of a list experiment on covariates, by maximum likelihood.

    Parameters
    ----------
    X : array_like of float, shape (n, covariates), or None
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
    the observed likelihood from a fixed start. docs/methods/item-count.md.

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
    size = check_whole(items, "items", minimum=1, maximum=MAX_ITEMS)
    matrix = _matrix(size, design)
    reports, groups = _reports(counts, treated, matrix, direct=design is None)
    covariates = check_covariates(X, len(reports), names, intercept=intercept)
    given = check_weights(weights, len(reports))
    amounts = np.ones(len(reports)) if given is None else given * (given > 0).sum() / given.sum()
    codes = np.column_stack([reports, groups])
    rows = group_rows(covariates.columns, codes, amounts)
    scaling = scale_columns(rows.columns, rows.weights, covariates.names, intercept=intercept)
    scaled = scaling.apply(rows.columns)
    likelihood = ListLikelihood(
        scaled, rows.weights, report_chances(matrix, rows.codes[:, 0], rows.codes[:, 1])
    )
    found = maximise(likelihood.objective, _start(likelihood, rows.codes, matrix))
    scores = likelihood.scores(found.theta)
    square = None if given is None else (scores * rows.squares[:, None]).T @ scores
    covariance = _covariance(found, square)
    transform: FloatArray = np.kron(np.eye(2), scaling.transform).astype(np.float64)
    return _result(
        found,
        covariance,
        (transform, scaled, rows.weights),
        covariates.names,
        (int((amounts > 0).sum()), given is not None),
    )


def _matrix(items: int, design: DesignMatrix | None) -> FloatArray:
    if design is None:
        return np.eye(items + 2)
    device = check_count_device(design)
    if device.truth_size != items + 2:
        rule = f"have {items + 2} truths: the counts of the long list"
        raise ArgumentError("design", design, rule, "categories_differ")
    return np.asarray(device.matrix)


def _reports(
    counts: npt.ArrayLike, treated: npt.ArrayLike, matrix: FloatArray, *, direct: bool
) -> tuple[IntArray, IntArray]:
    groups = as_array(treated)
    rule = "be a list of 0 and 1, one for each respondent, with some of both"
    if groups is None or groups.ndim != 1 or groups.dtype.kind not in "iu":
        raise CategoryError("treated", treated, rule, "not_truths")
    if set(np.unique(groups).tolist()) != {0, 1}:
        raise CategoryError("treated", treated, rule, "not_truths")
    reports = as_array(counts)
    rule = f"be a list of whole numbers from 0 to {len(matrix) - 1}, one for each respondent"
    if reports is None or reports.shape != groups.shape or reports.dtype.kind not in "iu":
        raise CategoryError("counts", counts, rule, "not_truths")
    if reports.min() < 0 or reports.max() >= len(matrix):
        raise CategoryError("counts", counts, rule, "not_truths")
    if direct and (reports[groups == 0] == len(matrix) - 1).any():
        rule = f"be at most {len(matrix) - 2} with the short list"
        raise CategoryError("counts", counts, rule, "not_truths")
    return reports.astype(np.int64), groups.astype(np.int64)


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


def _covariance(found: Maximum, square: FloatArray | None) -> FloatArray | None:
    """Return the covariance of the scaled coefficients; None where some has no estimate."""
    scale = np.sqrt(np.maximum(np.diag(found.information), 1e-300))
    values = np.linalg.eigvalsh(found.information / np.outer(scale, scale))
    if values[0] <= FLAT * values[-1]:
        return None
    inverse: FloatArray = np.asarray(np.linalg.inv(found.information), dtype=np.float64)
    return inverse if square is None else inverse @ square @ inverse


def _result(
    found: Maximum,
    covariance: FloatArray | None,
    data: tuple[FloatArray, FloatArray, FloatArray],
    names: tuple[str, ...],
    people: tuple[int, bool],
) -> ListRegression:
    transform, scaled, weights = data
    size = len(found.theta) // 2
    chances = expit(scaled @ found.theta[:size])
    slope = weights * chances * (1 - chances) @ scaled / weights.sum()
    params, n = transform @ found.theta, people[0]
    if covariance is None:
        spread, error = np.diag(np.full(2 * size, np.inf)), np.inf
    else:
        spread = transform @ (covariance + covariance.T) @ transform.T / 2
        error = float(np.sqrt(max(float(slope @ covariance[:size, :size] @ slope), 0.0)))
    conditions = {
        "separation": covariance is None,
        "not_converged": not found.converged,
        "few_reports": n < FEW * 2 * size,
    }
    return ListRegression(
        params=params[:size],
        control_params=params[size:],
        covariance=spread,
        standard_error_kind="robust" if people[1] else "observed",
        log_likelihood=found.value,
        prevalence=float(weights @ chances / weights.sum()),
        prevalence_standard_error=error,
        n=n,
        names=names,
        converged=found.converged,
        iterations=found.iterations,
        notes=remarks(conditions),
    )
