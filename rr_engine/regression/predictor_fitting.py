"""From data to a fit with randomized predictors: ascent, separation and errors."""

from __future__ import annotations

import numpy as np

from rr_engine.errors import ArgumentError
from rr_engine.regression.model_notes import MODEL_NOTES
from rr_engine.regression.newton import Maximum, maximise
from rr_engine.regression.predictor_data import PredictorData, ScaledModel, scale_model
from rr_engine.regression.predictor_fit import FittedPredictors, PredictorFit
from rr_engine.regression.predictor_likelihood import PredictorLikelihood
from rr_engine.regression.predictor_starts import Starts, find_starts
from rr_engine.regression.separation import unbounded_directions
from rr_engine.validation import FloatArray

# Rows up to which several starts are walked; of more, the best of them alone. The fewer the rows,
# the more maxima there may be.
SEVERAL_STARTS, FIRST_STEPS = 20_000, 15
# Rows times parameters up to which starts beyond the usual ones are worth their time.
OTHER_STARTS = 100_000
# Share by which values at the ends may differ and be of the same maximum.
ALIKE = 1e-8
FEW_REPORTS = 10
LOG_DEVIATION = "log deviation"
# Least log deviation of an outcome of deviation 1: one part in a million is left.
LEAST_LOG_DEVIATION = -14.0


def fit_predictors(data: PredictorData, family: str) -> PredictorFit:
    """Return the maximum-likelihood fit."""
    model = scale_model(data)
    likelihood, places = model.likelihood, model.likelihood.places
    # The log-likelihood loses this because the outcome was scaled.
    log_units = float(likelihood.weights.sum() * np.log(model.unit))
    starts = find_starts(likelihood, intercept=data.covariates.intercept)
    best = _best_maximum(likelihood, starts)
    if places.spreads and best.theta[places.outcome] < LEAST_LOG_DEVIATION:
        rule = "vary around what X and predictors say of it: they determine it, so that no error is"
        rule += " left to tell; leave some out, or ask more respondents"
        raise ArgumentError("outcome", f"{data.sample.n} numbers", rule, "outcome_determined")
    fitted = FittedPredictors.at(
        likelihood,
        best,
        model.groups,
        data.sample,
        transform=model.transform,
        unit=model.unit,
        unbounded=unbounded_directions(likelihood, best.theta, best.information),
    )
    params = model.transform @ best.theta + model.constant
    endless = fitted.endless
    kind = data.sample.error_kind
    separated = bool((endless < places.outcome).any())
    conditions = {
        "separation": separated,
        "not_converged": not best.converged,
        "few_reports": data.sample.n < FEW_REPORTS * places.size,
        "empty_combinations": bool((endless >= places.start).any()),
    }
    return PredictorFit(
        params=params[: places.outcome],
        covariance=fitted.covariance(kind),
        standard_error_kind=kind,
        log_likelihood=best.value - log_units,
        null_log_likelihood=starts.null - log_units,
        n=data.sample.n,
        names=(*data.covariates.names, *data.predictors.names),
        link=data.link,
        truths=2 if family != "linear" else 1,
        intercept=data.covariates.intercept,
        weighted=data.sample.weighted,
        converged=best.converged and not separated,
        iterations=best.iterations,
        notes=MODEL_NOTES.holding(conditions),
        fitted=fitted,
        family=family,
        residual_deviation=float(np.exp(params[places.outcome])) if places.spreads else None,
        combinations=data.predictors.combinations,
        shares=_shares(likelihood, best.theta),
        predictor_params=params[places.start :].reshape(-1, places.columns),
        all_names=_all_names(model, data),
    )


def _shares(likelihood: PredictorLikelihood, theta: FloatArray) -> FloatArray:
    found = likelihood.expected(theta).prior
    return likelihood.weights @ found / likelihood.weights.sum()


def _all_names(model: ScaledModel, data: PredictorData) -> tuple[str, ...]:
    deviation = (LOG_DEVIATION,) * model.likelihood.places.spreads
    cells = [
        f"combination {','.join(map(str, combination))}: {column}"
        for combination in data.predictors.combinations[1:].tolist()
        for column in model.column_names
    ]
    return (*data.covariates.names, *data.predictors.names, *deviation, *cells)


def _best_maximum(likelihood: PredictorLikelihood, starts: Starts) -> Maximum:
    """Return the highest of the maxima that fixed starts lead towards; of many rows, of the best.

    The ways from the starts are walked a part, and the highest of them to its end. Where those with
    and without effects meet, there is no need of others.
    """
    rows, usual = len(likelihood.weights), starts.points[: starts.usual]
    if rows > SEVERAL_STARTS:
        return maximise(likelihood, max(usual, key=likelihood.value))
    maxima = [maximise(likelihood, point, FIRST_STEPS) for point in usual]
    values = [found.value for found in maxima]
    apart = np.ptp(values) > ALIKE * max(1.0, abs(values[0]))
    if apart and rows * likelihood.places.size <= OTHER_STARTS:
        maxima += [
            maximise(likelihood, point, FIRST_STEPS) for point in starts.points[starts.usual :]
        ]
    # The first of two that are alike is taken, whatever the last digit says.
    best = maxima[0]
    for other in maxima[1:]:
        if other.value > best.value + ALIKE * max(1.0, abs(best.value)):
            best = other
    return best if best.converged else maximise(likelihood, best.theta)
