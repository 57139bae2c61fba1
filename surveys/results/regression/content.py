"""A fitted analysis as a document: what its page, its figures and its downloads show."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import rr_engine
from surveys.engine_words import EngineError
from surveys.kinds.estimates import LEVELS, codes, ends, number, numbers
from surveys.parameters import Question
from surveys.results.regression.fitting import FittedAnalysis
from surveys.results.regression.terms import scores_of
from surveys.results_document.fits import (
    FORMAT,
    Calibration,
    Coefficient,
    Criteria,
    Effect,
    FitResults,
    FitWeights,
    Outcome,
    Prediction,
    PredictorResults,
    Reading,
    WaldTest,
)

# A person's probabilities are shown at the levels of a predictor with the others as they are on
# average; of a number in bins at this many places of its range.
PLACES = 5
# Groups of like probabilities in the test of calibration, at most.
MOST_GROUPS = 10


def analysis_content(
    fitted: FittedAnalysis,
    threshold: int,
    left_out: int = 0,
    margins: Sequence[Any] = (),
) -> FitResults:
    """Every number of a fitted analysis, and how a program reads the same from the reports.

    `left_out`: how many people are in no analysis of the release; `margins`: of each margin its
    question, the answers that count together, and their shares.
    """
    fit = fitted.fit
    return FitResults(
        format=FORMAT,
        engine=rr_engine.__version__,
        n=fit.n,
        level=LEVELS[0],
        outcome=_outcome(fitted),
        predictors=tuple(_predictors(fitted)),
        recoded={name: tuple(labels) for name, labels in fitted.recoded.items()},
        coefficients=tuple(_coefficients(fitted)),
        effects=_effects(fitted),
        predictions=tuple(_predictions(fitted)),
        standard_errors=fit.standard_error_kind,
        link=fit.link,
        log_likelihood=fit.log_likelihood,
        null_log_likelihood=fit.null_log_likelihood,
        comparison=_comparison(fitted),
        tests=tuple(_tests(fitted)),
        calibration=_calibration(fitted, threshold),
        converged=bool(fit.converged),
        iterations=fit.iterations,
        weights=_weights(fitted),
        notes=codes(fit.notes),
        left_out=left_out,
        reading=_reading(fitted, margins),
    )


def _outcome(fitted: FittedAnalysis) -> Outcome:
    question = fitted.frame.column(fitted.analysis.outcome).question
    return Outcome(
        id=question.id,
        text=question.text,
        randomized=question.randomized,
        categories=tuple(fitted.categories),
        multinomial=len(fitted.categories) > 2,
    )


def _reading(fitted: FittedAnalysis, margins: Sequence[list[Any]]) -> Reading:
    """The answers of each category and level, by their numbers, and the scores of predictors."""
    direct, randomized = [], []
    for predictor in fitted.analysis.predictors:
        name = predictor.question
        if name in fitted.direct:
            answers = fitted.direct[name]
            scores = answers.scores if predictor.scored else None
            direct.append([name, answers.groups, scores and list(scores)])
        else:
            own = scores_of(fitted.frame.column(name).question) if predictor.scored else None
            randomized.append([name, own and list(own)])
    return Reading(
        categories=fitted.groups, direct=direct, randomized=randomized, margins=[*margins]
    )


def _predictors(fitted: FittedAnalysis) -> Iterator[PredictorResults]:
    for predictor in fitted.analysis.predictors:
        question = fitted.frame.column(predictor.question).question
        levels = fitted.levels[predictor.question]
        yield PredictorResults(
            id=question.id,
            text=question.text,
            randomized=question.randomized,
            scored=predictor.scored,
            levels=tuple(levels),
            reference=levels[0] if levels else None,
        )


def _coefficients(fitted: FittedAnalysis) -> Iterator[Coefficient]:
    """One row for each coefficient; of a multinomial model for each category but the first."""
    fit = fitted.fit
    several = len(fitted.categories) > 2
    params, errors, z_values, p_values = (
        np.atleast_2d(each)
        for each in (fit.params, fit.standard_errors, fit.z_values, fit.p_values)
    )
    intervals = fit.interval(LEVELS[0]).reshape(*params.shape, 2)
    terms = [None] * int(fit.intercept) + list(fitted.terms)
    for row, category in enumerate(fitted.categories[1:]):
        for column, term in enumerate(terms):
            finite = bool(np.isfinite(errors[row, column]))
            yield Coefficient(
                category=category if several else None,
                question=term.question if term else None,
                label=term.label if term else None,
                name=term.name if term else "intercept",
                estimate=number(params[row, column]) if finite else None,
                standard_error=number(errors[row, column]),
                z=number(z_values[row, column]) if finite else None,
                p_value=number(p_values[row, column]) if finite else None,
                interval=ends(intervals[row, column]) if finite else (None, None),
            )


def _effects(fitted: FittedAnalysis) -> tuple[Effect, ...]:
    """Average marginal effects on each category."""
    found = rr_engine.models.average_marginal_effects(fitted.fit, level=LEVELS[0])
    several = len(fitted.categories) > 2
    effects, errors = np.atleast_2d(found.effects), np.atleast_2d(found.standard_errors)
    intervals = found.intervals.reshape(*effects.shape, 2)
    return tuple(
        Effect(
            category=category,
            question=term.question,
            label=term.label,
            name=term.name,
            discrete=found.discrete[column],
            estimate=number(effects[row, column]),
            standard_error=number(errors[row, column]),
            interval=ends(intervals[row, column]),
        )
        for row, category in enumerate(fitted.categories if several else fitted.categories[1:])
        for column, term in enumerate(fitted.terms)
    )


def _predictions(fitted: FittedAnalysis) -> Iterator[Prediction]:
    """Probabilities at each level of each predictor, all others as they are on average."""
    mean = _mean_row(fitted)

    for predictor in fitted.analysis.predictors:
        name = predictor.question
        own = [place for place, term in enumerate(fitted.terms) if term.question == name]
        for label, values in _levels(fitted, name, own):
            row = mean.copy()
            row[own] = values
            found = rr_engine.models.predicted_probabilities(fitted.fit, row[None], LEVELS[0])
            several = len(fitted.categories) > 2
            shown = range(0 if several else 1, len(fitted.categories))
            for category in shown:
                yield Prediction(
                    question=name,
                    label=label,
                    category=fitted.categories[category],
                    probability=number(found.probabilities[0, category]),
                    standard_error=number(found.standard_errors[0, category]),
                    interval=ends(found.intervals[0, category]),
                )


def _levels(
    fitted: FittedAnalysis, name: str, own: list[int]
) -> Iterator[tuple[str | float, np.ndarray]]:
    """The values of a predictor's own columns at each of its levels, or at places of its range."""
    levels = fitted.levels[name]
    if levels:
        yield from zip(levels, np.vstack([np.zeros(len(own)), np.eye(len(own))]), strict=True)
        return
    rest = np.zeros(len(own) - 1)
    for label, score in _places(fitted.frame.column(name).question):
        yield label, np.array([score, *rest])


