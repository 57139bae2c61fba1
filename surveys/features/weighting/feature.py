"""Weights, as the object that the rooms find in the registry."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import AuthorPart, DocumentPart
from surveys.features.traits import Trait
from surveys.models import Question, Survey
from surveys.parameters import Parameters


class WeightsInDocument(DocumentPart):
    def is_used(self, parameters: Parameters, name: str) -> bool:
        return parameters.weighting is not None


class WeightsForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return survey.weighting is not None


WEIGHTING = Feature(
    name="weighting",
    words=(),
    label=_("Weights"),
    purpose=_("Weight the results to what is known of the population."),
    removal=_("remove the weights"),
    traits=frozenset({Trait.CROSSED, Trait.KNOWN_MARGINS}),
    document=WeightsInDocument(),
    author=WeightsForAuthors(),
)
