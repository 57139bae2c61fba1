"""The devices that fit a question, side by side and in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from surveys import engine_bridge
from surveys.engine_bridge.panel import TIE, DeviceFigures, device_figures
from surveys.kinds import categories
from surveys.models import Question
from surveys.panel import margin_text, percent, respondents, rounded


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """One device as it is shown; the chosen one is marked."""

    name: str
    label: str
    chosen: bool
    margin: str
    needed: str
    belief: str
    epsilon: str
    proves: str


@dataclass(frozen=True, slots=True)
class Comparison:
    rows: list[DeviceRow]
    best: str = ""


def comparison_of(*, question: Question, planned_n: int) -> Comparison:
    """The devices at the question's epsilon; raises EngineError for a draft that is not valid."""
    figures = device_figures(question, planned_n)
    rows = [_row(one, question) for one in figures]
    return Comparison(rows, best_sentence(figures, question.design))


def best_sentence(figures: Sequence[DeviceFigures], chosen: str) -> str:
    """Which device is more accurate at the planned number of respondents, and by how much."""
    best, *others = sorted(figures, key=lambda one: one.margin)
    if not others:
        return ""
    own = next((one for one in figures if one.choice.name == chosen), others[0])
    if others[0].margin - best.margin <= TIE * best.margin:
        return _("No device is clearly more accurate here: %s.") % margin_text(best.margin)
    if own is best:
        text = _("The chosen device is the most accurate here: %(one)s instead of %(other)s.")
        return text % {"one": margin_text(best.margin), "other": margin_text(others[0].margin)}
    text = _("More accurate here: “%(device)s”, %(one)s instead of %(other)s.")
    values = {"one": margin_text(best.margin), "other": margin_text(own.margin)}
    return text % {"device": best.choice.label, **values}


def proof_sentence(one: DeviceFigures, question: Question) -> str:
    """What a single report proves about the person who sent it."""
    if one.loss_ratio is not None:
        text = _("Nothing for certain: at most %s times likelier under one answer than another.")
        return text % rounded(one.loss_ratio, 1)
    labels = categories(question)
    return " ".join(_proof(code, [labels[index] for index in left]) for code, left in one.proofs)


def _proof(code: str, answers: Sequence[str]) -> str:
    values = {"code": code, "answer": " / ".join(answers)}
    return _("A report %(code)s can only come from “%(answer)s”.") % values


def _row(one: DeviceFigures, question: Question) -> DeviceRow:
    return DeviceRow(
        name=one.choice.name,
        label=str(one.choice.label),
        chosen=one.choice.name == question.design,
        margin=margin_text(one.margin),
        needed=respondents(one.n_for_margin),
        belief=percent(one.posterior),
        epsilon=epsilon_kept(one, question),
        proves=proof_sentence(one, question),
    )


def epsilon_kept(one: DeviceFigures, question: Question) -> str:
    """The declared epsilon; after it the device's own where that is clearly smaller."""
    declared = number_format(engine_bridge.epsilon_text(question.epsilon))
    if one.delta is not None:
        return _("%(epsilon)s; delta %(delta)s") % {
            "epsilon": declared,
            "delta": number_format(one.delta),
        }
    if one.choice.per_option:
        count = len(categories(question))
        each = rounded(float(question.epsilon) / count, 3)
        return _("%(epsilon)s, for each option %(each)s") % {"epsilon": declared, "each": each}
    if one.epsilon < float(question.epsilon) * 0.99:
        return _("%(own)s of %(epsilon)s") % {"own": rounded(one.epsilon, 2), "epsilon": declared}
    return declared
