"""The fields of features in the form of a question."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from surveys.authoring.features import refit
from surveys.authoring.panel.words import feature_texts
from surveys.features import FEATURES, Feature, draw_fields
from surveys.models import Question


class FeatureFields(forms.Form):
    """`feature_names`: the names of their fields. `refitted`: of which it had to lose something."""

    # An attribute of the model form that these fields belong to.
    instance: Question
    refitted: Sequence[Feature] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.feature_names: list[str] = []
        for feature in FEATURES.values():
            self.fields |= feature.desk.question_fields()
            for name, value in feature.desk.question_initial(self.instance).items():
                self.feature_names.append(name)
                self.initial.setdefault(name, value)

    @property
    def of_features(self) -> list[BoundField]:
        """The fields of features, in the order of the features."""
        return [self[name] for name in self.feature_names]

    @property
    def of_draws(self) -> list[BoundField]:
        """The fields by which questions share a draw."""
        return [self[name] for name in draw_fields()]

    def feature_texts(self) -> dict[str, str]:
        """Return what the panel says of stored features before its figures are there."""
        return feature_texts(self.instance)

    def fit_features(self, cleaned: dict[str, Any]) -> None:
        for feature in FEATURES.values():
            feature.desk.clean_question(self, cleaned)

    def store_features(self) -> None:
        """Set what was typed, then take away what the question can no longer have."""
        for feature in FEATURES.values():
            feature.desk.store_question(self.instance, self.cleaned_data)
        if not self.errors:
            self.refitted = refit(self.instance)


def add_feature_errors(asked: Sequence[forms.ModelForm]) -> None:
    for feature in FEATURES.values():
        for form, field, message in feature.desk.question_problems(asked):
            form.add_error(field, message)
