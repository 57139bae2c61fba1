"""The fields of a question that choose its devices: the page's, and one of the respondent's own."""

import functools
from collections.abc import Collection
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.engine_bridge import EngineError, draft_design, own
from surveys.engine_bridge.designs import (
    DESIGNS,
    LEAST_FOR_CARDS,
    MOST_RARE,
    SEARCHED,
    DesignChoice,
    answers_of_table,
    choices_for,
    default_choice,
)
from surveys.engine_words import refusal, refusal_words
from surveys.kinds import KINDS, MOST_FOR_WHOLE_SET
from surveys.models import Question
from surveys.parameters import CARDS
from surveys.searched import can_be_searched, epsilon_problem

MOST_DELTA = Decimal("0.1")
RELAXED = tuple(choice.name for choice in DESIGNS.values() if choice.relaxed)
RELAXED_PARAMETERS = ("delta", "prevalence")
WITHOUT_REFUSAL = ("laplace", "optimal_binary")
# Beside its options, the fields of a question that decide which devices fit it.
SHAPING = ("kind", "randomized", "epsilon", "prefer_not")
# What a device needs; said where it was chosen for a question that does not fit.
NEEDS = {
    "k_rr": gettext_lazy("It takes questions with one answer."),
    CARDS: gettext_lazy("It takes a single choice or a scale with %s answers or more."),
    SEARCHED: gettext_lazy("It takes a table that a search has found for this question."),
    "laplace": gettext_lazy(
        "It takes yes or no, or a scale, without “prefer not to say”: the answers need an order."
    ),
    "optimal_binary": gettext_lazy("It takes yes or no, without “prefer not to say”."),
    "per_option": gettext_lazy("It takes multiple choice."),
    "whole_set": gettext_lazy("It takes multiple choice with %s options at most."),
}


def _designs() -> list[tuple[str, Any]]:
    return [(choice.name, choice.label) for choice in DESIGNS.values()]


def _own_devices() -> list[tuple[str, Any]]:
    nothing = ("", gettext_lazy("None: the page draws"))
    return [nothing, *((device.name, device.label) for device in own.OWN_DEVICES.values())]


class OfferedSelect(forms.Select):
    """Shows the options that are offered; the page's script brings the others in as they fit.

    `offered()` names them. What is chosen stays, so that its error has something to stand at.
    """

    def offered(self) -> Collection[str]:
        return ()

    def create_option(
        self, name: str, value: Any, label: Any, selected: bool, *args: Any, **kwargs: Any
    ) -> dict[str, Any]:
        option = super().create_option(name, value, label, selected, *args, **kwargs)
        if value and not selected and value not in self.offered():
            option["attrs"] |= {"hidden": True, "disabled": True}
        return option


