"""From data to a fit: starts, ascent, separation, and errors."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rr_engine.regression.engine.covariates import Covariates, Scaling, scale_columns
from rr_engine.regression.engine.model_notes import FEW_REPORTS, MODEL_NOTES
from rr_engine.regression.engine.outcome import Outcome
from rr_engine.regression.engine.rows import GroupedRows, group_rows
from rr_engine.regression.engine.samples import ModelSample
from rr_engine.regression.randomized_outcome.ascents import (
    highest_ascent,
    null_maximum,
    start_shares,
)
from rr_engine.regression.randomized_outcome.linear_probability import (
    FittedEquations,
    unbiased_scores,
)
from rr_engine.regression.randomized_outcome.regression_fit import (
    FittedLikelihood,
    RegressionFit,
    ReportLikelihood,
)
from rr_engine.regression.report_likelihoods import ReportLikelihoods


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModelData:
    """Data that a model is fitted to: rows grouped, columns scaled."""

    covariates: Covariates
    reports: ReportLikelihoods
    sample: ModelSample
    groups: GroupedRows
    scaling: Scaling

    @classmethod
    def of(
        cls, covariates: Covariates, reports: ReportLikelihoods, sample: ModelSample
    ) -> ModelData:
        """Return the data of these respondents.

        Raises
        ------
        ArgumentError
            For columns that depend on each other.
        """
        groups = group_rows(covariates.columns, reports.row_of[:, None], sample.weights)
        scaling = scale_columns(
            groups.columns, groups.weights, covariates.names, intercept=covariates.intercept
        )
        return cls(
            covariates=covariates,
            reports=reports,
            sample=sample,
            groups=replace(groups, columns=scaling.apply(groups.columns)),
            scaling=scaling,
        )


def fit_likelihood(data: ModelData, outcome: Outcome, link: str) -> RegressionFit:
    """Return the maximum-likelihood fit."""
    likelihood = ReportLikelihood(outcome, data.groups, data.reports)
    shares = start_shares(likelihood)
    null = null_maximum(likelihood, shares, link)
    ascent = highest_ascent(likelihood, shares, link, intercept=data.covariates.intercept)
    best, unbounded = ascent.maximum, ascent.unbounded
    transform = np.kron(np.eye(outcome.predictors), data.scaling.transform)
    fitted = FittedLikelihood.at(
        likelihood,
        best,
        data.groups,
        data.sample,
        transform=transform,
        expected=likelihood.expected_information(best.theta),
        unbounded=unbounded,
    )
    converged = best.converged and not unbounded.shape[1]
    indefinite = not unbounded.shape[1] and bool(np.linalg.eigvalsh(best.information)[0] <= 0)
    kind = "expected" if indefinite and not data.sample.weighted else data.sample.error_kind
    params = (transform @ best.theta).reshape(outcome.predictors, -1)
    conditions = {
        "separation": unbounded.shape[1] > 0,
        "higher_at_infinity": ascent.higher_at_infinity,
        "not_converged": not best.converged,
        "few_reports": data.sample.n < FEW_REPORTS * params.size,
        "indefinite": indefinite,
    }
    return RegressionFit(
        params=params[0] if data.reports.truths == 2 else params,
        covariance=fitted.covariance(kind),
        standard_error_kind=kind,
        log_likelihood=best.value,
        null_log_likelihood=null,
        n=data.sample.n,
        names=data.covariates.names,
        link=link,
        truths=data.reports.truths,
        intercept=data.covariates.intercept,
        weighted=data.sample.weighted,
        converged=converged,
        iterations=best.iterations,
        notes=MODEL_NOTES.holding(conditions),
        fitted=fitted,
    )


def fit_least_squares(data: ModelData) -> RegressionFit:
    """Return the linear probability model."""
    groups, n, weights = data.groups, data.sample.n, data.sample.weights
    scores = unbiased_scores(data.reports, 1)[groups.codes[:, 0]]
    weighted = groups.columns * groups.weights[:, None]
    theta = np.linalg.solve(weighted.T @ groups.columns, weighted.T @ scores)
    chances = groups.columns @ theta
    residuals = scores - chances
    contributions = (groups.columns * residuals[:, None])[groups.group_of] * weights[:, None]
    if data.sample.variance_of is not None:
        variance = data.sample.variance_of(contributions)
    else:
        squares = groups.columns * (groups.squares * residuals**2)[:, None]
        variance = squares.T @ groups.columns * n / max(n - len(theta), 1)
    fitted = FittedEquations(
        columns=groups.columns,
        row_weights=groups.weights,
        moments=weighted.T @ groups.columns,
        contributions=contributions,
        transform=data.scaling.transform,
        variance=variance,
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
        weighted=data.sample.weighted,
        converged=True,
        iterations=0,
        notes=MODEL_NOTES.holding(conditions),
        fitted=fitted,
    )
