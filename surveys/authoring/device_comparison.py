"""The devices that fit a question, side by side and in words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.authoring.networks.figures import NetworkGuess, network_figures
from surveys.authoring.networks.panel import epsilon_words, person_words
from surveys.authoring.networks.texts import share_margin
from surveys.authoring.panel.number_words import margin_words
from surveys.authoring.panel.text_words import ONE_DEVICE, text_figures
from surveys.authoring.panel.words import MOST_RESPONDENTS, respondents
from surveys.authoring.planning.figures import DeviceFigures, device_figures
from surveys.devices import family_of
from surveys.devices.registry import TIE, chosen_family
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import categories, kind_of
from surveys.strength import hundredths, question_level

# Sentences by level: what a report identifies, followed by the likelihood-ratio bound.
_IDENTIFICATION = (
    gettext_lazy("Nothing for certain: at most %s times likelier under one answer than another."),
    gettext_lazy("A strong hint: up to %s times likelier under one answer than another."),
    gettext_lazy("Much: up to %s times likelier under one answer than another."),
    gettext_lazy("Very much: up to %s times likelier under one answer than another."),
)


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """One row of the comparison; the chosen device is marked."""

    name: str
    label: str
    note: str
    chosen: bool
    margin: str
    needed: str
    belief: str
    epsilon: str
    identifying_reports: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`proposal` names the device that is clearly better than the chosen one."""

    rows: list[DeviceRow]
    best: str = ""
    proposal: str = ""


def comparison_of(*, draft: AskedQuestion | Draft, planned_n: int) -> Comparison:
    """The devices at the question's epsilon; raises EngineError for a draft that is not valid."""
    draft = Draft.of(draft)
    if kind_of(draft).free_text:
        return Comparison([_text_row(draft, planned_n)], best=str(ONE_DEVICE))
    if kind_of(draft).about_members:
        return Comparison([_network_row(draft, planned_n)])
    figures = device_figures(draft, planned_n)
    rows = [_row(figure, draft) for figure in figures]
    proposal = _proposal(figures, draft.design)
    return Comparison(
        rows,
        best=best_sentence(figures, draft.design),
        proposal=proposal.family.name if proposal else "",
    )


def best_sentence(figures: Sequence[DeviceFigures], chosen_name: str) -> str:
    """Return which device needs fewer respondents, and by how much."""
    best, *others = sorted(figures, key=lambda figure: figure.margin)
    if not others:
        return ""
    if _is_tie(best, others[0]):
        return _("No device is clearly more accurate here: %s.") % numbers.margin(best.margin)
    if best.family.name == chosen_name:
        return _chosen_is_best_words(numbers.margin(best.margin), numbers.margin(others[0].margin))
    current = next((figure for figure in figures if figure.family.name == chosen_name), others[0])
    return _saving_sentence(best, current)


def _chosen_is_best_words(name: str, other: str) -> str:
    if name == other:
        return _("The chosen device is the most accurate here.")
    text = _("The chosen device is the most accurate here: %(one)s instead of %(other)s.")
    return text % {"one": name, "other": other}


def _saving_sentence(best: DeviceFigures, current: DeviceFigures) -> str:
    saving = 1 - best.n_for_margin / current.n_for_margin
    values = {
        "device": best.family.label,
        "saved": numbers.percent(saving),
        "one": respondents(best.n_for_margin),
        "other": respondents(current.n_for_margin),
    }
    if current.n_for_margin > MOST_RESPONDENTS:
        # Numbers of respondents beyond any survey are not compared.
        return _("“%(device)s” needs %(saved)s fewer respondents for the same margin.") % values
    text = _(
        "“%(device)s” needs %(saved)s fewer respondents for the same margin: %(one)s instead of "
        "%(other)s."
    )
    return text % values


def _proposal(figures: Sequence[DeviceFigures], chosen_name: str) -> DeviceFigures | None:
    best = min(figures, key=lambda figure: figure.margin, default=None)
    current = next((figure for figure in figures if figure.family.name == chosen_name), None)
    if current is None or best is None or best is current or _is_tie(best, current):
        return None
    return best


def _is_tie(best: DeviceFigures, other: DeviceFigures) -> bool:
    return other.margin - best.margin <= TIE * best.margin


def identification_sentence(figure: DeviceFigures, draft: Draft) -> str:
    """A sentence on what a single report identifies about its sender."""
    if figure.likelihood_ratio is not None:
        return _likelihood_sentence(figure.likelihood_ratio)
    labels = categories(draft)
    return " ".join(
        _identifying_sentence(code, [labels[index] for index in left])
        for code, left in figure.identifying_reports
    )


def _likelihood_sentence(ratio: float) -> str:
    text = _IDENTIFICATION[question_level(hundredths(log(ratio)))]
    return text % numbers.fixed_decimals(ratio, 1)


def _identifying_sentence(code: str, answers: Sequence[str]) -> str:
    values = {"code": code, "answer": " / ".join(answers)}
    return _("A report %(code)s can only come from “%(answer)s”.") % values


def device_note(draft: AskedQuestion | Draft) -> str:
    """The chosen device's note on its construction; empty where it has none."""
    draft = Draft.of(draft)
    family = chosen_family(draft)
    return family.note(draft) if family else ""


def _text_row(draft: Draft, planned_n: int) -> DeviceRow:
    """The one device for a text: of no answer is there a margin or a belief."""
    family, figures = family_of(draft), text_figures(replace(draft, planned_n=planned_n))
    ratio = figures["likelihood_ratio"]
    return DeviceRow(
        name=family.name,
        label=str(family.label),
        note=device_note(draft),
        chosen=True,
        margin=numbers.UNKNOWN,
        needed=numbers.UNKNOWN,
        belief=numbers.UNKNOWN,
        epsilon=family.epsilon_words(draft, log(ratio)),
        identifying_reports=_likelihood_sentence(ratio),
    )


def _network_row(draft: Draft, planned_n: int) -> DeviceRow:
    """The one device for members: its margin is that of the density."""
    family, guess = family_of(draft), NetworkGuess.of(replace(draft, planned_n=planned_n))
    figures = network_figures(guess)
    return DeviceRow(
        name=family.name,
        label=str(family.label),
        note=device_note(draft),
        chosen=True,
        margin=share_margin(figures.margin("density")),
        needed=numbers.UNKNOWN,
        belief=numbers.percent(figures.belief),
        epsilon=epsilon_words(guess),
        identifying_reports=person_words(guess),
    )


def _row(figure: DeviceFigures, draft: Draft) -> DeviceRow:
    return DeviceRow(
        name=figure.family.name,
        label=str(figure.family.label),
        note=device_note(draft.with_device(figure.family.name)),
        chosen=figure.family.name == draft.design,
        margin=margin_words(draft, figure.margin),
        needed=respondents(figure.n_for_margin),
        belief=numbers.percent(figure.posterior),
        epsilon=figure.family.epsilon_words(draft, figure.epsilon),
        identifying_reports=identification_sentence(figure, draft),
    )
