"""One question's numbers: the rows of its answers and what is derived from them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import rr_engine
from rr_engine.association.answered import reports_truths
from rr_engine.estimation.alike import vanished_errors
from surveys.engine_bridge.strata import Part, Stratum, option_part, whole_part
from surveys.kinds import KINDS
from surveys.parameters import Question

LEVELS = (0.95, 0.5)
# Below this p-value the devices of a question are said to disagree.
DISAGREE = 0.01


@dataclass(frozen=True, slots=True)
class Fitted:
    """One estimate, unbiased and constrained, and which of its categories become rows."""

    part: Part
    free: rr_engine.Estimate
    constrained: rr_engine.Estimate
    categories: tuple[int, ...]


def question_estimates(
    question: Question, strata: Sequence[Stratum], population: str
) -> dict[str, Any]:
    """Rows and derived numbers of a question, pooled over `strata`; there is at least one."""
    several = question.several
    fits = _of_options(question, strata, population) if several else []
    if not several:
        part = whole_part(question, strata)
        fits = [_fitted(part, population, tuple(range(len(question.categories))))]
    rows = [row for fit in fits for row in _rows(fit)]
    agreement = None if several else _agreement(fits[0].part)
    entropy = None if several else derived(rr_engine.entropy(fits[0].free))
    return {
        "categories": [
            {"label": label, **row} for label, row in zip(question.categories, rows, strict=True)
        ],
        "effective_n": _effective_n(fits) if several else rr_engine.equivalent_n(fits[0].free),
        "mean": None if several else _mean(question, fits[0].free),
        "entropy": entropy,
        "agreement": agreement,
        "notes": sorted(_notes(fits, several=several, agreement=agreement)),
    }


def _notes(
    fits: Sequence[Fitted], *, several: bool, agreement: Mapping[str, Any] | None
) -> set[str]:
    estimates = [estimate for fit in fits for estimate in (fit.free, fit.constrained)]
    found = {
        "options_apart": several,
        "strata_disagree": agreement is not None and _disagree(agreement["p_value"]),
    }
    codes = {code for code, holds in found.items() if holds}
    return codes | {note.code for estimate in estimates for note in estimate.notes}


def _of_options(question: Question, strata: Sequence[Stratum], population: str) -> list[Fitted]:
    """A multiple choice has an estimate for each option: the share of people who ticked it."""
    options = range(len(question.categories))
    return [_fitted(option_part(question, strata, index), population, (1,)) for index in options]


def _fitted(part: Part, population: str, categories: tuple[int, ...]) -> Fitted:
    free, constrained = (_estimate(part, method, population) for method in ("inversion", "mle"))
    return Fitted(part, free, constrained, categories)


def _estimate(part: Part, method: str, population: str) -> rr_engine.Estimate:
    if len(part.designs) == 1:
        # A searched device is as accurate as promised where its reports are weighed by the guess
        # that it was searched for; of what came in nothing may be in the weights.
        return rr_engine.estimate(
            part.designs[0],
            part.counts[0],
            method=method,
            population=population,
            prior=part.prior if method == "inversion" else None,
        )
    return rr_engine.estimate_strata(
        part.designs, part.counts, method=method, population=population
    )


def _rows(fit: Fitted) -> list[dict[str, Any]]:
    wide, narrow = (fit.free.interval(level, method="default") for level in LEVELS)
    anytime = fit.free.interval(LEVELS[0], method="anytime")
    fakes = rr_engine.poisoning(fit.free)
    return [
        {
            "estimate": number(fit.free.proportions[index]),
            "standard_error": number(fit.free.standard_errors[index]),
            "interval": numbers(wide[index]),
            "interval_50": numbers(narrow[index]),
            "interval_anytime": numbers(anytime[index]),
            "constrained": number(fit.constrained.proportions[index]),
            "fake_weight": number(fakes.weights[index]),
            "fakes": number(fakes.fakes[index]),
            **_reported(fit.part, index),
        }
        for index in fit.categories
    ]


def _reported(part: Part, index: int) -> dict[str, Any]:
    """Raw reports of an answer; those of several devices would mean nothing together."""
    counts = part.reported
    if counts is None:
        return {"reported": None, "reported_share": None}
    return {
        "reported": int(counts[index]),
        "reported_share": int(counts[index]) / max(int(counts.sum()), 1),
    }


def _mean(question: Question, estimate: rr_engine.Estimate) -> dict[str, Any] | None:
    """Mean score of a scale, 1 for its first answer, among those who did not refuse."""
    if not KINDS[question.kind].ordered:
        return None
    size = question.asked
    mean = mean_of_scale(estimate, size)
    return None if mean is None else {**mean, "lowest": 1, "highest": size}


def mean_of_scale(estimate: rr_engine.Estimate, asked: int) -> dict[str, Any] | None:
    """Mean of the scores 1, 2, ... of the first `asked` answers; what comes after is a refusal."""
    scores = np.arange(1.0, asked + 1)
    mean = rr_engine.mean_of_answered(estimate, scores)
    if "nobody_answered" in {note.code for note in mean.notes}:
        return None
    if not vanished_errors(mean.standard_error, estimate.population):
        return derived(mean)
    if not reports_truths(estimate):
        # Scrambled, alike reports tell nothing of the error.
        return {**derived(mean), "value": None, "standard_error": None, "interval": [None, None]}
    ends = rr_engine.mean_where_alike(estimate, scores, LEVELS[0])
    return {**derived(mean), "interval": numbers(ends)}


def _agreement(part: Part) -> dict[str, Any] | None:
    """Whether the devices of a question tell of the same people; a warning when they do not."""
    if len(part.designs) < 2:
        return None
    return statistic(rr_engine.homogeneity_test(part.designs, part.counts))


def _disagree(p_value: float | None) -> bool:
    """The strongest disagreement has a p-value of 0.0, which is not the same as having none."""
    return p_value is not None and p_value < DISAGREE


def derived(measure: rr_engine.Derived) -> dict[str, Any]:
    return {
        "value": number(measure.value),
        "standard_error": number(measure.standard_error),
        "interval": numbers(measure.interval(LEVELS[0])),
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
    """JSON has no infinity: what the reports cannot tell is null."""
    return float(value) if math.isfinite(value) else None


def numbers(values: Iterable[float]) -> list[float | None]:
    return [number(value) for value in np.asarray(values)]


def _effective_n(fits: Sequence[Fitted]) -> float | None:
    """Direct answers with the same sum of variances over the options."""
    found = [rr_engine.equivalent_n(fit.free) for fit in fits]
    sizes = [size for size in found if size is not None]
    if len(sizes) < len(found):
        return None
    return float(np.average(sizes, weights=[fit.free.covariance[1, 1] for fit in fits]))
