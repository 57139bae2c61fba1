"""A linear model with randomized predictors by moments, whatever the distribution of the errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.codes import as_numbers
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import same_people
from rr_engine.regression.engine.covariates import (
    LARGEST_NUMBER,
    Scaling,
    check_covariates,
    scale_columns,
)
from rr_engine.regression.engine.fitted_model import FEW_REPORTS, MODEL_NOTES
from rr_engine.regression.engine.samples import mean_one, model_sample
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit
from rr_engine.regression.randomized_outcome.regression_fitting import (
    FittedEquations,
    unbiased_scores,
)
from rr_engine.regression.randomized_predictors.predictor_fitting import PredictorData
from rr_engine.regression.randomized_predictors.predictors import (
    RandomizedPredictors,
    check_predictors,
    check_terms,
)
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.sampling.survey_sample import SurveySample
from rr_engine.sampling.weighted_sample import WeightedSample


@by_formula(formula="outcome", frame="X", columns=("weights",))
@same_people("outcome", "X", "weights")
def moment_regression(
    outcome: ArrayLike,
    X: ArrayLike | None,
    predictors: Sequence[ReportLikelihoods],
    weights: ArrayLike | None = None,
    *,
    scores: Sequence[ArrayLike | None] | None = None,
    intercept: bool = True,
    names: Sequence[str] | None = None,
    predictor_names: Sequence[str] | None = None,
    sample: WeightedSample | None = None,
) -> RegressionFit:
    """Fit a linear model with randomized predictors without any assumption on the errors.

    Parameters
    ----------
    outcome : array_like of float, shape (n,)
    X : array_like of float, shape (n, covariates) or (n,), or None
    predictors : sequence of ReportLikelihoods
        One or more. A respondent with no report on one of them does not count.
    weights : array_like of float, shape (n,), optional
    scores : sequence of array_like or None, optional
        As in :meth:`rr_engine.RRRegression.fit`.
    intercept : bool, default True
    names, predictor_names : sequence of str, optional
    sample : SurveySample, ProbabilitySample or calibrated sample, optional
        Weights, strata and clusters, for the standard errors. A finite population is not used:
        a model is about what made it (docs/methods/sampling.md).

    Returns
    -------
    RegressionFit
        With robust errors and no likelihood.

    Raises
    ------
    ArgumentError, CountsError, NotIdentifiableError

    Notes
    -----
    Least squares needs sums of products of columns with each other and with the outcome. Those of
    true predictors are replaced by unbiased ones: each report by the score that its device's
    inverse gives it, and products within a predictor by the score of the product.
    docs/methods/predictors.md.

    References
    ----------
    .. [1] W. A. Fuller, "Measurement Error Models", Wiley, 1987, section 2.2.

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.models import ReportLikelihoods
    >>> reports = ReportLikelihoods(warner(0.8), [1] * 300 + [0] * 300)
    >>> numbers = [2] * 200 + [1] * 100 + [2] * 100 + [1] * 200
    >>> moment_regression(numbers, None, [reports]).params.round(3).tolist()
    [1.222, 0.556]
    """
    numbers = check_numbers(outcome)
    n = len(numbers)
    chosen = check_predictors(predictors, scores, predictor_names, n)
    covariates = check_covariates(X, n, names, intercept=intercept)
    check_terms(chosen, covariates.names)
    data = PredictorData(
        covariates=covariates,
        predictors=chosen,
        outcome=numbers,
        link="identity",
        sample=model_sample(weights, sample, n),
        dependent=True,
    )
    return fit_moments(data)


def fit_moments(data: PredictorData) -> RegressionFit:
    """Return the fit by moments of those who reported on all predictors."""
    chosen, covariates = data.predictors, data.covariates
    numbers = np.asarray(data.outcome)
    reported = np.all([reports.reported for reports in chosen.reports], axis=0)
    people = data.sample.of_those(reported)
    amounts, used = people.weights, people.n
    _check_varying(numbers[amounts > 0], chosen)
    # In sorted order, so that the sums do not depend on the order of the rows.
    order = np.lexsort((amounts, *chosen.codes.T, numbers, *covariates.columns.T))
    amounts = mean_one(amounts)
    scaling = scale_columns(
        covariates.columns[order], amounts[order], covariates.names, intercept=covariates.intercept
    )
    middle = float(amounts[order] @ numbers[order] / used) if covariates.intercept else 0.0
    equations = Equations.of(chosen, scaling.apply(covariates.columns), numbers - middle)
    moments, right = equations.sums(amounts, order)
    _check_solvable(moments, chosen)
    theta = np.asarray(np.linalg.solve(moments, right), np.float64)
    contributions = equations.contributions(theta) * amounts[:, None]
    variance_of = people.variance_of or SurveySample(n=len(numbers)).covariance_of_total
    fitted = FittedEquations(
        columns=equations.columns,
        row_weights=amounts,
        moments=moments,
        contributions=contributions,
        transform=_transform(scaling, len(theta)),
        variance=variance_of(contributions),
    )
    params = fitted.transform @ theta
    params[0] += middle
    return fitted.fit(
        params=params,
        intercept=covariates.intercept,
        names=(*covariates.names, *chosen.names),
        n=used,
        truths=1,
        weighted=people.weighted,
        notes=MODEL_NOTES.holding({"few_reports": used < FEW_REPORTS * len(theta)}),
    )


def _check_varying(numbers: FloatArray, predictors: RandomizedPredictors) -> None:
    if not numbers.size:
        rule = "hold reports on all of them by at least one respondent with a weight above zero"
        raise CountsError("predictors", predictors.reports, rule, "no_reports")
    if np.ptp(numbers) == 0:
        rule = "differ: all numbers are the same, so that nothing can explain them"
        raise ArgumentError("outcome", numbers[0], rule, "constant_outcome")


@dataclass(frozen=True, slots=True, eq=False)
class Equations:
    """Unbiased terms of the normal equations of each respondent.

    Attributes
    ----------
    columns : ndarray of float, shape (n, p)
    products : tuple of (slice, ndarray of float, shape (n, k, k))
        For each predictor its places among the columns, and unbiased products of its terms.
    numbers : ndarray of float, shape (n,)
    """

    columns: FloatArray
    products: tuple[tuple[slice, FloatArray], ...]
    numbers: FloatArray

    @classmethod
    def of(
        cls, predictors: RandomizedPredictors, covariates: FloatArray, numbers: FloatArray
    ) -> Equations:
        """Return the terms of covariates, reports and an outcome."""
        columns, products, start = [covariates], [], covariates.shape[1]
        for place, reports in enumerate(predictors.reports):
            others = np.delete(predictors.combinations, place, axis=1)
            own = predictors.terms[(others == 0).all(axis=1)]
            own = own[:, np.ptp(own, axis=0) > 0]
            shares = np.column_stack(
                [unbiased_scores(reports, category) for category in range(reports.truths)]
            )[reports.row_of]
            columns.append(shares @ own)
            places = slice(start, start + own.shape[1])
            products.append((places, np.einsum("nt,ta,tb->nab", shares, own, own)))
            start = places.stop
        return cls(np.column_stack(columns), tuple(products), numbers)

    def sums(
        self, weights: FloatArray, order: npt.NDArray[np.intp]
    ) -> tuple[FloatArray, FloatArray]:
        """Return weighted sums of products of the columns, and of these with the outcome."""
        columns, amounts = self.columns[order], weights[order]
        weighted = columns * amounts[:, None]
        moments = weighted.T @ columns
        for places, products in self.products:
            moments[places, places] = np.einsum("n,nab->ab", amounts, products[order])
        return moments, weighted.T @ self.numbers[order]

    def contributions(self, theta: FloatArray) -> FloatArray:
        """Return what each respondent adds, shape (n, p): zero on average at the truth."""
        fitted = self.columns @ theta
        result = self.columns * (self.numbers - fitted)[:, None]
        for places, products in self.products:
            # Within a predictor the product of two scores is not the score of the product.
            result[:, places] += (
                self.columns[:, places] * (self.columns[:, places] @ theta[places])[:, None]
            )
            result[:, places] -= products @ theta[places]
        return result


def check_numbers(value: ArrayLike) -> FloatArray:
    """Return the numbers of a linear model's outcome."""
    numbers = as_numbers(value)
    rule = f"be a list of finite numbers, of at most {LARGEST_NUMBER:g} in size, one for each"
    rule += " respondent"
    fits = numbers is not None and numbers.ndim == 1 and numbers.size
    # NaN fails the comparison.
    if numbers is None or not fits or not (np.abs(numbers) <= LARGEST_NUMBER).all():
        raise ArgumentError("outcome", value, rule, "not_numbers")
    return numbers


def _check_solvable(moments: FloatArray, predictors: RandomizedPredictors) -> None:
    """Refuse equations in which the true columns seem not to vary, or to follow from others."""
    scale = np.sqrt(np.maximum(np.diag(moments), 0.0))
    if not (scale > 0).all() or np.linalg.eigvalsh(moments / np.outer(scale, scale))[0] <= 1e-9:
        rule = "be reported so that their true answers are seen to vary apart from each other and"
        rule += " from X: leave some out, or use RRRegression"
        raise ArgumentError("predictors", predictors.names, rule, "spread_not_seen")


def _transform(scaling: Scaling, size: int) -> FloatArray:
    transform = np.eye(size)
    width = len(scaling.transform)
    transform[:width, :width] = scaling.transform
    return transform
