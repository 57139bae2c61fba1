"""The forms of the panel: some fields of the change page, with the same rules."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings

from surveys.devices import FAMILIES, fitting
from surveys.devices.registry import setting_fields
from surveys.forms.fields.features import question_fields
from surveys.forms.fields.survey_features import PLAN, SurveyFeatureFields, survey_fields
from surveys.forms.question import EpsilonFields, QuestionForm
from surveys.kinds import KINDS
from surveys.models import Question, Survey


class PanelForm(SurveyFeatureFields, forms.ModelForm):
    language = forms.ChoiceField(choices=lambda: list(settings.LANGUAGES))

    class Meta:
        model = Survey
        fields = PLAN

    def sections(self) -> dict[str, Any]:
        """Return what is typed of features of the survey, by their names."""
        typed = self.cleaned_data
        return {name: typed.get(field.name) for name, field in survey_fields().items()}

    def _get_validation_exclusions(self) -> set[str]:
        return super()._get_validation_exclusions() | {"opens_at", "closes_at"}  # type: ignore[misc]  # private in the stubs


class _OfAPage(forms.ModelForm):
    """A question form that is validated but not saved."""

    def _get_validation_exclusions(self) -> set[str]:
        # The constraint on these two is implied by the form's own rule, and would be
        # checked in the database for every question of the page.
        return super()._get_validation_exclusions() | {"randomized", "epsilon"}  # type: ignore[misc]  # private in the stubs


class EpsilonForm(EpsilonFields, _OfAPage):
    """The fields of a question that the budget depends on."""

    class Meta:
        model = Question
        fields = ["randomized", "epsilon"]

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        self.fit_epsilon(cleaned)
        return cleaned


class DeviceForm(QuestionForm, _OfAPage):
    """A device that no longer fits is replaced by the usual one of the kind: the page then
    shows that one chosen, so that nothing is saved unseen.
    """

    class Meta(QuestionForm.Meta):
        fields = [
            "kind",
            "options",
            "characters",
            "candidates",
            "directed",
            "randomized",
            "group",
            "epsilon",
            "prefer_not",
            "design",
            "physical_device",
            "required",
        ]

    def fit_device(self, cleaned: dict[str, Any]) -> None:
        if cleaned.get("kind") in KINDS and cleaned.get("design") not in self.fitting(cleaned):
            cleaned["design"] = ""
        super().fit_device(cleaned)

    def fitting(self, cleaned: dict[str, Any]) -> list[str]:
        """The names of the fitting devices, and of a chosen one that stays while answers change."""
        draft = self.draft(cleaned)
        names = [family.name for family in fitting(draft)]
        chosen_family = FAMILIES.get(draft.design)
        if chosen_family and chosen_family.name not in names and chosen_family.stays(draft):
            names.append(chosen_family.name)
        return names


def device_form(
    entry: dict[str, Any],
    stored_question: Question | None = None,
    survey: Survey | None = None,
) -> DeviceForm:
    """A form on one entry of the request; only texts and truth values are taken from it.

    Of the saved question, `stored_question`, only the result of a search and what is set for
    features are used, and of the saved survey how many members its members has, and its features.
    """
    question = Question(
        design_parameters=stored_question.design_parameters if stored_question else {}
    )
    if stored_question is not None and stored_question.features:
        question.features = stored_question.features
        question.survey = stored_question.survey
    if survey is not None:
        question.survey = survey
    of_features = (field.name for field in question_fields())
    names = (*DeviceForm.base_fields, *setting_fields(), *of_features)
    return DeviceForm(_posted_values(entry, names), instance=question)


def epsilon_form(entry: dict[str, Any]) -> EpsilonForm:
    return EpsilonForm(_posted_values(entry, EpsilonForm.Meta.fields))


def _posted_values(entry: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: entry[name] for name in names if isinstance(entry.get(name), str | bool)}
