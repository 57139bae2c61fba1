"""From data to a fit: starts, ascent, separation, and errors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.precision import check_identifiable, left_inverse
from rr_engine.regression.engine import newton
from rr_engine.regression.engine.covariates import Covariates, Scaling, scale_columns
from rr_engine.regression.engine.fitted_model import FEW_REPORTS, MODEL_NOTES, unscaled_information
from rr_engine.regression.engine.links import Outcome, link_of, rough_shares
from rr_engine.regression.engine.samples import GroupedRows, ModelSample, group_rows
from rr_engine.regression.engine.separation import unbounded_directions
from rr_engine.regression.randomized_outcome.regression_fit import (
    FittedLikelihood,
    RegressionFit,
    ReportLikelihood,
)
from rr_engine.regression.report_likelihoods import ReportLikelihoods


def unbiased_scores(reports: ReportLikelihoods, category: int) -> FloatArray:
    """Return for each row of the table a number whose mean is the truth's indicator.

    ``z = G[category, report]`` with G the left inverse of the report's own design matrix; zero for
    no report.
    """
    values = np.zeros(len(reports.table))
    for device in range(len(reports.designs)):
        rows = reports.block(device)
        check_identifiable(reports.table[rows])
        values[rows] = left_inverse(reports.table[rows])[category]
    return values


def sandwich(inverse: FloatArray, variance: FloatArray) -> FloatArray:
    """Return ``inverse @ variance @ inverse.T``, without variances that rounding made negative."""
    covariance = inverse @ variance @ inverse.T
    covariance = (covariance + covariance.T) / 2
    places = np.diag_indices(len(covariance))
    covariance[places] = np.maximum(covariance[places], 0.0)
    return covariance


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedEquations:
    """The solution of linear equations in scaled columns; errors are robust.

    Attributes
    ----------
    columns : ndarray of float, shape (rows, p)
        As if the columns had been seen: of those that are randomized an unbiased score.
    row_weights : ndarray of float, shape (rows,)
    moments : ndarray of float, shape (p, p)
        The sum of the products of the columns.
    contributions : ndarray of float, shape (n, p)
        Each respondent's weighted part of the equations at their solution.
    transform : ndarray of float, shape (p, p)
        ``coefficients = transform @ theta``.
    variance : ndarray of float, shape (p, p)
        Of the sum of the contributions.
    """

    kinds: ClassVar[tuple[str, ...]] = ("robust",)

    columns: FloatArray
    row_weights: FloatArray
    moments: FloatArray
    contributions: FloatArray
    transform: FloatArray
    variance: FloatArray

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of the coefficients (sandwich, White 1980)."""
        return sandwich(self.transform @ np.linalg.inv(self.moments), self.variance)

    def scores(self) -> FloatArray:
        """Return each respondent's weighted part of the equations, shape (n, p)."""
        return self.contributions @ np.linalg.inv(self.transform)

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of the rows, and their weights."""
        return self.columns @ np.linalg.inv(self.transform), self.row_weights

    def fit(self, **about: Any) -> RegressionFit:
        """Return the fit of a straight line; `about`: the attributes that only its maker knows."""
        return RegressionFit(
            covariance=self.covariance("robust"),
            standard_error_kind="robust",
            log_likelihood=None,
            null_log_likelihood=None,
            link="identity",
            converged=True,
            iterations=0,
            fitted=self,
            **about,
        )

    def information(self) -> FloatArray:
        """Return the sum of the products of the columns as they came, ``X'WX``."""
        return unscaled_information(self.moments, self.transform)


# Groups up to which all starts are walked to their ends: of fewer rows the likelihood may have
# several maxima, of very many it is close to a parabola.
ALL_STARTS = 20_000
# And up to which each column has starts of its own, by so many of its standard deviations, and,
# where these end at several maxima or there are few rows, so many start in all directions.
OWN_STARTS, STEP, WIDE, FEW_ROWS = 2_000, 2.0, 24, 150
# Multiples of the slopes that unbiased scores show.
MULTIPLES = (1.0, 4.0)
# Smallest share that a start gives to a category.
START_SHARE = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Ascent:
    """The maximum that was taken.

    Attributes
    ----------
    maximum : Maximum
        The highest finite one; where none was found the highest of those that lie at infinity.
    unbounded : ndarray of float, shape (q * p, directions)
        Directions in which the likelihood does not fall there.
    higher_at_infinity : bool
        Whether the likelihood is higher than at this finite maximum where some coefficients are
        infinite.
    """

    maximum: newton.Maximum
    unbounded: FloatArray
    higher_at_infinity: bool


