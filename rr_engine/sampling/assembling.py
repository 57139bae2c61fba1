"""From weighted contributions to an estimate with its error."""

from dataclasses import fields

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import SAMPLE_NOTES, Note
from rr_engine.sampling.scores import ReportScores
from rr_engine.sampling.survey_estimate import SurveyEstimate, WeightedProportions, variance_curves
from rr_engine.sampling.weighted_sample import WeightedSample

# Degrees of freedom below which a variance is itself uncertain by a quarter and more.
FEW_CLUSTERS = 10
# Relative size below which a variance is rounding.
NOTHING = 1e-12


def with_curves(
    found: SurveyEstimate,
    answers: ReportScores,
    drawn: WeightedSample,
    method: str,
    notes: tuple[Note, ...],
) -> WeightedProportions:
    weights = np.where(answers.reported, drawn.weights, 0.0)
    squares = (weights / np.sort(weights).sum()) ** 2
    outside = bool((found.values < 0).any() or (found.values > 1).any())
    known = {field.name: getattr(found, field.name) for field in fields(SurveyEstimate)}
    known["notes"] = (*notes, *SAMPLE_NOTES.holding({"outside_range": outside}))
    return WeightedProportions(
        **known,
        method=method,
        curves=variance_curves(answers, squares, found.values),
        correction=_correction(squares, drawn),
    )


def _correction(squares: FloatArray, drawn: WeightedSample) -> float:
    """Return the part of the sampling variance that a finite population leaves, from 0 to 1."""
    left = np.sort(squares * drawn.own_coefficients).sum() / np.sort(squares).sum()
    return float(np.clip(left, 0.0, 1.0))


def assemble(
    kind: str,
    values: FloatArray,
    contributions: FloatArray,
    answers: ReportScores,
    drawn: WeightedSample,
) -> SurveyEstimate:
    """Return an estimate with its covariance from linearised contributions."""
    weights = np.where(answers.reported, drawn.weights, 0.0)
    factors = (weights / (np.sort(weights).sum() if kind == "mean" else 1.0)) ** 2
    covariance = drawn.covariance_of_total(contributions)
    noise = answers.noise(factors)
    # The variance between clusters holds the devices' chance only in part without replacement.
    covariance = covariance + answers.noise(factors * (1 - drawn.own_coefficients))
    return result_of(kind, values, (covariance, noise), answers, drawn)


def result_of(
    kind: str,
    values: FloatArray,
    covariances: tuple[FloatArray, FloatArray],
    answers: ReportScores,
    drawn: WeightedSample,
) -> SurveyEstimate:
    covariance, noise = covariances
    n = int(answers.reported.sum())
    weights = np.sort(drawn.weights[answers.reported])
    effective = float((weights / weights.max()).sum() ** 2 / ((weights / weights.max()) ** 2).sum())
    # Simple random sample with replacement: the weighted variance of one score, over n.
    size = weights.sum() if kind == "total" else 1.0
    shares = np.where(answers.reported, drawn.weights, 0.0) / weights.sum()
    means = answers.totals(shares)
    simple = _squares_of(answers, shares, means) * size**2 / n
    diagonal = np.diag(covariance)
    rounding = NOTHING * np.abs(simple)
    # Rounding may leave a variance of zero just below it.
    diagonal = np.where(np.abs(diagonal) <= rounding, 0.0, diagonal)
    covariance = covariance.copy()
    covariance[np.diag_indices(len(values))] = diagonal
    effects = np.where(simple > 0, diagonal / np.where(simple > 0, simple, 1.0), 1.0)
    freedom = drawn.degrees_of_freedom
    conditions = {
        "reports_missing": n < answers.n,
        "all_alike": n > 1 and bool(np.ptp(answers.values[answers.reported], axis=0).max() == 0),
        "few_clusters": freedom < FEW_CLUSTERS,
        "weights_unequal": n > 2 * effective,
        "negative_variance": bool((diagonal < 0).any()),
    }
    return SurveyEstimate(
        values=values,
        covariance=covariance,
        randomization_covariance=noise,
        design_effects=effects,
        n=n,
        effective_n=effective,
        degrees_of_freedom=freedom,
        kind=kind,
        notes=SAMPLE_NOTES.holding(conditions),
    )


def _squares_of(answers: ReportScores, shares: FloatArray, means: FloatArray) -> FloatArray:
    """Return the weighted variance of one score, of each column."""
    if answers.variances is None:
        return answers.sums(shares) @ (answers.rows - means) ** 2
    distances = np.where(answers.reported[:, None], answers.values - means, 0.0)
    return np.sort(shares[:, None] * distances**2, axis=0).sum(axis=0)


def check_weights_of(answers: ReportScores, drawn: WeightedSample) -> FloatArray:
    weights = np.where(answers.reported, drawn.weights, 0.0)
    if not weights.any():
        rule = "be of one respondent at least whose weight is above 0"
        raise ArgumentError("scores", answers, rule, "weights_all_zero")
    return weights
