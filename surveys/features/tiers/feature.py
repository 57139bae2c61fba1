"""Tiers, as the object that the rooms find in the registry."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import AuthorPart, DeskPart, DocumentPart
from surveys.features.traits import Trait
from surveys.models import Question, Survey
from surveys.parameters import Parameters


class TiersInDocument(DocumentPart):
    def is_used(self, parameters: Parameters, name: str) -> bool:
        return bool(parameters.tiers)


class TiersForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(survey.pk) and survey.tiers.exists()


class TiersAtDesk(DeskPart):
    survey_field = "tiers"


TIERS = Feature(
    name="tiers",
    words=(),
    label=_("Tiers"),
    purpose=_("Let some readers see more than others."),
    removal=_("remove the tiers"),
    traits=frozenset({Trait.VERSIONS}),
    document=TiersInDocument(),
    author=TiersForAuthors(),
    desk=TiersAtDesk(),
)
