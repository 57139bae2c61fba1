"""What a model with randomized predictors says of people of whom no outcome is known."""

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.regression.engine.links import LINKS, MultinomialOutcome
from rr_engine.regression.randomized_predictors.predictor_fit import PredictorFit
from rr_engine.regression.randomized_predictors.predictors import RandomizedPredictors


def mean_outcomes(
    fit: PredictorFit, predictors: RandomizedPredictors, columns: FloatArray
) -> FloatArray:
    """Return the mean outcome of people by their covariates and reports, shape (n,).

    ``sum_c Pr(c | x, reports) E(outcome | x, c)`` over the combinations c of true answers, with
    ``Pr(c | x, reports)`` proportional to ``Pr(c | x) Pr(reports | c)``.

    Parameters
    ----------
    fit : PredictorFit
    predictors : RandomizedPredictors
        Of these people, with the terms of the fit.
    columns : ndarray of float, shape (n, covariates)
        Without the intercept's.
    """
    ones = np.ones((len(columns), 1))
    with_one = np.hstack([ones, columns])
    across = with_one if fit.intercept else columns
    size = across.shape[1]
    eta = (across @ fit.params[:size])[:, None] + predictors.terms @ fit.params[size:]
    # Of what the true predictors depend on: nothing, or the covariates with a constant among them.
    width = fit.predictor_params.shape[1]
    known = {1: ones, with_one.shape[1]: with_one}.get(width, columns)
    combinations = MultinomialOutcome(len(predictors.combinations))
    prior = combinations.probabilities(known @ fit.predictor_params.T)
    joint = prior * predictors.likelihoods(predictors.codes)
    posterior = joint / joint.sum(axis=1, keepdims=True)
    means: FloatArray = (posterior * LINKS[fit.link](eta).probability).sum(axis=1)
    return means
