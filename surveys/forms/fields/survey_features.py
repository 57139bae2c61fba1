"""The fields of features in the forms of a survey, beside those that every survey has."""

from typing import Any

from django import forms

from surveys.features import FEATURES
from surveys.models import Survey

# The fields that the panel beside a question is computed from, besides those of features.
PLAN = ("budget", "planned_n", "language")


class SurveyFeatureFields(forms.Form):
    """Adds the fields of features to the form of a draft, and marks those that the panel needs."""

    # An attribute of the model form that these fields belong to.
    instance: Survey

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.is_draft:
            return
        of_features = feature_fields()
        self.fields |= of_features
        for feature in FEATURES.values():
            if self.instance.pk:
                self.initial.update(feature.desk.survey_initial(self.instance))
        for name in (*PLAN, *of_features):
            if name in self.fields:
                self.fields[name].widget.attrs["data-plan"] = ""

    def clean(self) -> dict[str, Any]:
        """Set what is typed of features too, as Django sets the fields of the model."""
        super().clean()
        if self.instance.is_draft:
            for feature in FEATURES.values():
                feature.desk.store_survey(self.instance, self.cleaned_data)
        return self.cleaned_data


def feature_fields() -> dict[str, forms.Field]:
    """Return the fields of all features in the form of a survey, by name."""
    return {
        name: field
        for feature in FEATURES.values()
        for name, field in feature.desk.survey_fields().items()
    }
