"""Tallies and frozen parameters -> the results document: a pure function, so that anyone with an
export gets the same numbers.
"""

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np

import rr_engine
from surveys.engine_bridge.designs import epsilon_text, frozen_design

FORMAT = 1
LEVELS = (0.95, 0.5)

# (device, stratum) -> counts over its report space
Tallies = Mapping[tuple[str, str], list[int]]


def results_document(
    parameters: Mapping[str, Any], digest: str, tallies: Tallies, responses: int
) -> dict[str, Any]:
    """Every estimate of a survey with what it rests on; plain JSON types."""
    questions = {question["id"]: question for question in parameters["questions"]}
    return {
        "format": FORMAT,
        "survey": parameters["survey"],
        "version": parameters["version"],
        "wave": parameters["wave"],
        "digest": digest,
        "responses": responses,
        "level": LEVELS[0],
        "linkage": parameters["linkage"],
        "epsilon": {"declared": parameters["epsilon"], "spent": _epsilon_spent(parameters)},
        "engine": rr_engine.__version__,
        "questions": [
            _question_results(questions[device["questions"][0]], device, tallies)
            for device in parameters["devices"]
        ],
    }


def _epsilon_spent(parameters: Mapping[str, Any]) -> str:
    """What the devices of one respondent add up to, by the engine's accounting."""
    events = [
        rr_engine.Randomized(device["epsilon"])
        for device in parameters["devices"]
        if device["epsilon"] is not None
    ]
    return epsilon_text(Decimal(str(rr_engine.total_epsilon(rr_engine.Composition(events)))))


def _question_results(
    question: Mapping[str, Any], device: Mapping[str, Any], tallies: Tallies
) -> dict[str, Any]:
    labels = question["categories"]
    design = frozen_design(device, question)
    counts = np.asarray(
        tallies.get((device["id"], device["stratum"]), [0] * len(device["reports"])),
        dtype=np.int64,
    )
    common = {
        "id": question["id"],
        "text": question["text"],
        "kind": question["kind"],
        "randomized": question["randomized"],
        "device": device["id"],
        "stratum": device["stratum"],
        "design": device["design"],
        "epsilon": device["epsilon"],
        "reports": device["reports"],
        "labels": labels,
        "denominator": device["denominator"],
        "columns": device["columns"],
        "n": int(counts.sum()),
    }
    if not counts.sum():
        return {**common, "categories": [], "notes": ["no_reports"]}
    return {**common, **_estimates(design, counts, labels)}


def _estimates(
    design: rr_engine.DesignMatrix, counts: np.ndarray, labels: list[str]
) -> dict[str, Any]:
    estimate = rr_engine.estimate(design, counts)
    constrained = rr_engine.estimate(design, counts, method="mle")
    wide, narrow = (estimate.interval(level, method="default") for level in LEVELS)
    rows = zip(
        labels,
        estimate.proportions,
        estimate.standard_errors,
        wide,
        narrow,
        constrained.proportions,
        counts,
        strict=True,
    )
    return {
        "categories": [_category_row(*row, total=int(counts.sum())) for row in rows],
        "effective_n": _effective_n(estimate),
        "notes": sorted({note.code for note in (*estimate.notes, *constrained.notes)}),
    }


def _category_row(
    label: str,
    proportion: float,
    error: float,
    wide: np.ndarray,
    narrow: np.ndarray,
    constrained: float,
    count: int,
    *,
    total: int,
) -> dict[str, Any]:
    return {
        "label": label,
        "estimate": _number(proportion),
        "standard_error": _number(error),
        "interval": [_number(bound) for bound in wide],
        "interval_50": [_number(bound) for bound in narrow],
        "constrained": _number(constrained),
        "reported": int(count),
        "reported_share": int(count) / total,
    }


def _number(value: float) -> float | None:
    """JSON has no infinity: what the reports cannot tell is null."""
    return float(value) if math.isfinite(value) else None


def _effective_n(estimate: rr_engine.Estimate) -> float | None:
    """How many direct answers would give the same total variance (the cost of privacy)."""
    shares = np.clip(estimate.projected(), 0.0, 1.0)
    direct = float(np.sum(shares * (1.0 - shares)))
    spent = float(np.trace(estimate.covariance))
    return direct / spent if math.isfinite(spent) and spent > 0 and direct > 0 else None
