"""The fields of features in the form of a question."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.utils.choices import CallableChoiceIterator

from surveys.authoring.features import refit
from surveys.features import FEATURES, Feature
from surveys.features.parts import OwnField
from surveys.models import Question


class FeatureFields(forms.Form):
    """`feature_names`: the names of their fields. `refitted`: warnings of what it had to lose."""

    # An attribute of the model form that these fields belong to.
    instance: Question
    refitted: Sequence[str] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.feature_names: list[str] = []
        for field in question_fields():
            made: Any = field.make()
            self.fields[field.name] = made
            if field.choices:
                # Read where the list is shown, because it asks for the other questions.
                made.widget.choices = CallableChoiceIterator(partial(field.choices, self.instance))
            # A column of the model is shown and read with the others.
            if field.name not in self.base_fields:
                self.feature_names.append(field.name)
                self.initial.setdefault(field.name, field.read(self.instance))

    def fit_features(self, cleaned: dict[str, Any]) -> None:
        for feature in FEATURES.values():
            feature.desk.clean_question(self, cleaned)

    def refitted_words(self) -> list[str]:
        """Return the warnings of what it had to lose, with its name."""
        return [words % self.instance.name for words in self.refitted]

    def store_features(self) -> None:
        """Set what was typed, then take away what the question can no longer have."""
        for field in question_fields():
            field.store(self.instance, self.cleaned_data.get(field.name))
        if not self.errors:
            self.refitted = refit(self.instance)


def question_fields() -> list[OwnField]:
    """Return the fields of features in the form of a question."""
    return [field for feature in FEATURES.values() for field in question_fields_of(feature)]


def question_fields_of(feature: Feature) -> list[OwnField]:
    """Return the fields of one feature there, that which says whether it is used first."""
    first = feature.desk.question_field
    return [first, *feature.desk.further_question_fields] if first else []


def feature_problems(questions: Sequence[Question]) -> list[tuple[int, str, str]]:
    """Return what stands against the features of these questions, which are all of a survey.

    Each with the place of its question, from 0 on, and the field to be changed.
    """
    return [each for x in FEATURES.values() for each in x.desk.question_problems(questions)]
