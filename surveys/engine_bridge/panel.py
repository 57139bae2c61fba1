"""What an epsilon costs and gives, for the panel beside it and for lint.

Everything is computed from the exact design that a launch would freeze. Where a question has
several answers, precision and belief are those of one option: its own device, or what a device over
all combinations says of it.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import rr_engine
from surveys.engine_bridge.designs import (
    DesignChoice,
    choice_of,
    choices_for,
    draft_design,
    report_codes,
)
from surveys.kinds import KINDS, categories

if TYPE_CHECKING:
    from surveys.models import Question

# The share that the panel assumes for the category looked at, and the margin it plans for.
ASSUMED_SHARE = 0.1
WANTED_MARGIN = 0.05
LEVEL = 0.95
# Margins closer than this are the same to a reader.
TIE = 0.005


@dataclass(frozen=True, slots=True)
class DeviceFigures:
    """One row of the comparison. `loss_ratio` is for all devices of the question together, None
    where some report proves something; `proofs` says what: a report and the answers it leaves.
    """

    choice: DesignChoice
    margin: float
    n_for_margin: int
    posterior: float
    epsilon: float
    loss_ratio: float | None
    proofs: list[tuple[str, list[int]]]
    delta: str | None


def margin_at_planned_n(question: "Question", planned_n: int) -> float | None:
    """Half width of the 95 % interval of one category's share; None while the draft is invalid."""
    try:
        design = watched_design(question)
        shares = assumed(question, design)
        return float(rr_engine.margin_of_error(design, shares, planned_n, level=LEVEL))
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None


def effective_share(question: "Question") -> float | None:
    """As good as what share of the respondents, asked directly; None while the draft is invalid."""
    try:
        design = watched_design(question)
        return float(rr_engine.effective_sample_share(design, assumed(question, design)))
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None


def epsilon_panel(question: "Question", planned_n: int) -> dict[str, Any]:
    """The figures of PRODUCT's table for one draft question; raises EngineError on bad input."""
    whole, design = draft_design(question), watched_design(question)
    shares, kept = assumed(question, design), np.diag(whole.matrix)
    watched = watched_category(design)
    ratio = _ratio_of_question(question, whole)
    return {
        "kept": float(kept.min()),
        "kept_most": float(kept.max()),
        "categories": len(kept),
        "odds": ratio,
        "wanted_margin": WANTED_MARGIN,
        "n_for_margin": rr_engine.sample_size(design, shares, WANTED_MARGIN, level=LEVEL),
        "margin_at_planned_n": float(
            rr_engine.margin_of_error(design, shares, planned_n, level=LEVEL)
        ),
        "effective_share": float(rr_engine.effective_sample_share(design, shares)),
        "prior": shares[watched],
        "posterior": float(design.posterior(shares)[watched, watched]),
    }


def draft_columns(question: "Question") -> list[list[float]]:
    """Shares of each report by true answer, of the device that is drawn in one spin."""
    return draft_design(question).matrix.T.tolist()


def device_figures(question: "Question", planned_n: int) -> list[DeviceFigures]:
    """Every device that fits, at the question's epsilon; (epsilon, delta) only if it is chosen."""
    chosen = question.design
    figures = []
    for choice in choices_for(question):
        if choice.relaxed and choice.name != chosen:
            continue
        question.design = choice.name
        try:
            figures.append(_figures(question, choice, planned_n))
        finally:
            question.design = chosen
    return figures


def watched_design(question: "Question") -> rr_engine.DesignMatrix:
    """The design that one category's precision rests on."""
    design = draft_design(question)
    several = KINDS[question.kind].several and question.randomized
    if not several or choice_of(question).per_option:
        return design
    return option_of_whole_set(design, option=0)


def option_of_whole_set(design: rr_engine.DesignMatrix, option: int) -> rr_engine.DesignMatrix:
    """What a device over all combinations says of one option: not ticked, ticked.

    A code's bits are the options; an odd code out, the last, is a refusal, which ticks nothing.
    """
    size = len(design.categories)
    subsets = size - size % 2
    ticked = [code for code in range(subsets) if code >> option & 1]
    rest = [code for code in range(size) if code not in ticked]
    return design.collapsed([rest, ticked], [rest, ticked])


def assumed(question: "Question", design: rr_engine.DesignMatrix) -> list[float]:
    """The watched category has the share that was guessed, or ASSUMED_SHARE; the rest is even."""
    share = float(question.design_parameters.get("prevalence", ASSUMED_SHARE))
    size = design.matrix.shape[1]
    shares = [(1 - share) / (size - 1)] * size
    shares[watched_category(design)] = share
    return shares


def watched_category(design: rr_engine.DesignMatrix) -> int:
    return 1 if design.matrix.shape[1] == 2 else 0


def proofs(design: rr_engine.DesignMatrix) -> list[tuple[str, list[int]]]:
    """Reports that rule an answer out, each with the answers that it leaves."""
    found = []
    for code, row in zip(report_codes(len(design.matrix)), design.matrix, strict=True):
        possible = np.flatnonzero(row).tolist()
        if 0 < len(possible) < len(row):
            found.append((code, possible))
    return found


def revealed_share(question: "Question") -> float:
    """Share of all respondents whose report proves their answer, at the guessed prevalence."""
    design = draft_design(question)
    shares = assumed(question, design)
    return sum(
        shares[answer] * float(design.matrix[code, answer])
        for code, row in enumerate(design.matrix)
        for answer in np.flatnonzero(row)
        if np.count_nonzero(row) == 1
    )


def _figures(question: "Question", choice: DesignChoice, planned_n: int) -> DeviceFigures:
    panel, whole = epsilon_panel(question, planned_n), draft_design(question)
    return DeviceFigures(
        choice=choice,
        margin=panel["margin_at_planned_n"],
        n_for_margin=panel["n_for_margin"],
        posterior=panel["posterior"],
        epsilon=float(np.log(panel["odds"])) if panel["odds"] else float("inf"),
        loss_ratio=panel["odds"],
        proofs=proofs(whole),
        delta=str(question.design_parameters["delta"]) if choice.relaxed else None,
    )


def _ratio_of_question(question: "Question", design: rr_engine.DesignMatrix) -> float | None:
    """The odds factor of all that a question sends: of several devices the product."""
    if design.loss_ratio is None:
        return None
    per_option = question.randomized and choice_of(question).per_option
    return float(design.loss_ratio) ** (len(categories(question)) if per_option else 1)
