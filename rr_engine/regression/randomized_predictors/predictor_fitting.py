"""From data to a fit with randomized predictors: scaling, ascent, separation and errors."""

from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.errors import ArgumentError
from rr_engine.regression.engine.covariates import Covariates, scale_columns
from rr_engine.regression.engine.fitted_model import FEW_REPORTS
from rr_engine.regression.engine.links import BinaryOutcome
from rr_engine.regression.engine.newton import Maximum, maxima_from, maximise
from rr_engine.regression.engine.samples import GroupedRows, ModelSample, group_rows
from rr_engine.regression.engine.separation import unbounded_directions
from rr_engine.regression.randomized_predictors.predictor_fit import FittedPredictors, PredictorFit
from rr_engine.regression.randomized_predictors.predictor_likelihood import (
    BinaryResponse,
    NormalResponse,
    PredictorLikelihood,
    Response,
)
from rr_engine.regression.randomized_predictors.predictor_starts import Starts, find_starts
from rr_engine.regression.randomized_predictors.predictors import RandomizedPredictors
from rr_engine.regression.report_likelihoods import ReportLikelihoods

# Rows up to which several starts are walked; of more, the best of them alone. The fewer the rows,
# the more maxima there may be.
SEVERAL_STARTS = 20_000
# Rows times parameters up to which starts beyond the usual ones are worth their time.
OTHER_STARTS = 100_000
LOG_DEVIATION = "log deviation"
# Least log deviation of an outcome of deviation 1: one part in a million is left.
LEAST_LOG_DEVIATION = -14.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PredictorData:
    """Data that a model with randomized predictors is fitted to.

    Attributes
    ----------
    covariates : Covariates
    predictors : RandomizedPredictors
    outcome : ndarray of float, shape (n,), or ReportLikelihoods
        Numbers of a linear model, else reports.
    link : str
    sample : ModelSample
        With weights of mean 1.
    dependent : bool
        Whether the true predictors may depend on the covariates.
    """

    covariates: Covariates
    predictors: RandomizedPredictors
    outcome: FloatArray | ReportLikelihoods
    link: str
    sample: ModelSample
    dependent: bool


@dataclass(frozen=True, slots=True, eq=False)
class ScaledModel:
    """The likelihood in scaled columns, and the way back.

    Attributes
    ----------
    likelihood : PredictorLikelihood
    groups : GroupedRows
    transform : ndarray of float, shape (parameters, parameters)
    constant : ndarray of float, shape (parameters,)
        Parameters as they are reported are ``transform @ theta + constant``.
    column_names : tuple of str
        Columns of the model of the true predictors.
    unit : float
        What the outcome was divided by.
    """

    likelihood: PredictorLikelihood
    groups: GroupedRows
    transform: FloatArray
    constant: FloatArray
    column_names: tuple[str, ...]
    unit: float


def scale_model(data: PredictorData) -> ScaledModel:
    """Return the likelihood with equal rows put together and columns of mean 0 and deviation 1.

    Raises
    ------
    ArgumentError
        For columns that depend on each other, and an outcome that does not vary.
    """
    p = len(data.covariates.names)
    groups, response, middle, unit = _group(data)
    raw = groups.columns[:, :p]
    scaling = scale_columns(
        raw, groups.weights, data.covariates.names, intercept=data.covariates.intercept
    )
    columns, own, names = _predictor_columns(data, raw, groups.weights)
    # Scores are counted from the first category's, where an intercept can take that up.
    shift = data.predictors.terms[0] * data.covariates.intercept
    ranges = np.ptp(data.predictors.terms, axis=0)
    likelihood = PredictorLikelihood(
        covariates=scaling.apply(raw),
        columns=columns,
        terms=(data.predictors.terms - shift) / ranges,
        likelihoods=data.predictors.likelihoods(groups.codes),
        response=response,
        weights=groups.weights,
    )
    places = likelihood.places
    transform, constant = np.zeros((places.size, places.size)), np.zeros(places.size)
    transform[:p, :p] = unit * scaling.transform
    terms = np.arange(p, places.outcome)
    transform[terms, terms] = unit / ranges
    transform[0, terms] -= unit * shift / ranges
    if places.spreads:
        transform[places.outcome, places.outcome] = 1.0
        constant[places.outcome] = np.log(unit)
        constant[0] = middle
    blocks = np.kron(np.eye(places.combinations - 1), own)
    transform[places.start :, places.start :] = blocks
    return ScaledModel(likelihood, groups, transform, constant, names, unit)


