"""The fields of features in the forms of a survey, beside those that every survey has."""

from typing import Any

from django import forms

from surveys.features import FEATURES
from surveys.features.parts import OwnField
from surveys.models import Survey


class SurveyFeatureFields(forms.Form):
    """Adds the fields of features to the form of a draft."""

    # An attribute of the model form that these fields belong to.
    instance: Survey

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.is_draft:
            return
        for field in survey_fields().values():
            self.fields[field.name] = field.make()
            if self.instance.pk:
                self.initial[field.name] = field.read(self.instance)

    def clean(self) -> dict[str, Any]:
        """Set what is typed of features too, as Django sets the fields of the model."""
        super().clean()
        if self.instance.is_draft:
            self.store_features(in_rows=False)
        return self.cleaned_data

    def store_features(self, *, in_rows: bool) -> None:
        """Set what was typed and is right, or store it where it has rows of its own."""
        for field in survey_fields().values():
            if bool(field.rows) == in_rows and field.name in self.cleaned_data:
                field.store(self.instance, self.cleaned_data[field.name])


def survey_fields() -> dict[str, OwnField]:
    """Return the fields of features in the form of a survey.

    That which says whether a feature is used is under the feature's name, the others are under
    their own.
    """
    fields: dict[str, OwnField] = {}
    for name, feature in FEATURES.items():
        if feature.desk.survey_field:
            fields[name] = feature.desk.survey_field
        fields |= {field.name: field for field in feature.desk.further_fields}
    return fields


def survey_field_names() -> list[str]:
    return [field.name for field in survey_fields().values()]


def unused_field_names(survey: Survey) -> set[str]:
    """Return the fields of the features that a draft does not use."""
    questions = list(survey.questions.all())
    unused = [x.desk for x in FEATURES.values() if not x.is_used_in_draft(survey, questions)]
    own = {desk.survey_field.name for desk in unused if desk.survey_field}
    return own | {field.name for desk in unused for field in desk.further_fields}
