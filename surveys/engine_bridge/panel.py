"""What an epsilon costs and gives, for the panel beside it and for lint.

Everything is computed from the exact design that a launch would freeze. Where a question has
several answers, precision and belief are those of one option: its own device, or what a device over
all combinations says of it.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import rr_engine
from surveys.engine_bridge.constructors import deck_of
from surveys.engine_bridge.designs import (
    ASSUMED_SHARE,
    SEARCHED,
    DesignChoice,
    choice_of,
    choices_for,
    draft_design,
    has_table,
    under,
)
from surveys.engine_bridge.remembered import Remembered
from surveys.kinds import KINDS, categories
from surveys.parameters import CARDS
from surveys.parameters.cards import answers_shown
from surveys.parameters.exact import report_codes, table_of

if TYPE_CHECKING:
    from surveys.models import Question

# The margin that the panel plans for.
WANTED_MARGIN = 0.05
LEVEL = 0.95


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


@Remembered
def margin_at_planned_n(question: "Question", planned_n: int) -> float | None:
    """Half width of the 95 % interval of the least certain share; None for an invalid draft."""
    try:
        design = watched_design(question)
        shares = assumed(question, design)
        return float(
            rr_engine.margin_of_error(
                design, shares, planned_n, level=LEVEL, prior=weighed_by(question)
            )
        )
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None


@Remembered
def effective_share(question: "Question") -> float | None:
    """As good as what share of the respondents, asked directly; None while the draft is invalid."""
    try:
        design = watched_design(question)
        shares, prior = assumed(question, design), weighed_by(question)
        return float(rr_engine.effective_sample_share(design, shares, prior=prior))
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None


@Remembered
def epsilon_panel(question: "Question", planned_n: int) -> dict[str, Any]:
    """The figures of PRODUCT's table for one draft question; raises EngineError on bad input."""
    whole, design = draft_design(question), watched_design(question)
    shares, kept = assumed(question, design), telling_shares(question)
    watched = watched_category(question, design)
    prior = weighed_by(question)
    category = None if guess_of(question) else watched
    needed = rr_engine.sample_size(
        design, shares, WANTED_MARGIN, level=LEVEL, category=category, prior=prior
    )
    margin = rr_engine.margin_of_error(
        design, shares, planned_n, level=LEVEL, category=category, prior=prior
    )
    return {
        "kept": min(kept),
        "kept_most": max(kept),
        "odds": _ratio_of_question(question, whole),
        "wanted_margin": WANTED_MARGIN,
        "n_for_margin": needed,
        "margin_at_planned_n": float(margin),
        "effective_share": float(rr_engine.effective_sample_share(design, shares, prior=prior)),
        "prior": shares[watched],
        "posterior": float(np.nanmax(design.posterior(shares)[:, watched])),
    }


def draft_columns(question: "Question") -> list[list[float]]:
    """Shares of each report by true answer, of the device that is drawn in one spin."""
    return draft_design(question).matrix.T.tolist()


@Remembered
def telling_shares(question: "Question") -> list[float]:
    """How often a report stands for the real answer, by answer.

    A code of its own, or any card that shows it. A searched table has neither: then every chance
    of a code under an answer that can send it.
    """
    design = draft_design(question)
    name = choice_of(question).name if question.randomized else ""
    if name == SEARCHED:
        return [float(chance) for chance in design.matrix.ravel() if chance]
    if name != CARDS:
        return np.diag(design.matrix).tolist()
    shown = answers_shown(table_of(design))
    return np.where(shown, design.matrix, 0).sum(axis=0).tolist()


@Remembered
def device_figures(question: "Question", planned_n: int) -> list[DeviceFigures]:
    """Every device that fits, at the question's epsilon; (epsilon, delta) only if it is chosen.

    A device that cannot be had at this epsilon is left out, unless it is the one that is chosen.
    """
    figures = []
    for choice in choices_for(question):
        chosen = choice.name == question.design
        if choice.relaxed and not chosen:
            continue
        try:
            figures.append(_figures(under(question, choice), choice, planned_n))
        except rr_engine.EngineError:
            if chosen:
                raise
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


def guess_of(question: "Question") -> list[float] | None:
    """The shares that a stored table was searched for; every device is judged by them.

    Where a rare trait's device is chosen its own guess goes before.
    """
    if "prevalence" in question.design_parameters or not has_table(question):
        return None
    return [float(share) for share in question.design_parameters["search"]["prior"]]


def weighed_by(question: "Question") -> list[float] | None:
    """The guess at which the results will weigh the reports; None for equal shares."""
    if question.design != SEARCHED:
        return None
    return [float(share) for share in question.design_parameters["search"]["prior"]]


def assumed(question: "Question", design: rr_engine.DesignMatrix) -> list[float]:
    """The shares that were guessed; else the watched category has ASSUMED_SHARE, the rest is even.

    Of a rare trait only the watched share was guessed.
    """
    guess = guess_of(question)
    if guess is not None:
        return guess
    share = float(question.design_parameters.get("prevalence", ASSUMED_SHARE))
    size = design.matrix.shape[1]
    shares = [(1 - share) / (size - 1)] * size
    shares[watched_category(question, design)] = share
    return shares


def watched_category(question: "Question", design: rr_engine.DesignMatrix) -> int:
    """Yes, ticked, the second of two; otherwise the first."""
    return 1 if question.kind == "yes_no" or design.matrix.shape[1] == 2 else 0


def proofs(design: rr_engine.DesignMatrix) -> list[tuple[str, list[int]]]:
    """Reports that rule an answer out, each with the answers that it leaves."""
    codes, possible = report_codes(len(design.matrix)), design.matrix > 0
    telling = np.flatnonzero(possible.any(axis=1) & ~possible.all(axis=1))
    return [(codes[code], np.flatnonzero(possible[code]).tolist()) for code in telling]


@Remembered
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


def deck_for(question: "Question") -> rr_engine.CardDeck:
    """The cards of a question whose device they are."""
    return deck_of(len(categories(question)), question.epsilon)


def excess_of_table(question: "Question") -> float:
    """How far a searched table's squared error lies above the least possible, at most; relative."""
    found = question.design_parameters["search"]
    error = draft_design(question).mse([float(share) for share in found["prior"]], 1)
    return max(0.0, error / float(found["least_error"]) - 1)


def _ratio_of_question(question: "Question", design: rr_engine.DesignMatrix) -> float | None:
    """The odds factor of all that a question sends: of several devices the product."""
    if design.loss_ratio is None:
        return None
    per_option = question.randomized and choice_of(question).per_option
    return float(design.loss_ratio) ** (len(categories(question)) if per_option else 1)