def _group(data: PredictorData) -> tuple[GroupedRows, Response, float, float]:
    """Return the rows, the outcome, and the middle and unit that its numbers were scaled by."""
    codes, columns = data.predictors.codes, data.covariates.columns
    if isinstance(data.outcome, ReportLikelihoods):
        codes = np.column_stack([codes, data.outcome.row_of])
        groups = group_rows(columns, codes, data.sample.weights)
        likelihoods = data.outcome.table[groups.codes[:, -1]]
        return groups, BinaryResponse(BinaryOutcome(data.link), likelihoods), 0.0, 1.0
    groups = group_rows(np.column_stack([columns, data.outcome]), codes, data.sample.weights)
    numbers, total = groups.columns[:, -1], groups.weights.sum()
    middle = float(groups.weights @ numbers / total) if data.covariates.intercept else 0.0
    unit = float(np.sqrt(groups.weights @ (numbers - middle) ** 2 / total))
    if not unit > 1e-12 * float(np.abs(numbers).max()):
        rule = "differ: all numbers are the same, so that nothing can explain them"
        raise ArgumentError("outcome", numbers[0], rule, "constant_outcome")
    return groups, NormalResponse((numbers - middle) / unit), middle, unit


def _predictor_columns(
    data: PredictorData, raw: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray, tuple[str, ...]]:
    """Return the scaled columns of the model of the true predictors, the way back, and names."""
    names, columns = data.covariates.names, raw
    if not data.covariates.intercept:
        names, columns = ("intercept", *names), np.column_stack([np.ones(len(raw)), raw])
    if not data.dependent:
        return np.ones((len(raw), 1)), np.eye(1), names[:1]
    try:
        scaling = scale_columns(columns, weights, names, intercept=True)
    except ArgumentError:
        # The columns have a constant among them, or one that they add up to.
        names, columns = data.covariates.names, raw
        scaling = scale_columns(columns, weights, names, intercept=False)
    return scaling.apply(columns), scaling.transform, names


# Where the columns nearly determine the outcome, steps and errors are beyond a double; the notes
# say so.
@np.errstate(over="ignore")
def fit_predictors(data: PredictorData, family: str) -> PredictorFit:
    """Return the maximum-likelihood fit."""
    model = scale_model(data)
    likelihood, places = model.likelihood, model.likelihood.places
    # The log-likelihood loses this because the outcome was scaled.
    log_units = float(likelihood.weights.sum() * np.log(model.unit))
    starts = find_starts(likelihood, intercept=data.covariates.intercept)
    best = _best_maximum(likelihood, starts)
    _check_spread(likelihood, best, data)
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
    conditions = {
        "separation": bool((endless < places.outcome).any()),
        "not_converged": not best.converged,
        "few_reports": data.sample.n < FEW_REPORTS * places.size,
        "empty_combinations": bool((endless >= places.start).any()),
    }
    return PredictorFit(
        params=params[: places.outcome],
        covariance=fitted.covariance(kind),
        log_likelihood=best.value - log_units,
        null_log_likelihood=starts.null - log_units,
        names=(*data.covariates.names, *data.predictors.names),
        link=data.link,
        truths=2 if family != "linear" else 1,
        intercept=data.covariates.intercept,
        family=family,
        residual_deviation=float(np.exp(params[places.outcome])) if places.spreads else None,
        combinations=data.predictors.combinations,
        shares=_shares(likelihood, best.theta),
        predictor_params=params[places.start :].reshape(-1, places.columns),
        all_names=_all_names(model, data),
        **fitted.described(best, data.sample, kind, conditions),
    )


def _check_spread(likelihood: PredictorLikelihood, best: Maximum, data: PredictorData) -> None:
    places = likelihood.places
    if places.spreads and best.theta[places.outcome] < LEAST_LOG_DEVIATION:
        rule = "vary around what X and predictors say of it: they determine it, so that no error is"
        rule += " left to tell; leave some out, or ask more respondents"
        raise ArgumentError("outcome", f"{data.sample.n} numbers", rule, "outcome_determined")


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
    """Return the highest of the maxima that all fixed starts lead to; of many rows, of fewer."""
    rows, usual = len(likelihood.weights), starts.points[: starts.usual]
    if rows > SEVERAL_STARTS:
        return maximise(likelihood, max(usual, key=likelihood.value))
    every = rows * likelihood.places.size <= OTHER_STARTS
    return maxima_from(likelihood, starts.points if every else usual)[0]
