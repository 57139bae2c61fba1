"""From data to a fit: the search, the border, errors and notes."""

import numpy as np
from scipy.special import expit

from rr_engine.arrays import FloatArray
from rr_engine.library.noncompliance.noncompliance_fit import FittedTypes, NoncomplianceFit, invert
from rr_engine.library.noncompliance.respondent_types import TypeLikelihood
from rr_engine.library.noncompliance.type_data import TypeData
from rr_engine.library.noncompliance.type_search import BestFit, best_fit
from rr_engine.regression.engine.model_notes import FEW_REPORTS, MODEL_NOTES
from rr_engine.regression.engine.newton import Maximum
from rr_engine.regression.engine.separation import unbounded_directions

# A share this near to one leaves nobody of whom the trait's coefficients could speak.
NEARLY_ALL = 1 - 1e-6


def fit_types(data: TypeData, ends: tuple[float, ...]) -> NoncomplianceFit:
    """Return the maximum-likelihood fit; `ends`: shares at the border that the model knows."""
    likelihood, transform = data.likelihood()
    best = best_fit(likelihood, ends)
    constant = data.share_covariates is None
    likelihood = likelihood.constant_share() if constant else likelihood
    point = _maximum(likelihood, best, constant=constant)
    unbounded = unbounded_directions(
        likelihood, point.theta, point.information, len(point.theta) - constant
    )
    inverse, unbounded = invert(point.information, unbounded, one_share=constant)
    fitted = FittedTypes.at(
        likelihood,
        point,
        likelihood.groups,
        data.sample,
        transform=transform,
        inverse_observed=inverse,
        unbounded=unbounded,
        ends=ends,
    )
    covariance = fitted.covariance(data.sample.error_kind)
    params, size = transform @ point.theta, len(best.beta)
    share, border_notes = _shares(likelihood, point.theta, data.form)
    conditions = {
        "separation": bool(np.isinf(np.diag(covariance)[:size]).any()),
        "not_converged": not best.maximum.converged,
        "few_reports": data.sample.n < FEW_REPORTS * len(params),
        "share_at_border": best.border,
        "share_unknown": bool(np.isinf(np.diag(covariance)[size:]).any()),
        **border_notes,
    }
    return NoncomplianceFit(
        params=params[:size],
        share=share,
        share_params=params[size:] if not constant else np.empty(0),
        covariance=covariance,
        names=data.covariates.names,
        share_names=() if data.share_covariates is None else data.share_covariates.names,
        standard_error_kind=data.sample.error_kind,
        log_likelihood=best.maximum.value,
        n=data.sample.n,
        weighted=data.sample.weighted,
        border=best.border,
        converged=best.maximum.converged and not conditions["separation"],
        iterations=best.maximum.iterations,
        notes=MODEL_NOTES.holding(conditions),
        data=data,
        fitted=fitted,
    )


def _shares(
    likelihood: TypeLikelihood, theta: FloatArray, form: str
) -> tuple[float, dict[str, bool]]:
    """Return the mean share, and what is to be said of shares that leave nobody else."""
    trait, share = (curve.probability for curve in likelihood.curves(theta))
    weights = likelihood.groups.weights
    notes = {
        "nobody_follows": form != "carriers" and bool(share.max() > NEARLY_ALL),
        "shares_exceed_one": form == "all" and bool((trait + share).max() > 1 + 1e-9),
    }
    return float(weights @ share / weights.sum()), notes


def _maximum(likelihood: TypeLikelihood, best: BestFit, *, constant: bool) -> Maximum:
    """Return the maximum, with one share for all as itself."""
    share = expit(best.delta) if constant and not best.border else best.delta
    theta = np.concatenate([best.beta, share])
    value, gradient, information = likelihood(theta)
    found = best.maximum
    return Maximum(theta, value, gradient, information, found.iterations, found.converged)