class DeviceFields(forms.Form):
    """Errors stand at the field whose change mends them; what was typed is kept."""

    # Of the model form that these fields are a part of.
    instance: Question

    design = forms.ChoiceField(
        label=gettext_lazy("Device"), choices=_designs, required=False, widget=forms.RadioSelect
    )
    delta_understood = forms.BooleanField(
        label=gettext_lazy("I understand that delta reveals some people outright"), required=False
    )
    delta = forms.DecimalField(
        label=gettext_lazy("Delta"),
        required=False,
        max_digits=8,
        decimal_places=6,
        help_text=gettext_lazy("Above 0, at most 0.1."),
        widget=forms.NumberInput(attrs={"step": "any", "min": "0", "inputmode": "decimal"}),
    )
    prevalence = forms.DecimalField(
        label=gettext_lazy("Guessed share of Yes"),
        required=False,
        max_digits=8,
        decimal_places=6,
        help_text=gettext_lazy("Between 0 and 1: 0.02 means 2 of 100."),
        widget=forms.NumberInput(attrs={"step": "any", "min": "0", "inputmode": "decimal"}),
    )
    # Set by the page for a new question until its author picks a device: then what is posted as
    # the device is only what was proposed last.
    design_follows = forms.BooleanField(required=False, widget=forms.HiddenInput)
    own_device = forms.ChoiceField(
        label=gettext_lazy("Device of the respondent's own"),
        choices=_own_devices,
        required=False,
        widget=OfferedSelect,
        help_text=gettext_lazy(
            "Offered beside the page's device; it also serves browsers without JavaScript."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored = self.instance.design_parameters
        self.initial.setdefault("delta", stored.get("delta", "0.01"))
        self.initial.setdefault("prevalence", stored.get("prevalence", "0.02"))
        self.initial["delta_understood"] = self.instance.design in RELAXED
        self.fields["own_device"].widget.offered = self._own_devices_offered

    relaxed_names = RELAXED

    def _own_devices_offered(self) -> Collection[str]:
        """Those that a save would take: they fit the question, as posted or as stored."""
        if self.is_bound:
            values = getattr(self, "cleaned_data", {})
        else:
            values = {
                name: self.get_initial_for_field(self.fields[name], name)
                for name in (*SHAPING, "options")
            }
        return own_devices_for(self.draft(values))

    def plain_names(self) -> list[str]:
        """The devices to choose from beside the relaxed ones; a searched one where there is one."""
        found = answers_of_table(self.instance)
        return [name for name in DESIGNS if name not in RELAXED and (found or name != SEARCHED)]

    def can_be_searched(self) -> bool:
        """Whether the workbench has something to search for, as the question was saved."""
        return self.instance.pk is not None and can_be_searched(self.instance)

    def compared_choices(self) -> list[DesignChoice]:
        """The rows that the page's comparison will have, so that it does not grow under the eye."""
        draft = self.instance
        fitting = choices_for(draft) if draft.kind in KINDS else []
        return [choice for choice in fitting if not choice.relaxed or choice.name == draft.design]

    def refusal_hint(self) -> str:
        """As the page opens; its script then follows what is typed."""
        return refusal_hint(self.instance)

    def relaxed_is_open(self) -> bool:
        """Whether the (epsilon, delta) device is chosen or has an error, for the page."""
        chosen = self["design"].value() in RELAXED
        return chosen or any(self[name].errors for name in ("delta_understood", "delta"))

    def fit_device(self, cleaned: dict[str, Any]) -> None:
        """Fit device, its parameters and the own device to the rest of a cleaned question."""
        relaxed = cleaned.get("randomized") and cleaned.get("design") in RELAXED
        if not relaxed:
            for name in RELAXED_PARAMETERS:
                self.errors.pop(name, None)
        stored = self.instance.design_parameters
        # What a search has found stays, whatever device is looked at meanwhile.
        kept = {name: stored[name] for name in stored if name not in RELAXED_PARAMETERS}
        given = self._parameters(cleaned) if relaxed else {}
        self.instance.design_parameters = {**kept, **given}
        if cleaned.get("kind") not in KINDS:
            return
        self._fit_design(cleaned)
        self._fit_own_device(cleaned)

    def _parameters(self, cleaned: dict[str, Any]) -> dict[str, str]:
        if not cleaned.get("delta_understood"):
            self.add_error(
                "delta_understood",
                _("Tick this after reading what delta means, or choose another device."),
            )
        checks = {"delta": _delta_problem, "prevalence": _share_problem}
        for name, problem in checks.items():
            told = None if name in self.errors else problem(cleaned.get(name))
            if told:
                self.add_error(name, told)
        return {name: _text(cleaned[name]) for name in checks if cleaned.get(name) is not None}

    def _fit_design(self, cleaned: dict[str, Any]) -> None:
        draft = self.draft(cleaned)
        fitting = [choice.name for choice in choices_for(draft)]
        chosen = "" if cleaned.get("design_follows") else cleaned.get("design")
        if cleaned.get("randomized") is False and chosen not in fitting:
            chosen = ""
        cleaned["design"] = draft.design = chosen or default_choice(draft).name
        if "design" in self.errors:
            return
        if draft.design == SEARCHED and answers_of_table(draft):
            self._check_table(draft)
        elif "options" in self.errors:
            # What the options are is not known yet, so neither is what fits them.
            return
        elif draft.design not in fitting:
            self.add_error("design", _misfit(draft.design, fitting))
        elif draft.randomized and not self.errors:
            self._build(draft)

    def _check_table(self, draft: Question) -> None:
        """A table for other answers may be saved: lint stops the launch, and says what to do."""
        problem = epsilon_problem(draft) if draft.randomized else ""
        if problem and "epsilon" not in self.errors:
            self.add_error("epsilon", problem)

    def _build(self, draft: Question) -> None:
        try:
            draft_design(draft)
        except EngineError as error:
            self.add_error("design", refusal_words(refusal(error)))

    def _fit_own_device(self, cleaned: dict[str, Any]) -> None:
        if cleaned.get("randomized") is False:
            cleaned["own_device"] = ""
        name = cleaned.get("own_device")
        if not name or {"epsilon", "options", "own_device"} & self.errors.keys():
            return
        problem = own_device_problem(self.draft(cleaned), name)
        if problem:
            self.add_error("own_device", problem)

    def draft(self, cleaned: dict[str, Any]) -> Question:
        values = {name: cleaned[name] for name in SHAPING if name in cleaned}
        return Question(
            name=cleaned.get("name") or "q",
            options=cleaned.get("options") or [],
            design=cleaned.get("design") or "",
            design_parameters=self.instance.design_parameters,
            **values,
        )


def refusal_hint(draft: Question) -> str:
    """Which devices fit only without “prefer not to say”, and why; empty where none is left out."""
    if draft.kind not in KINDS or not draft.randomized or not draft.prefer_not:
        return ""
    without = Question(kind=draft.kind, options=draft.options)
    choices = [DESIGNS[name] for name in WITHOUT_REFUSAL if DESIGNS[name].fits(without)]
    names = [_("“%s”") % choice.label for choice in choices]
    if len(names) > 1:
        text = _(
            "%(first)s and %(second)s fit only without “prefer not to say”: they take Yes and No "
            "alone, not a third answer."
        )
        return text % {"first": names[0], "second": names[1]}
    if names:
        text = _(
            "%s fits only without “prefer not to say”: it needs answers in an order, in which that "
            "one has no place."
        )
        return text % names[0]
    return ""


def own_devices_for(draft: Question) -> list[str]:
    """The names of the devices of one's own that fit the question at its epsilon."""
    if draft.kind not in KINDS or not draft.randomized or not draft.epsilon:
        return []
    epsilon = Decimal(draft.epsilon)
    return _fitting(draft.kind, len(draft.options), epsilon, prefer_not=draft.prefer_not)


@functools.lru_cache(maxsize=512)
def _fitting(kind: str, options: int, epsilon: Decimal, *, prefer_not: bool) -> list[str]:
    """Kept, for it is asked at every keystroke; what the options say does not matter."""
    labels = [str(index) for index in range(options)]
    draft = Question(kind=kind, options=labels, epsilon=epsilon, prefer_not=prefer_not)
    return [device.name for device in own.fitting(draft)]


def own_device_problem(draft: Question, name: str) -> str:
    """Why this device cannot be offered with the question; empty if it can."""
    device = own.OWN_DEVICES.get(name)
    reachable = own.fitting(draft)
    if device is None or device in reachable:
        return "" if device else _("This device of the respondent's own is not known.")
    others = ", ".join(str(other.label) for other in reachable)
    if device.fits(draft):
        text = _("“%(device)s” cannot keep an epsilon of %(epsilon)s; it is too weak.")
        told = text % {"device": device.label, "epsilon": numbers.decimal(draft.known_epsilon)}
    else:
        told = _("“%s” does not fit this kind and number of answers.") % device.label
    return f"{told} {_ways_out(draft, others)}"


def _ways_out(draft: Question, others: str) -> str:
    if others:
        return _("These do: %s.") % others
    least = own.smallest_epsilon(draft)
    if least is None:
        return _("No device of one's own does: choose none.")
    return _("The smallest epsilon that any of them keeps here is %s.") % numbers.decimal(least)


def _misfit(chosen: str, fitting: list[str]) -> str:
    sizes = {"whole_set": MOST_FOR_WHOLE_SET, CARDS: LEAST_FOR_CARDS}
    need = NEEDS[chosen] % sizes[chosen] if chosen in sizes else NEEDS[chosen]
    others = ", ".join(_("“%s”") % DESIGNS[name].label for name in fitting if name not in RELAXED)
    text = _("“%(device)s” does not fit this question. %(need)s Choose %(others)s.")
    return text % {"device": DESIGNS[chosen].label, "need": need, "others": others}


def _delta_problem(delta: Decimal | None) -> str:
    if delta is None:
        return _("Give a delta, such as 0.01: of 1,000 people with the trait 10 are revealed.")
    if not 0 < delta <= MOST_DELTA:
        return _("Delta must be above 0 and at most %s.") % numbers.decimal(MOST_DELTA)
    return ""


def _share_problem(share: Decimal | None) -> str:
    if share is None:
        return _("Guess how common the trait is, such as 0.02 for 2 of 100.")
    if not 0 < share < 1:
        return _("The guessed share must lie between 0 and 1, such as 0.02 for 2 of 100.")
    if share > MOST_RARE:
        return _(
            "Delta is for a rare Yes, of one half at most. Turn the question round, so that Yes is "
            "the rare answer."
        )
    return ""


def _text(value: Decimal) -> str:
    return format(value.normalize(), "f")
