"""The fields of a question that choose its devices: the page's, and a physical randomizer."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django import forms
from django.forms.boundfield import BoundField, BoundWidget
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.authoring.checks.physical_devices import physical_device_problem
from surveys.authoring.limits import can_be_searched, shares_draw
from surveys.devices import FAMILIES, Family, default_family, draft_channel, fitting
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.devices.registry import (
    fitting_physical_devices,
    setting_fields,
)
from surveys.devices.remembered import Remembered
from surveys.drafts import Draft
from surveys.engine_words import EngineError, refusal, refusal_words
from surveys.features import draw_fields
from surveys.forms.fields.scale import SCALE_FIELDS
from surveys.forms.fields.texts import TEXT_FIELDS
from surveys.kinds import KINDS
from surveys.models import Question

# The fields of a question, beside its options, that determine which devices fit.
SHAPING = ("kind", "randomized", "epsilon", "prefer_not", "scale", "directed")


def relaxed_names() -> list[str]:
    return [family.name for family in FAMILIES.values() if family.relaxed]


def _designs() -> list[tuple[str, Any]]:
    return [(family.name, family.label) for family in FAMILIES.values()]


def _physical_devices() -> list[tuple[str, Any]]:
    nothing = ("", gettext_lazy("None: the page draws"))
    return [nothing, *((device.name, device.label) for device in PHYSICAL_DEVICES.values())]


@dataclass(frozen=True, slots=True)
class DeviceChoice:
    """One of the devices as the page offers it: its button, and the fields of its settings."""

    family: Family
    radio: BoundWidget
    settings: list[BoundField]
    is_open: bool


class OfferedSelect(forms.Select):
    """Shows the offered options; the page's script inserts the others when they fit.

    A chosen option stays even if it does not fit, because its error is shown beside it.
    """

    def offered_values(self) -> Collection[str]:
        return ()

    def create_option(
        self, name: str, value: Any, label: Any, selected: bool, *args: Any, **kwargs: Any
    ) -> dict[str, Any]:
        option = super().create_option(name, value, label, selected, *args, **kwargs)
        if value and not selected and value not in self.offered_values():
            option["attrs"] |= {"hidden": True, "disabled": True}
        return option


class DeviceFields(forms.Form):
    """Errors are attached to the field that has to change; the typed values are kept."""

    # Attributes of the model form that these fields belong to.
    instance: Question
    feature_names: list[str]

    design = forms.ChoiceField(
        label=gettext_lazy("Device"), choices=_designs, required=False, widget=forms.RadioSelect
    )
    delta_understood = forms.BooleanField(
        label=gettext_lazy("I understand that delta reveals some people outright"), required=False
    )
    physical_device = forms.ChoiceField(
        label=gettext_lazy("Device of the respondent's own"),
        choices=_physical_devices,
        required=False,
        widget=OfferedSelect,
        help_text=gettext_lazy(
            "Offered beside the page's device; it also serves browsers without JavaScript."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._add_settings()
        self.initial["delta_understood"] = self.instance.design in relaxed_names()
        self.fields["physical_device"].widget.offered_values = self._physical_devices_offered

    def _add_settings(self) -> None:
        stored = self.instance.design_parameters
        for name, field in setting_fields().items():
            self.fields[name] = field
            self.initial.setdefault(name, stored.get(name, field.initial))
        # As the page shows them, so that errors are listed in that order.
        answers = ("options", *SCALE_FIELDS, *TEXT_FIELDS, "directed")
        before = ("text", "help_text", "kind", "name", *answers)
        middle = ("randomized", *draw_fields(), "epsilon", "design", "delta_understood")
        after = ("physical_device", "required", "prefer_not", *self.feature_names)
        self.order_fields([*before, *middle, *setting_fields(), *after])

    def _physical_devices_offered(self) -> Collection[str]:
        """The physical randomizers that fit the question, as posted or as stored."""
        if self.is_bound:
            values = getattr(self, "cleaned_data", {})
        else:
            values = {
                name: self.get_initial_for_field(self.fields[name], name)
                for name in (*SHAPING, "options")
                if name in self.fields
            }
            values["scale"] = Draft.of(self.instance).scale
        return physical_devices_for(self._with_features(self.draft(values)))

    def device_choices(self) -> list[DeviceChoice]:
        """Return those that are listed for this question; the relaxed ones come last."""
        return sorted(self._device_choices(), key=lambda choice: choice.family.relaxed)

    def _device_choices(self) -> Iterator[DeviceChoice]:
        draft, chosen = Draft.of(self.instance), self["design"].value()
        for radio in self["design"]:
            family = FAMILIES[str(radio.data["value"])]
            if family.is_listed(draft):
                settings = [self[name] for name in family.setting_fields()]
                wrong = any(field.errors for field in (*settings, self["delta_understood"]))
                yield DeviceChoice(family, radio, settings, wrong or family.name == chosen)

    def can_be_searched(self) -> bool:
        """Whether the workbench can search for a device of the saved question."""
        return self.instance.pk is not None and can_be_searched(self.instance)

    def can_be_compared(self) -> bool:
        """Whether curves over epsilon can be drawn for the saved question."""
        kind = KINDS.get(self.instance.kind)
        if kind is None or shares_draw(self.instance):
            return False
        return kind.is_complete(self.instance)

    def fit_device(self, cleaned: dict[str, Any]) -> None:
        """Fit the devices and their parameters to the other cleaned fields of the question.

        Where it shares a draw a device of its own does not count, so that the usual one of its kind
        is stored.
        """
        if cleaned.get("randomized") and any(map(cleaned.get, draw_fields())):
            for name in ("design", "delta_understood"):
                self.errors.pop(name, None)
            cleaned["design"] = ""
        self.instance.design_parameters = self._parameters(cleaned)
        if cleaned.get("kind") not in KINDS:
            return
        self._fit_design(cleaned)
        self._fit_physical_device(cleaned)

    def _parameters(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """Return what is stored: the chosen device's settings, and what a search has found."""
        family = FAMILIES.get(cleaned.get("design") or "") if cleaned.get("randomized") else None
        settings, names = setting_fields(), family.setting_fields() if family else {}
        for name in settings.keys() - names:
            self.errors.pop(name, None)
        if family:
            self._check_settings(family, cleaned)
        stored = self.instance.design_parameters
        # A searched table stays, whatever device is looked at meanwhile.
        others = {name: stored[name] for name in stored if name not in settings}
        values = {name: cleaned.get(name) for name in names}
        return others | {
            name: _stored(value) for name, value in values.items() if value not in (None, "")
        }

    def _check_settings(self, family: Family, cleaned: dict[str, Any]) -> None:
        if family.relaxed and not cleaned.get("delta_understood"):
            self.add_error(
                "delta_understood",
                _("Tick this after reading what delta means, or choose another device."),
            )
        for name, problem in family.setting_problems(cleaned).items():
            if problem and name not in self.errors:
                self.add_error(name, problem)

    def _fit_design(self, cleaned: dict[str, Any]) -> None:
        draft = self.draft(cleaned)
        names = [family.name for family in fitting(draft)]
        design = cleaned.get("design")
        if cleaned.get("randomized") is False and design not in names:
            design = ""
        cleaned["design"] = design or default_family(draft).name
        if "design" in self.errors:
            return
        self._check_design(draft.with_device(cleaned["design"]), names)

    def _check_design(self, draft: Draft, names: list[str]) -> None:
        family = FAMILIES[draft.design]
        if family.stays(draft):
            problem = family.epsilon_problem(draft) if draft.randomized else ""
            if problem and "epsilon" not in self.errors:
                self.add_error("epsilon", problem)
        elif {"options", *SCALE_FIELDS} & self.errors.keys():
            # The answers are not valid yet, so the fitting devices are unknown.
            return
        elif family.name not in names:
            self.add_error("design", _mismatch(family, names))
        elif draft.randomized and not self.errors:
            self._build(draft)

    def _build(self, draft: Draft) -> None:
        try:
            draft_channel(draft)
        except EngineError as error:
            self.add_error("design", refusal_words(refusal(error)))

    def _fit_physical_device(self, cleaned: dict[str, Any]) -> None:
        if cleaned.get("randomized") is False:
            cleaned["physical_device"] = ""
        name = cleaned.get("physical_device")
        if not name or {"epsilon", "options", "physical_device"} & self.errors.keys():
            return
        problem = physical_device_problem(self._with_features(self.draft(cleaned)), name)
        if problem:
            self.add_error("physical_device", problem)

    def draft(self, cleaned: dict[str, Any]) -> Draft:
        """The draft of the values read so far, with the settings stored by the devices."""
        values = {name: cleaned[name] for name in SHAPING if name in cleaned}
        return Draft(
            name=cleaned.get("name") or "q",
            options=tuple(cleaned.get("options") or ()),
            design=cleaned.get("design") or "",
            settings=Draft.of(self.instance).settings,
            members=self.instance.members,
            **values,
        )

    def _with_features(self, draft: Draft) -> Draft:
        """Return the same draft with what is stored for features, which may add an answer."""
        stored = Draft.of(self.instance)
        return replace(
            draft, of_features=stored.of_features, survey_of_features=stored.survey_of_features
        )


