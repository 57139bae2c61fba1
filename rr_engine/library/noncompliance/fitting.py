"""From data to a fit: the search, the border, errors and remarks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from rr_engine.library.noncompliance.data import TypeData
from rr_engine.library.noncompliance.errors import FittedTypes, invert
from rr_engine.library.noncompliance.fit import NoncomplianceFit
from rr_engine.library.noncompliance.search import BestFit, best_fit
from rr_engine.library.noncompliance.types import TypeLikelihood
from rr_engine.regression.remarks import remarks
from rr_engine.regression.samples import score_variance
from rr_engine.regression.separation import unbounded_directions
from rr_engine.validation import FloatArray

FEW_REPORTS = 10
# A share this near to one leaves nobody of whom the trait's coefficients could speak.
NEARLY_ALL = 1 - 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """The maximum, with one share for all as itself."""

    likelihood: TypeLikelihood
    theta: FloatArray


def fit_types(data: TypeData, ends: tuple[float, ...]) -> NoncomplianceFit:
    """Return the maximum-likelihood fit; `ends`: shares at the border that the model knows."""
    likelihood, transform = data.likelihood()
    best = best_fit(likelihood, ends)
    constant = data.share_covariates is None
    point = _point(likelihood, best, constant=constant)
    fitted = _fitted(point, data, transform, ends)
    kind = "robust" if data.weighted else "observed"
    covariance = fitted.covariance(kind)
    params = transform @ point.theta
    size = len(best.beta)
    trait, share = point.likelihood.curves(point.theta)
    weights = point.likelihood.groups.weights
    mean = float(weights @ share.probability / weights.sum())
    conditions = {
        "separation": bool(np.isinf(np.diag(covariance)[:size]).any()),
        "not_converged": not best.converged,
        "few_reports": data.n < FEW_REPORTS * len(params),
        "share_at_border": best.border,
        "share_unknown": bool(np.isinf(np.diag(covariance)[size:]).any()),
        "nobody_follows": data.form != "carriers" and bool(share.probability.max() > NEARLY_ALL),
        "shares_exceed_one": data.form == "all"
        and bool((trait.probability + share.probability).max() > 1 + 1e-9),
    }
    return NoncomplianceFit(
        params=params[:size],
        share=mean,
        share_standard_error=fitted.share_error(covariance),
        share_params=params[size:] if not constant else np.empty(0),
        covariance=covariance,
        names=data.covariates.names,
        share_names=() if data.share_covariates is None else data.share_covariates.names,
        standard_error_kind=kind,
        log_likelihood=best.value,
        n=data.n,
        weighted=data.weighted,
        border=best.border,
        converged=best.converged and not conditions["separation"],
        iterations=best.iterations,
        notes=remarks(conditions),
        data=data,
        fitted=fitted,
    )


def _point(likelihood: TypeLikelihood, best: BestFit, *, constant: bool) -> _Point:
    if not constant:
        return _Point(likelihood, np.concatenate([best.beta, best.delta]))
    share = best.delta if best.border else expit(best.delta)
    return _Point(likelihood.constant_share(), np.concatenate([best.beta, share]))


def _fitted(
    point: _Point, data: TypeData, transform: FloatArray, ends: tuple[float, ...]
) -> FittedTypes:
    """Return the likelihood at its maximum with everything that its errors need."""
    likelihood, theta = point.likelihood, point.theta
    constant = data.share_covariates is None
    observed = likelihood(theta)[2]
    unbounded = unbounded_directions(likelihood, theta, observed, len(theta) - constant)
    inverse, unbounded = invert(observed, unbounded, one_share=constant)
    scores = likelihood.scores(theta)
    return FittedTypes(
        likelihood=likelihood,
        theta=theta,
        transform=transform,
        weights=data.weights,
        observed=observed,
        variance=score_variance(scores, likelihood.groups, data.weights, data.variance_of),
        inverse=inverse,
        unbounded=unbounded,
        ends=ends,
    )
