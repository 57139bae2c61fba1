"""Declared analyses, as the object that the rooms find in the registry."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import AuthorPart, DocumentPart
from surveys.features.traits import Trait
from surveys.models import Question, Survey
from surveys.parameters import Parameters


class AnalysesInDocument(DocumentPart):
    def is_used(self, parameters: Parameters, name: str) -> bool:
        return bool(parameters.analyses)


class AnalysesForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(survey.analyses)


ANALYSES = Feature(
    name="analyses",
    words=(),
    label=_("Declared analyses"),
    purpose=_("Say before launch which models will be fitted."),
    removal=_("remove the analyses"),
    traits=frozenset({Trait.CROSSED}),
    document=AnalysesInDocument(),
    author=AnalysesForAuthors(),
)
