"""The devices that fit a question, side by side and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.engine_bridge.designs import SEARCHED, TIE, under
from surveys.engine_bridge.panel import (
    DeviceFigures,
    deck_for,
    device_figures,
    excess_of_table,
)
from surveys.kinds import categories
from surveys.models import Question
from surveys.panel import MOST_RESPONDENTS, respondents
from surveys.parameters import CARDS
from surveys.searched import origin_of
from surveys.strength import hundredths, question_level

# By level: what a report proves, followed by the odds factor.
_PROVES = (
    gettext_lazy("Nothing for certain: at most %s times likelier under one answer than another."),
    gettext_lazy("A strong hint: up to %s times likelier under one answer than another."),
    gettext_lazy("Much: up to %s times likelier under one answer than another."),
    gettext_lazy("Very much: up to %s times likelier under one answer than another."),
)
# Less than this above the least possible error is the least possible to a reader.
_NOTHING = 0.0005


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """One device as it is shown; the chosen one is marked."""

    name: str
    label: str
    note: str
    chosen: bool
    margin: str
    needed: str
    belief: str
    epsilon: str
    proves: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`proposal` names the device that is clearly better than the chosen one."""

    rows: list[DeviceRow]
    best: str = ""
    proposal: str = ""


def comparison_of(*, question: Question, planned_n: int) -> Comparison:
    """The devices at the question's epsilon; raises EngineError for a draft that is not valid."""
    figures = device_figures(question, planned_n)
    rows = [_row(one, question) for one in figures]
    better = _proposed(figures, question.design)
    return Comparison(
        rows,
        best=best_sentence(figures, question.design),
        proposal=better.choice.name if better else "",
    )


def best_sentence(figures: Sequence[DeviceFigures], chosen: str) -> str:
    """Which device needs fewer respondents, and by how much."""
    best, *others = sorted(figures, key=lambda one: one.margin)
    if not others:
        return ""
    if _tied(best, others[0]):
        return _("No device is clearly more accurate here: %s.") % numbers.margin(best.margin)
    if best.choice.name == chosen:
        return _chosen_is_best(numbers.margin(best.margin), numbers.margin(others[0].margin))
    own = next((one for one in figures if one.choice.name == chosen), others[0])
    return _fewer(best, own)


def _chosen_is_best(one: str, other: str) -> str:
    if one == other:
        return _("The chosen device is the most accurate here.")
    text = _("The chosen device is the most accurate here: %(one)s instead of %(other)s.")
    return text % {"one": one, "other": other}


def _fewer(best: DeviceFigures, own: DeviceFigures) -> str:
    saved = 1 - best.n_for_margin / own.n_for_margin
    values = {
        "device": best.choice.label,
        "saved": numbers.percent(saved),
        "one": respondents(best.n_for_margin),
        "other": respondents(own.n_for_margin),
    }
    if own.n_for_margin > MOST_RESPONDENTS:
        # Two crowds that nobody reaches are not worth naming.
        return _("“%(device)s” needs %(saved)s fewer respondents for the same margin.") % values
    text = _(
        "“%(device)s” needs %(saved)s fewer respondents for the same margin: %(one)s instead of "
        "%(other)s."
    )
    return text % values


def _proposed(figures: Sequence[DeviceFigures], chosen: str) -> DeviceFigures | None:
    best = min(figures, key=lambda one: one.margin, default=None)
    own = next((one for one in figures if one.choice.name == chosen), None)
    if own is None or best is None or best is own or _tied(best, own):
        return None
    return best


def _tied(best: DeviceFigures, other: DeviceFigures) -> bool:
    return other.margin - best.margin <= TIE * best.margin


def proof_sentence(one: DeviceFigures, question: Question) -> str:
    """What a single report proves about the person who sent it."""
    if one.loss_ratio is not None:
        text = _PROVES[question_level(hundredths(log(one.loss_ratio)))]
        return text % numbers.fixed(one.loss_ratio, 1)
    labels = categories(question)
    return " ".join(_proof(code, [labels[index] for index in left]) for code, left in one.proofs)


def _proof(code: str, answers: Sequence[str]) -> str:
    values = {"code": code, "answer": " / ".join(answers)}
    return _("A report %(code)s can only come from “%(answer)s”.") % values


def device_note(question: Question) -> str:
    """What its deck is made of, or what its table was searched for; empty for other devices."""
    if question.design == SEARCHED:
        return f"{origin_of(question)} {_above_least(excess_of_table(question))}"
    if question.design != CARDS:
        return ""
    deck = deck_for(question)
    values = {
        "cards": numbers.count(len(deck.cards)),
        "shown": numbers.count(deck.card_size),
        "accuracy": _above_best(deck.excess),
    }
    return _("%(cards)s cards with %(shown)s answers on each: %(accuracy)s.") % values


def _above_best(excess: float) -> str:
    if excess < _NOTHING:
        return _("as accurate as a device can be without a guess of the shares")
    text = _("at worst %s more squared error than the best device without a guess of the shares")
    return text % numbers.excess(excess)


def _above_least(excess: float) -> str:
    if excess < _NOTHING:
        return _("No device of the same privacy is clearly more accurate at this guess.")
    text = _("Its squared error is at most %s above the least possible at the same privacy.")
    return text % numbers.excess(excess)


def _row(one: DeviceFigures, question: Question) -> DeviceRow:
    return DeviceRow(
        name=one.choice.name,
        label=str(one.choice.label),
        note=device_note(under(question, one.choice)),
        chosen=one.choice.name == question.design,
        margin=numbers.margin(one.margin),
        needed=respondents(one.n_for_margin),
        belief=numbers.percent(one.posterior),
        epsilon=epsilon_kept(one, question),
        proves=proof_sentence(one, question),
    )


def epsilon_kept(one: DeviceFigures, question: Question) -> str:
    """The declared epsilon; after it the device's own where that is clearly smaller."""
    budget = question.known_epsilon
    declared = numbers.decimal(budget)
    if one.delta is not None:
        return _("%(epsilon)s; delta %(delta)s") % {
            "epsilon": declared,
            "delta": numbers.decimal(one.delta),
        }
    if one.choice.per_option:
        count = len(categories(question))
        each = numbers.fixed(float(budget) / count, 3)
        return _("%(epsilon)s, for each option %(each)s") % {"epsilon": declared, "each": each}
    if one.epsilon < float(budget) * 0.99:
        return _("%(own)s of %(epsilon)s") % {
            "own": numbers.fixed(one.epsilon, 2),
            "epsilon": declared,
        }
    return declared
