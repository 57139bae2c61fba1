"""A question of a draft, with all its rules."""

from collections.abc import Collection
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.forms.fields.author_texts import ParagraphsField
from surveys.forms.fields.device import DeviceFields
from surveys.forms.fields.features import FeatureFields
from surveys.forms.fields.options import OptionsField
from surveys.forms.fields.scale import ScaleFields
from surveys.forms.fields.texts import TextFields
from surveys.forms.fields.ties import TieFields
from surveys.kinds import KINDS, Kind
from surveys.models import Question
from surveys.parameters import RANKING
from surveys.parameters.budget import text_of

SENSITIVE = (
    (True, gettext_lazy("Sensitive: scrambled")),
    (False, gettext_lazy("Direct: sent as it is")),
)

# Defaults of a new question, by whether it is sensitive: nobody is forced to answer, and
# a refusal is protected like any answer (docs/decisions/0006).
STARTS = {
    True: {"required": False, "prefer_not": True},
    False: {"required": True, "prefer_not": False},
}


LONGEST_NAME = Question._meta.get_field("name").max_length or 32


def _kinds() -> list[tuple[str, Any]]:
    return [(kind.name, kind.label) for kind in KINDS.values()]


class KindSelect(forms.Select):
    """Marks each kind whose author writes no answers, or a range, for the page's script."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if value in KINDS and not KINDS[value].with_options:
            option["attrs"]["data-options"] = _fields_of(KINDS[value])
        return option


def _fields_of(kind: Kind) -> str:
    """Return the name of what its author writes instead of answers."""
    if kind.numeric:
        return "range"
    if kind.about_members:
        return "ties"
    return "text" if kind.free_text else "none"


class EpsilonFields(forms.Form):
    """The fields for whether a question is randomized, and its epsilon."""

    randomized = forms.TypedChoiceField(
        label=gettext_lazy("How it is asked"),
        choices=SENSITIVE,
        coerce=lambda value: str(value) == "True",
        initial=True,
        widget=forms.Select,
    )

    def fit_epsilon(self, cleaned: dict[str, Any]) -> None:
        if cleaned.get("randomized") is False:
            self.errors.pop("epsilon", None)
            cleaned["epsilon"] = None
        elif "epsilon" not in self.errors:
            problem = _epsilon_problem(cleaned.get("epsilon"))
            if problem:
                self.add_error("epsilon", problem)


def _epsilon_problem(epsilon: Decimal | None) -> str:
    if epsilon is None or epsilon <= 0:
        return _("A sensitive question needs an epsilon above 0, such as 1.")
    if epsilon > Decimal(settings.EPSILON_CAP):
        message = _("This site allows an epsilon of %s at most. Lower it.")
        return message % numbers.decimal(settings.EPSILON_CAP)
    return ""


class QuestionForm(
    EpsilonFields,
    ScaleFields,
    TextFields,
    TieFields,
    DeviceFields,
    FeatureFields,
    forms.ModelForm,
):
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        choices=_kinds,
        initial=lambda: next(iter(KINDS)),
        widget=KindSelect,
    )
    options = OptionsField(
        label=gettext_lazy("Options"),
        required=False,
        help_text=gettext_lazy("One per line, 2 to 50. A list can be pasted."),
    )

    class Meta:
        model = Question
        fields = [
            "text",
            "help_text",
            "kind",
            "options",
            "characters",
            "candidates",
            "directed",
            "randomized",
            "group",
            "epsilon",
            "epsilon_reason",
            "design",
            "physical_device",
            "required",
            "prefer_not",
            "name",
        ]
        field_classes = dict.fromkeys(("text", "help_text", "epsilon_reason"), ParagraphsField)
        widgets = {
            "text": forms.Textarea(attrs={"rows": 2, "cols": 60}),
            "help_text": forms.Textarea(attrs={"rows": 1, "cols": 60}),
            "epsilon": forms.NumberInput(attrs={"step": "any", "min": "0", "inputmode": "decimal"}),
            "epsilon_reason": forms.Textarea(attrs={"rows": 2, "cols": 60}),
            "name": forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
        }
        help_texts = {
            "help_text": gettext_lazy("Shown under the question, in small letters."),
            "epsilon": gettext_lazy(
                "Small protects more, large tells more. Between 0.5 and 3 is usual."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is None:
            for name, start in {"epsilon": "1", **STARTS[True]}.items():
                self.initial.setdefault(name, start)
        if self.instance.pk is not None and self.instance.epsilon is not None:
            self.initial["epsilon"] = text_of(self.instance.epsilon)

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        kind = KINDS.get(cleaned.get("kind") or "")
        self._fit_options(cleaned)
        self.fit_scale(cleaned, numeric=bool(kind and kind.numeric))
        self.fit_text(cleaned)
        self.fit_ties(cleaned)
        self._fit_ranking(cleaned)
        if kind is not None and not kind.refusable:
            cleaned["prefer_not"] = False
        self.fit_features(cleaned)
        self.fit_epsilon(cleaned)
        self.fit_device(cleaned)
        return cleaned

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # private in the stubs
        # What the form does not show follows from what it does.
        self.store_features()

    def _fit_options(self, cleaned: dict[str, Any]) -> None:
        kind = KINDS.get(cleaned.get("kind") or "")
        if kind is None or not kind.with_options:
            self.errors.pop("options", None)
            cleaned["options"] = []
            return
        problem = kind.options_problem(cleaned.get("options") or [])
        if problem and "options" not in self.errors:
            self.add_error("options", problem)

    def _fit_ranking(self, cleaned: dict[str, Any]) -> None:
        kind = KINDS.get(cleaned.get("kind") or "")
        if kind is None or kind.control != RANKING or cleaned.get("randomized") is not False:
            return
        message = _(
            "Nearly every order is another, so a ranking is never stored as it is: choose "
            "“Sensitive”."
        )
        self.add_error("randomized", message)

    def clean_name(self) -> str:
        """Refuse the name of another question, and propose one that is free."""
        name: str = self.cleaned_data["name"]
        others = Question.objects.filter(survey=self.instance.survey_id)
        taken = set(others.exclude(pk=self.instance.pk).values_list("name", flat=True))
        if name in taken:
            message = _("Another question is called “%(name)s” already. “%(free)s” is free.")
            values = {"name": name, "free": free_name(name, taken)}
            raise ValidationError(message % values, code="unique")
        return name

    def _get_validation_exclusions(self) -> set[str]:
        # What a form of one question cannot break, or has a rule of its own for.
        return super()._get_validation_exclusions() | {"survey"}  # type: ignore[misc]  # private in the stubs


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return a variable name, or with the first number from 2 on that makes it free."""
    stem, number = wanted.rstrip("0123456789").rstrip("_") or "q", 2
    name = wanted
    while name in taken:
        tail = f"_{number}"
        name, number = stem[: LONGEST_NAME - len(tail)] + tail, number + 1
    return name