def highest_ascent(
    likelihood: ReportLikelihood, shares: FloatArray, link: str, *, intercept: bool
) -> Ascent:
    """Return the highest maximum that fixed starts lead to, a finite one if there is one.

    A device makes the likelihood bounded, whatever the coefficients: with few reports it can be
    higher where a hyperplane divides them by chance, its coefficients infinite, than at the root
    that is near to the truth.
    """
    starts = _starts(likelihood, shares, link, intercept=intercept)
    rows = len(likelihood.groups.weights)
    if rows > ALL_STARTS:
        starts = [max(starts, key=likelihood.value)]
    maxima = newton.maxima_from(likelihood, starts)
    # Where the ways from all columns meet there is no sign of another maximum; of few reports one
    # may be at infinity all the same.
    if rows <= FEW_ROWS or (len(maxima) > 1 and rows <= OWN_STARTS):
        maxima = newton.different(
            [*maxima, *newton.maxima_from(likelihood, newton.wide_points(starts[0], WIDE))]
        )
    ascents: list[Ascent] = []
    for maximum in maxima:
        unbounded = unbounded_directions(likelihood, maximum.theta, maximum.information)
        ascents.append(Ascent(maximum, unbounded, False))
    finite = [each for each in ascents if not each.unbounded.shape[1] and each.maximum.converged]
    highest = ascents[0]
    if not finite:
        return highest
    best = finite[0]
    higher = highest.maximum.value > best.maximum.value + newton.rounding(best.maximum)
    return Ascent(best.maximum, best.unbounded, higher)


def start_shares(likelihood: ReportLikelihood) -> FloatArray:
    """Return rough shares of the truths without any covariate, none near zero, by EM."""
    table = likelihood.reports.table
    weights = np.bincount(
        likelihood.groups.codes[:, 0], likelihood.groups.weights, minlength=len(table)
    )
    return rough_shares(table, weights.astype(np.float64), START_SHARE)


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
    return newton.maximise(null, _intercepts(shares, link)).value


def _starts(
    likelihood: ReportLikelihood, shares: FloatArray, link: str, *, intercept: bool
) -> list[FloatArray]:
    """Return no effect at all, the effects that unbiased scores show, and two of each column.

    Without an intercept the answers have the level that the columns can give them.
    """
    columns, outcome = likelihood.groups.columns, likelihood.outcome
    zero = np.zeros((outcome.predictors, columns.shape[1]))
    slopes = _score_slopes(likelihood)
    # Exact to first order for logits; for other links near enough to start from.
    effects = slopes[1:] / shares[1:, None] - slopes[:1] / shares[0]
    if intercept:
        zero[:, 0], effects[:, 0] = _intercepts(shares, link), 0.0
    starts = [zero, *(zero + multiple * effects for multiple in MULTIPLES)]
    if len(columns) <= OWN_STARTS:
        steps = STEP * np.eye(zero.size).reshape(zero.size, *zero.shape)
        moved = steps[np.flatnonzero(np.arange(zero.size) % zero.shape[1] >= intercept)]
        starts += [zero + sign * step for step in moved for sign in (1, -1)]
    return [start.ravel() for start in starts]


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
        log_likelihood=best.value,
        null_log_likelihood=null,
        names=data.covariates.names,
        link=link,
        truths=data.reports.truths,
        intercept=data.covariates.intercept,
        **fitted.described(best, data.sample, kind, conditions),
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
    return fitted.fit(
        params=data.scaling.transform @ theta,
        intercept=data.covariates.intercept,
        names=data.covariates.names,
        n=n,
        truths=2,
        weighted=data.sample.weighted,
        notes=MODEL_NOTES.holding(conditions),
    )
