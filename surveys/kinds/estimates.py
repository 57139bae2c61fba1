"""Numbers of one estimate: the rows of its answers and what is derived from them, as plain JSON."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import rr_engine
from rr_engine.association.answered import reports_truths
from rr_engine.estimation.alike import vanished_errors
from rr_engine.estimation.few_expected import few_expected
from surveys.kinds.estimation_inputs import EstimationInput

LEVELS = (0.95, 0.5)
# A standard error that is smaller than its interval by this factor is rounding.
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class QuestionEstimate:
    """One estimate, unbiased and by maximum likelihood; `categories`: those that become rows.

    `maximum_likelihood` is None where bits of reports were counted one by one, and no reports.
    """

    material: EstimationInput
    unbiased: rr_engine.Estimate
    maximum_likelihood: rr_engine.Estimate | None
    categories: tuple[int, ...]

    @property
    def notes(self) -> set[str]:
        """The codes of the notes of both."""
        both = (self.unbiased, self.maximum_likelihood)
        codes = {note.code for each in both if each is not None for note in each.notes}
        return codes if self.maximum_likelihood else codes | {"no_likelihood"}


def question_estimate(
    material: EstimationInput, population: str, categories: tuple[int, ...]
) -> QuestionEstimate:
    unbiased = _estimate(material, "inversion", population)
    return QuestionEstimate(material, unbiased, _likeliest(material, population), categories)


def _likeliest(material: EstimationInput, population: str) -> rr_engine.Estimate | None:
    try:
        return _estimate(material, "mle", population)
    except rr_engine.CountsError as error:
        if error.code != "reports_not_kept":
            raise
        return None


def _estimate(material: EstimationInput, method: str, population: str) -> rr_engine.Estimate:
    if len(material.designs) == 1:
        # A searched device is as accurate as declared where its reports are weighted by the prior
        # that it was searched for. The weights must not depend on the reports.
        return rr_engine.estimate(
            material.designs[0],
            material.counts[0],
            method=method,
            population=population,
            prior=material.prior if method == "inversion" else None,
        )
    return rr_engine.estimate_strata(
        material.designs, material.counts, method=method, population=population
    )


def rows_of(estimate: QuestionEstimate) -> list[dict[str, Any]]:
    wide, narrow = (estimate.unbiased.interval(level, method="default") for level in LEVELS)
    confidence_sequence = estimate.unbiased.interval(LEVELS[0], method="sequence")
    fakes = rr_engine.poisoning(estimate.unbiased)
    likeliest = estimate.maximum_likelihood
    return [
        {
            "estimate": number(estimate.unbiased.proportions[index]),
            "standard_error": error_beside(
                numbers(wide[index]), estimate.unbiased.standard_errors[index]
            ),
            "interval": numbers(wide[index]),
            "interval_50": numbers(narrow[index]),
            "confidence_sequence": numbers(confidence_sequence[index]),
            "maximum_likelihood": number(likeliest.proportions[index]) if likeliest else None,
            "fake_weight": number(fakes.weights[index]),
            "fakes": number(fakes.fakes[index]),
            **_report_columns(estimate.material, index),
        }
        for index in estimate.categories
    ]


def has_few_expected(estimate: QuestionEstimate) -> bool:
    """Whether an interval covers more often than it says, for lack of randomized reports."""
    unbiased = estimate.unbiased
    if reports_truths(unbiased):
        return False
    return bool(few_expected(unbiased)[list(estimate.categories)].any())


def _report_columns(material: EstimationInput, index: int) -> dict[str, Any]:
    """The raw reports of an answer; those of several devices have no meaning together."""
    counts = material.report_counts
    if counts is None:
        return {"reported": None, "reported_share": None}
    return {
        "reported": int(counts[index]),
        "reported_share": int(counts[index]) / max(int(counts.sum()), 1),
    }


def mean_of_scale(estimate: rr_engine.Estimate, answers: int) -> dict[str, Any] | None:
    """Mean of the scores 1, 2, ... of the first `answers` answers; a later one is a refusal."""
    scores = np.arange(1.0, answers + 1)
    mean = rr_engine.mean_of_answered(estimate, scores)
    if "nobody_answered" in {note.code for note in mean.notes}:
        return None
    if not vanished_errors(mean.standard_error, estimate.population):
        return derived_json(mean)
    if not reports_truths(estimate):
        # Identical randomized reports do not identify the error.
        return {
            **derived_json(mean),
            "value": None,
            "standard_error": None,
            "interval": [None, None],
        }
    ends = numbers(rr_engine.mean_where_alike(estimate, scores, LEVELS[0]))
    error = error_beside(ends, mean.standard_error)
    return {**derived_json(mean), "standard_error": error, "interval": ends}


def agreement_of(material: EstimationInput) -> dict[str, Any] | None:
    """A homogeneity test of the strata of a question.

    None where there is one stratum only, or a device whose reports are not counted one by one.
    """
    if len(material.designs) < 2 or not all(each.tabulated for each in material.designs):
        return None
    return statistic(rr_engine.homogeneity_test(material.designs, material.counts))


def derived_json(measure: rr_engine.Derived) -> dict[str, Any]:
    interval = numbers(measure.interval(LEVELS[0]))
    return {
        "value": number(measure.value),
        "standard_error": error_beside(interval, measure.standard_error),
        "interval": interval,
        "notes": sorted(note.code for note in measure.notes),
    }


def statistic(test: Any) -> dict[str, Any]:
    return {
        "statistic": number(test.statistic),
        "degrees_of_freedom": number(test.degrees_of_freedom),
        "p_value": number(test.p_value),
        "notes": sorted(note.code for note in test.notes),
    }


def number(value: float) -> float | None:
    """A JSON number; null for an infinite one, which the reports cannot identify."""
    return float(value) if math.isfinite(value) else None


def error_beside(interval: Sequence[float | None], error: float) -> float | None:
    """A standard error as a JSON number; null where it came out as nothing beside an interval.

    Where all reports are the same, or shares are such that no small change of them changes what is
    measured, the formula of the error gives zero, and the interval, which knows better, does not.
    """
    low, high = interval
    if low is None or high is None or high - low <= ROUNDING:
        return number(error)
    return None if 0 <= error <= ROUNDING * (high - low) else number(error)


def numbers(values: Iterable[float]) -> list[float | None]:
    return [number(value) for value in np.asarray(values)]
