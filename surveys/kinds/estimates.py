"""Numbers of one estimate: the rows of its answers and what is derived from them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

import rr_engine
from rr_engine.association.answered import reports_truths
from rr_engine.estimation.moment_guard import few_expected
from rr_engine.estimation.notes import vanished_errors
from surveys.kinds.estimation_inputs import EstimationInput
from surveys.results_document.parts import Derived, HypothesisTest, Interval, Notes
from surveys.results_document.questions import Category

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
    except rr_engine.errors.CountsError as error:
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


def rows_of(estimate: QuestionEstimate, labels: Sequence[str]) -> list[Category]:
    """Return the rows of the focal categories, under these labels."""
    wide, narrow = (estimate.unbiased.interval(level, method="default") for level in LEVELS)
    confidence_sequence = estimate.unbiased.interval(LEVELS[0], method="sequence")
    fakes = rr_engine.compliance.poisoning(estimate.unbiased)
    likeliest, errors = estimate.maximum_likelihood, estimate.unbiased.standard_errors
    return [
        Category(
            label=label,
            **share_of(estimate.unbiased.proportions[index], errors[index], wide[index]),
            interval_50=ends(narrow[index]),
            confidence_sequence=ends(confidence_sequence[index]),
            maximum_likelihood=number(likeliest.proportions[index]) if likeliest else None,
            fake_weight=number(fakes.weights[index]),
            fakes=number(fakes.fakes[index]),
            **_report_columns(estimate.material, index),
        )
        for label, index in zip(labels, estimate.categories, strict=True)
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


def mean_of_scale(estimate: rr_engine.Estimate, answers: int) -> Derived | None:
    """Mean of the scores 1, 2, ... of the first `answers` answers; a later one is a refusal."""
    scores = np.arange(1.0, answers + 1)
    mean = rr_engine.association.mean_of_answered(estimate, scores)
    if "nobody_answered" in {note.code for note in mean.notes}:
        return None
    return mean_of_scores(mean, estimate, scores)


def mean_of_scores(
    mean: rr_engine.association.Derived, estimate: rr_engine.Estimate, scores: npt.ArrayLike
) -> Derived:
    """A mean of scores with what its reports tell of its error, which may be nothing."""
    is_direct = reports_truths(estimate)
    is_counted = is_direct and estimate.population == "fixed"
    if is_counted or not vanished_errors(mean.standard_error, "sample"):
        return derived(mean)
    if not is_direct:
        # Identical randomized reports do not identify the error.
        return replace(derived(mean), value=None, standard_error=None, interval=(None, None))
    interval = ends(rr_engine.association.mean_where_alike(estimate, scores, LEVELS[0]))
    error = error_beside(interval, mean.standard_error)
    return replace(derived(mean), standard_error=error, interval=interval)


def agreement_of(material: EstimationInput) -> HypothesisTest | None:
    """A homogeneity test of the strata of a question.

    None where there is one stratum only, or a device whose reports are not counted one by one.
    """
    if len(material.designs) < 2 or not all(each.tabulated for each in material.designs):
        return None
    return statistic(rr_engine.compliance.homogeneity_test(material.designs, material.counts))


def derived(measure: rr_engine.association.Derived) -> Derived:
    interval = ends(measure.interval(LEVELS[0]))
    return Derived(
        value=number(measure.value),
        standard_error=error_beside(interval, measure.standard_error),
        interval=interval,
        notes=codes(measure.notes),
    )


def statistic(test: Any) -> HypothesisTest:
    return HypothesisTest(
        statistic=number(test.statistic),
        degrees_of_freedom=number(test.degrees_of_freedom),
        p_value=number(test.p_value),
        notes=codes(test.notes),
    )


def share_of(value: float, error: float, interval: Iterable[float]) -> dict[str, Any]:
    """Return the three fields that every estimated share has."""
    both = ends(interval)
    return {
        "estimate": number(value),
        "standard_error": error_beside(both, error),
        "interval": both,
    }


def identified(value: float, error: float, interval: Iterable[float]) -> dict[str, Any]:
    """Return these fields of a share, without an estimate if the reports do not identify it."""
    fields = share_of(value, error, interval)
    return fields if number(error) is not None else {**fields, "estimate": None}


def codes(notes: Iterable[Any]) -> Notes:
    """Return the codes of notes of the engine, sorted."""
    return tuple(sorted(note.code for note in notes))


def number(value: float) -> float | None:
    """A JSON number; null for an infinite one, which the reports cannot identify."""
    # No "-0.0": the sign of nothing says nothing.
    return float(value) or 0.0 if math.isfinite(value) else None


def error_beside(interval: Interval, error: float) -> float | None:
    """A standard error as a JSON number, which is 0 where there is nothing but rounding.

    It is null where it came out as nothing beside an interval.

    Where all reports are the same, or shares are such that no small change of them changes what is
    measured, the formula of the error gives zero, and the interval, which knows better, does not.
    """
    low, high = interval
    if low is None or high is None:
        return number(error)
    if high - low <= ROUNDING:
        return 0.0 if 0 <= error <= ROUNDING else number(error)
    return None if 0 <= error <= ROUNDING * (high - low) else number(error)


def numbers(values: Iterable[float]) -> tuple[float | None, ...]:
    return tuple(number(value) for value in np.asarray(values))


def ends(interval: Iterable[float]) -> Interval:
    low, high = numbers(interval)
    return low, high
