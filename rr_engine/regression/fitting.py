"""From data to a fit: starts, ascent, separation, and errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rr_engine.regression.covariates import Covariates, Scaling, scale_columns
from rr_engine.regression.fit import FittedLikelihood, RegressionFit
from rr_engine.regression.likelihood import ReportLikelihood
from rr_engine.regression.linear_probability import FittedLeastSquares, unbiased_scores
from rr_engine.regression.links import link_of
from rr_engine.regression.newton import Maximum, maximise
from rr_engine.regression.outcome import Outcome
from rr_engine.regression.remarks import remarks
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.regression.rows import GroupedRows, group_rows
from rr_engine.validation import FloatArray

# Groups up to which both starts are walked to their ends: of fewer rows the likelihood may have
# several maxima, of very many it is close to a parabola.
BOTH_STARTS = 20_000
# Smallest share that a start gives to a category.
START_SHARE = 0.01
EM_ROUNDS = 50
# Units of the linear predictor that a coefficient without an estimate is moved by, and the fall of
# the log-likelihood that is none.
FAR, NO_FALL = 10.0, 1e-3
FEW_REPORTS = 10


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModelData:
    """What a model is fitted to. `weights`: zero for respondents without a report."""

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
    best = _best_maximum(likelihood, data, shares, link)
    unbounded = unbounded_directions(likelihood, best)
    transform = kron_of(outcome.predictors, data.scaling.transform)
    fitted = _fitted(likelihood, best, data, transform, unbounded)
    converged = best.converged and not unbounded.shape[1]
    indefinite = bool(np.linalg.eigvalsh(best.information).min() <= 0) and converged
    kind = "robust" if data.weighted else "expected" if indefinite else "observed"
    params = (transform @ best.theta).reshape(outcome.predictors, -1)
    conditions = {
        "separation": unbounded.shape[1] > 0,
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
    if data.variance_of is None:
        # The usual factor n/(n - 1) of a variance of respondents.
        variance = likelihood.outer_product(best.theta) * data.n / max(data.n - 1, 1)
    else:
        groups = likelihood.groups.group_of
        scores = likelihood.scores(best.theta)[groups] * data.weights[:, None]
        variance = data.variance_of(scores)
    return FittedLikelihood(
        likelihood=likelihood,
        theta=best.theta,
        transform=transform,
        weights=data.weights,
        observed=best.information,
        expected=likelihood.expected_information(best.theta),
        variance=variance,
        unbounded=unbounded,
    )


def start_shares(likelihood: ReportLikelihood) -> FloatArray:
    """Return rough shares of the truths without any covariate, none near zero, by EM."""
    table = likelihood.reports.table
    weights = np.bincount(
        likelihood.groups.codes[:, 0], likelihood.groups.weights, minlength=len(table)
    )
    shares = np.full(table.shape[1], 1 / table.shape[1])
    for _ in range(EM_ROUNDS):
        joint = table * shares
        chance = np.maximum(joint.sum(axis=1), 1e-300)
        shares = (weights / chance) @ joint
        shares /= shares.sum()
    shares = np.maximum(shares, START_SHARE)
    return shares / shares.sum()


def _intercepts(shares: FloatArray, link: str) -> FloatArray:
    """Return the intercepts of a model without covariates that has these shares."""
    if len(shares) == 2:
        return np.array([link_of(float(shares[1]), link)])
    return np.log(shares[1:] / shares[0])


def null_maximum(likelihood: ReportLikelihood, shares: FloatArray, link: str) -> float:
    """Return the largest log-likelihood of a model with an intercept alone."""
    groups = likelihood.groups
    weights = np.bincount(
        groups.codes[:, 0], groups.weights, minlength=len(likelihood.reports.table)
    )
    codes = np.flatnonzero(weights)
    amounts: FloatArray = weights[codes].astype(np.float64)
    alone = GroupedRows(np.ones((len(codes), 1)), codes[:, None], amounts, amounts, codes)
    null = ReportLikelihood(likelihood.outcome, alone, likelihood.reports)
    return maximise(null, _intercepts(shares, link)).value


def _best_maximum(
    likelihood: ReportLikelihood, data: ModelData, shares: FloatArray, link: str
) -> Maximum:
    """Return the higher of the maxima that fixed starts lead to; of many groups, of the better."""
    starts = _starts(likelihood, data, shares, link)
    if len(likelihood.groups.weights) > BOTH_STARTS:
        starts = [max(starts, key=likelihood.value)]
    maxima = [maximise(likelihood, start) for start in starts]
    # Of two that are alike the first, whatever the last digit says.
    best = maxima[0]
    for other in maxima[1:]:
        if other.value > best.value + 1e-8 * max(1.0, abs(best.value)):
            best = other
    return best


def _starts(
    likelihood: ReportLikelihood, data: ModelData, shares: FloatArray, link: str
) -> list[FloatArray]:
    """Return no effect at all, and the effects that unbiased scores show."""
    columns, outcome = likelihood.groups.columns, likelihood.outcome
    zero = np.zeros((outcome.predictors, columns.shape[1]))
    if not data.covariates.intercept:
        return [zero.ravel()]
    zero[:, 0] = _intercepts(shares, link)
    slopes = _score_slopes(likelihood)
    moment = zero.copy()
    # Exact to first order for logits; for other links near enough to start from.
    moment[:, 1:] = slopes[1:, 1:] / shares[1:, None] - slopes[:1, 1:] / shares[0]
    return [zero.ravel(), moment.ravel()]


def _score_slopes(likelihood: ReportLikelihood) -> FloatArray:
    """Return least-squares slopes of the truths' indicators, shape (truths, p), by unbiased scores.

    Of devices that say too little by themselves a part of the slope only, which is enough to start
    from.
    """
    reports, groups = likelihood.reports, likelihood.groups
    values = np.zeros((len(reports.table), reports.truths))
    for device in range(len(reports.designs)):
        rows = reports.block(device)
        values[rows] = np.linalg.pinv(reports.table[rows], rcond=1e-3).T
    weighted = groups.columns * groups.weights[:, None]
    moments = weighted.T @ groups.columns
    products = weighted.T @ values[groups.codes[:, 0]]
    return np.asarray(np.linalg.solve(moments, products).T, dtype=np.float64)


def unbounded_directions(likelihood: ReportLikelihood, best: Maximum) -> FloatArray:
    """Return directions in which the likelihood does not fall, shape (q * p, directions)."""
    scale = np.sqrt(np.maximum(np.diag(best.information), 1e-300))
    values, vectors = np.linalg.eigh(best.information / np.outer(scale, scale))
    found = []
    for value, vector in zip(values, vectors.T, strict=True):
        direction = vector / scale
        reach = float(np.abs(likelihood.eta(direction)).max())
        # How far one standard error moves the linear predictors.
        if reach < FAR * np.sqrt(max(value, 0.0)):
            continue
        far = FAR / max(reach, 1e-300) * direction
        if any(
            likelihood.value(best.theta + sign * far) > best.value - NO_FALL for sign in (1, -1)
        ):
            found.append(direction / np.abs(direction).max())
    return np.array(found).T if found else np.empty((len(best.theta), 0))


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
