"""One question's numbers: the rows of its answers and what is derived from them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import rr_engine
from rr_engine.distributions import chi2_sf
from surveys.engine_bridge.strata import Part, Stratum, option_part, whole_part
from surveys.kinds import KINDS
from surveys.parameters import Question

LEVELS = (0.95, 0.5)
# Below this p-value the devices of a question are said to disagree.
DISAGREE = 0.01
# A standard error of a sample below this is not small but absent: all reports were alike.
VANISHED = 1e-6


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
    if asked == estimate.proportions.size:
        mean = rr_engine.mean_score(estimate, scores)
    else:
        mean = _mean_of_the_answering(estimate, scores)
    if mean is None:
        return None
    if estimate.population == "fixed" or mean.standard_error >= VANISHED:
        return derived(mean)
    return {**derived(mean), **_spread_of_one_answer(estimate, asked)}


def _spread_of_one_answer(estimate: rr_engine.Estimate, asked: int) -> dict[str, Any]:
    """What a mean can be when all answers are the same, so that its standard error is zero.

    Told directly: all that is not surely that answer may be the first or the last. Scrambled, alike
    reports tell nothing of the error.
    """
    if not np.array_equal(estimate.design.matrix, np.eye(estimate.proportions.size)):
        return {"value": None, "standard_error": None, "interval": [None, None]}
    told = rr_engine.estimate(rr_engine.direct(asked), estimate.counts[:asked])
    answer = int(np.argmax(told.proportions))
    least = float(told.interval(LEVELS[0], method="default")[answer, 0])
    sure, rest = least * (answer + 1), 1 - least
    return {"interval": [sure + rest, sure + rest * asked]}


def _mean_of_the_answering(
    estimate: rr_engine.Estimate, scores: np.ndarray
) -> rr_engine.Derived | None:
    """A ratio: its error is, by the delta method, that of the mean of its own slopes."""
    asked = scores.size
    answering = float(estimate.proportions[:asked].sum())
    if answering <= 0:
        return None
    mean = float(scores @ estimate.proportions[:asked]) / answering
    slopes = np.append((scores - mean) / answering, 0.0)
    bounds = (float(scores[0]), float(scores[-1]))
    return replace(rr_engine.mean_score(estimate, slopes), value=mean, bounds=bounds)


def _agreement(part: Part) -> dict[str, Any] | None:
    """Whether the devices of a question tell of the same people; a warning when they do not."""
    if len(part.designs) < 2:
        return None
    together = rr_engine.goodness_of_fit(part.designs, part.counts)
    if all(len(design.reports) == len(design.categories) for design in part.designs):
        return tested(together)
    return _beyond_alone(part, together)


def _beyond_alone(part: Part, together: rr_engine.GoodnessOfFit) -> dict[str, Any]:
    """How much worse one distribution for all fits than one for each device.

    More reports than answers may fit their own device badly; that says nothing about the others.
    """
    alone = [
        rr_engine.goodness_of_fit(design, counts).statistic
        for design, counts in zip(part.designs, part.counts, strict=True)
    ]
    statistic = max(0.0, together.statistic - sum(alone))
    freedom = (len(part.designs) - 1) * (len(part.designs[0].categories) - 1)
    p_value = float(chi2_sf(statistic, freedom))
    return tested(
        replace(together, statistic=statistic, p_value=p_value, degrees_of_freedom=freedom)
    )


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


def tested(test: Any) -> dict[str, Any]:
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
    sizes = [rr_engine.equivalent_n(fit.free) for fit in fits]
    if None in sizes:
        return None
    return float(np.average(sizes, weights=[fit.free.covariance[1, 1] for fit in fits]))
