"""A question on the survey's page, and the set of them."""

from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat
from django.forms.formsets import DELETION_FIELD_NAME, TOTAL_FORM_COUNT
from django.forms.utils import ErrorDict
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.authoring.limits import MAX_QUESTIONS, too_many_questions
from surveys.forms.fields.author_texts import ParagraphsField
from surveys.forms.fields.device import DeviceFields
from surveys.forms.fields.features import FeatureFields, add_feature_errors, question_fields
from surveys.forms.fields.options import OptionsField
from surveys.forms.fields.scale import ScaleFields
from surveys.forms.fields.texts import TextFields
from surveys.forms.fields.ties import TieFields
from surveys.kinds import KINDS, Kind
from surveys.models import Question
from surveys.parameters.budget import text_of

SENSITIVE = (
    (True, gettext_lazy("Sensitive: scrambled in the respondent's browser")),
    (False, gettext_lazy("Direct: sent as it is")),
)

# Defaults of a new question, by whether it is sensitive: nobody is forced to answer, and
# a refusal is protected like any answer (docs/decisions/0006).
STARTS = {
    True: {"required": False, "prefer_not": True},
    False: {"required": True, "prefer_not": False},
}

# The number of forms of a page that removes all its questions and adds as many.
MOST_FORMS = 2 * MAX_QUESTIONS


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
        widget=forms.RadioSelect,
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
            "position",
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
            "position": forms.NumberInput(attrs={"min": "0"}),
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

    def _get_validation_exclusions(self) -> set[str]:
        # Uniqueness of names is checked on the whole set: two questions may swap names.
        return super()._get_validation_exclusions() | {"survey"}  # type: ignore[misc]  # private in the stubs


class QuestionFormSet(forms.BaseInlineFormSet):
    starts = STARTS

    def get_queryset(self) -> Any:
        """The stored questions, which know their survey as it was typed, without asking for it."""
        questions = super().get_queryset()
        for question in questions:
            question.survey = self.instance
        return questions

    def add_fields(self, form: forms.ModelForm, index: int | None) -> None:
        super().add_fields(form, index)
        for name, choices in self._choices.items():
            field: Any = form.fields[name]
            field.widget.choices = choices

    @cached_property
    def _choices(self) -> dict[str, Any]:
        """The choices that follow from all questions, as posted or as stored, by field."""
        return {each.name: each.choices(self) for each in question_fields() if each.choices}

    def full_clean(self) -> None:
        """Validate the forms, unless there are too many questions."""
        problem = too_many_questions(self._posted_count()) if self.is_bound else ""
        if not problem:
            super().full_clean()
            return
        for form in self.forms:
            form._errors, form.cleaned_data = ErrorDict(), {}  # type: ignore[attr-defined]  # private
        self._errors = [form.errors for form in self.forms]
        self._non_form_errors = self.error_class(
            [problem],
            error_class="nonform",
            renderer=self.renderer,  # type: ignore[attr-defined]  # missing in the stubs
        )

    def _posted_count(self) -> int:
        """How many questions the survey would have; 0 if the number was not posted."""
        if not self.management_form.is_valid():
            return 0
        total = self.management_form.cleaned_data[TOTAL_FORM_COUNT] or 0
        deletion_names = (
            f"{self.add_prefix(number)}-DELETE" for number in range(min(total, MOST_FORMS))
        )
        return total - sum(bool(self.data.get(name)) for name in deletion_names)

    def forms_in_order(self) -> list[forms.ModelForm]:
        """The questions that stay, as the page numbers them."""
        forms = [form for form in self.forms if not form.cleaned_data.get(DELETION_FIELD_NAME)]
        return sorted(forms, key=lambda form: form.cleaned_data.get("position") or 0)

    def clean(self) -> None:
        """Check that the remaining questions have distinct variable names, and features' rules."""
        holders: dict[str, int] = {}
        forms = [form for form in self.forms if form not in self.deleted_forms]
        for number, form in enumerate(forms, 1):
            name = getattr(form, "cleaned_data", {}).get("name")
            if name and holders.setdefault(name, number) != number:
                message = _("Another question is called “%s” already. Choose another name.")
                form.add_error("name", ValidationError(message % name, code="unique"))
        add_feature_errors(self.forms_in_order())

    def save(self, commit: bool = True) -> list[Question]:
        if commit:
            self._free_names()
        return super().save(commit=commit)

    def _free_names(self) -> None:
        """Give changed names temporary values, so that rows saved in turn do not collide."""
        moving = [
            form.instance.pk
            for form in self.initial_forms
            if "name" in form.changed_data or form in self.deleted_forms
        ]
        parked = Concat(Value("~"), Cast("pk", CharField()))
        Question.objects.filter(pk__in=moving).update(name=parked)
