"""From data to a fit: starts, ascent, separation, and errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rr_engine.regression.ascents import highest_ascent, null_maximum, start_shares
from rr_engine.regression.covariates import Covariates, Scaling, scale_columns
from rr_engine.regression.fit import FittedLikelihood, RegressionFit
from rr_engine.regression.likelihood import ReportLikelihood
from rr_engine.regression.linear_probability import FittedLeastSquares, unbiased_scores
from rr_engine.regression.newton import Maximum
from rr_engine.regression.outcome import Outcome
from rr_engine.regression.remarks import remarks
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.regression.rows import GroupedRows, group_rows
from rr_engine.regression.samples import score_variance
from rr_engine.validation import FloatArray

FEW_REPORTS = 10


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModelData:
    """Data that a model is fitted to; `weights` are zero for respondents without a report."""

    covariates: Covariates
    reports: ReportLikelihoods
    weights: FloatArray
    weighted: bool
    variance_of: Callable[[FloatArray], FloatArray] | None
    groups: GroupedRows
    scaling: Scaling

    @classmethod
    def of(
        cls,
        covariates: Covariates,
        reports: ReportLikelihoods,
        weights: FloatArray,
        *,
        weighted: bool,
        variance_of: Callable[[FloatArray], FloatArray] | None,
    ) -> ModelData:
        """Return the data with their rows grouped and their columns scaled.

        Raises
        ------
        ArgumentError
            For columns that depend on each other.
        """
        groups = group_rows(covariates.columns, reports.row_of[:, None], weights)
        scaling = scale_columns(
            groups.columns, groups.weights, covariates.names, intercept=covariates.intercept
        )
        scaled = replace(groups, columns=scaling.apply(groups.columns))
        return cls(
            covariates=covariates,
            reports=reports,
            weights=weights,
            weighted=weighted,
            variance_of=variance_of,
            groups=scaled,
            scaling=scaling,
        )

    @property
    def n(self) -> int:
        """Respondents that count."""
        return int(np.count_nonzero(self.weights))


def fit_likelihood(data: ModelData, outcome: Outcome, link: str) -> RegressionFit:
    """Return the maximum-likelihood fit."""
    likelihood = ReportLikelihood(outcome, data.groups, data.reports)
    shares = start_shares(likelihood)
    null = null_maximum(likelihood, shares, link)
    ascent = highest_ascent(likelihood, shares, link, intercept=data.covariates.intercept)
    best, unbounded = ascent.maximum, ascent.unbounded
    transform = kron_of(outcome.predictors, data.scaling.transform)
    fitted = _fitted(likelihood, best, data, transform, unbounded)
    converged = best.converged and not unbounded.shape[1]
    indefinite = not unbounded.shape[1] and bool(np.linalg.eigvalsh(best.information)[0] <= 0)
    kind = "robust" if data.weighted else "expected" if indefinite else "observed"
    params = (transform @ best.theta).reshape(outcome.predictors, -1)
    conditions = {
        "separation": unbounded.shape[1] > 0,
        "higher_at_infinity": ascent.higher_at_infinity,
        "not_converged": not best.converged,
        "few_reports": data.n < FEW_REPORTS * params.size,
        "indefinite": indefinite,
    }
    return RegressionFit(
        params=params[0] if data.reports.truths == 2 else params,
        covariance=fitted.covariance(kind),
        standard_error_kind=kind,
        log_likelihood=best.value,
        null_log_likelihood=null,
        n=data.n,
        names=data.covariates.names,
        link=link,
        truths=data.reports.truths,
        intercept=data.covariates.intercept,
        weighted=data.weighted,
        converged=converged,
        iterations=best.iterations,
        notes=remarks(conditions),
        fitted=fitted,
    )


def kron_of(predictors: int, transform: FloatArray) -> FloatArray:
    """Return the transform of all linear predictors' coefficients at once."""
    return np.asarray(np.kron(np.eye(predictors), transform), dtype=np.float64)


def _fitted(
    likelihood: ReportLikelihood,
    best: Maximum,
    data: ModelData,
    transform: FloatArray,
    unbounded: FloatArray,
) -> FittedLikelihood:
    """Return the likelihood at its maximum with everything that its errors need."""
    scores = likelihood.scores(best.theta)
    return FittedLikelihood(
        likelihood=likelihood,
        theta=best.theta,
        transform=transform,
        weights=data.weights,
        observed=best.information,
        expected=likelihood.expected_information(best.theta),
        variance=score_variance(scores, data.groups, data.weights, data.variance_of),
        unbounded=unbounded,
    )


def fit_least_squares(data: ModelData) -> RegressionFit:
    """Return the linear probability model."""
    groups, n = data.groups, data.n
    scores = unbiased_scores(data.reports, 1)[groups.codes[:, 0]]
    weighted = groups.columns * groups.weights[:, None]
    theta = np.linalg.solve(weighted.T @ groups.columns, weighted.T @ scores)
    chances = groups.columns @ theta
    fitted = FittedLeastSquares(
        groups=groups,
        residuals=scores - chances,
        weights=data.weights,
        transform=data.scaling.transform,
        variance_of=data.variance_of,
    )
    conditions = {
        "few_reports": n < FEW_REPORTS * len(theta),
        "outside_range": bool(chances.min() < 0 or chances.max() > 1),
    }
    return RegressionFit(
        params=data.scaling.transform @ theta,
        covariance=fitted.covariance("robust"),
        standard_error_kind="robust",
        log_likelihood=None,
        null_log_likelihood=None,
        n=n,
        names=data.covariates.names,
        link="identity",
        truths=2,
        intercept=data.covariates.intercept,
        weighted=data.weighted,
        converged=True,
        iterations=0,
        notes=remarks(conditions),
        fitted=fitted,
    )