def _places(question: Question) -> Iterator[tuple[str | float, float]]:
    """The answers of a scale with their scores; of a number some places of its range."""
    scores = scores_of(question) or (0.0, 1.0)
    if question.scale is None:
        yield from zip(question.categories, scores, strict=True)
        return
    for score in np.linspace(min(scores), max(scores), PLACES).tolist():
        yield score, score


def _mean_row(fitted: FittedAnalysis) -> np.ndarray:
    """The mean of each column over the people, weighted; of randomized ones as estimated."""
    columns, weights = fitted.fit.fitted.rows()
    mean = weights @ columns / weights.sum()
    return np.asarray(mean[int(fitted.fit.intercept) :])


def _comparison(fitted: FittedAnalysis) -> Criteria | None:
    """Criteria of the fit; none for weights and least squares, which have no likelihood."""
    fit = fitted.fit
    if fit.log_likelihood is None or fit.weighted or fitted.has_randomized:
        return None
    (summary,) = rr_engine.models.compare_models([fit])
    return Criteria(aic=summary.aic, bic=summary.bic, mcfadden=summary.mcfadden)


def _tests(fitted: FittedAnalysis) -> Iterator[WaldTest]:
    """Wald's test of all columns of each predictor together."""
    for predictor in fitted.analysis.predictors:
        names = [term.name for term in fitted.terms if term.question == predictor.question]
        try:
            found = rr_engine.models.wald_test(fitted.fit, names)
        except EngineError:
            continue  # a coefficient without a finite estimate
        yield WaldTest(
            question=predictor.question,
            statistic=number(found.statistic),
            degrees=found.degrees,
            p_value=number(found.p_value),
        )


def _calibration(fitted: FittedAnalysis, threshold: int) -> Calibration | None:
    """The test of calibration with what a plot of it shows; None where there is none.

    Nothing is shown of groups of fewer people than the release threshold.
    """
    fit = fitted.fit
    groups = min(MOST_GROUPS, fit.n // max(threshold, 1))
    if fitted.has_randomized or groups < 2:
        return None
    try:
        found = rr_engine.models.calibration_test(fit, groups)
    except EngineError:
        return None
    if found.sizes.min() < threshold:
        return None
    return Calibration(
        statistic=number(found.statistic),
        degrees=found.degrees,
        p_value=number(found.p_value),
        fitted=numbers(found.fitted),
        observed=numbers(found.observed),
    )


def _weights(fitted: FittedAnalysis) -> FitWeights | None:
    if fitted.sample is None:
        return None
    sample = fitted.sample
    return FitWeights(
        design_effect=float(sample.design_effect), effective_n=float(sample.effective_n)
    )