def refusal_hint(draft: Draft) -> str:
    """The devices that fit only without “prefer not to say”, and why; empty if there are none."""
    if draft.kind not in KINDS or not draft.randomized or not draft.prefer_not:
        return ""
    without = replace(draft, prefer_not=False, settings=Draft().settings)
    now = fitting(replace(draft, settings=without.settings))
    names = [_("“%s”") % family.label for family in fitting(without) if family not in now]
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


def physical_devices_for(draft: Draft) -> list[str]:
    """The names of the physical randomizers that fit the question at its epsilon."""
    if draft.kind not in KINDS or not draft.randomized or not draft.epsilon:
        return []
    plain = replace(draft.without_labels(), epsilon=Decimal(draft.epsilon), design="")
    return _fitting_names(replace(plain, settings=Draft().settings, physical_device=""))


@Remembered
def _fitting_names(draft: Draft) -> list[str]:
    return [device.name for device in fitting_physical_devices(draft)]


def _mismatch(chosen: Family, names: list[str]) -> str:
    fitting = [FAMILIES[name] for name in names]
    others = ", ".join(_("“%s”") % family.label for family in fitting if not family.relaxed)
    text = _("“%(device)s” does not fit this question. %(need)s Choose %(others)s.")
    return text % {"device": chosen.label, "need": chosen.needs_words(), "others": others}


def _stored(value: Any) -> Any:
    """Plain JSON types, in which a decimal is a text."""
    return format(value.normalize(), "f") if isinstance(value, Decimal) else value
