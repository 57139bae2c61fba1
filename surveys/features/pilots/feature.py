"""A pilot, as the object that the rooms find in the registry."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import AuthorPart, DeskPart, DocumentPart
from surveys.features.traits import Trait
from surveys.models import Question, Survey
from surveys.parameters import Parameters
from surveys.parameters.pairs import pairs_of


class PilotsInDocument(DocumentPart):
    def is_used(self, parameters: Parameters, name: str) -> bool:
        return bool(pairs_of(parameters))


class PilotsForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return survey.pilot


class PilotsAtDesk(DeskPart):
    survey_field = "pilot"


PILOTS = Feature(
    name="pilots",
    words=(),
    label=_("A pilot"),
    purpose=_("See which questions depend on each other, before the main survey."),
    removal=_("make it no pilot"),
    traits=frozenset({Trait.PAIRED}),
    document=PilotsInDocument(),
    author=PilotsForAuthors(),
    desk=PilotsAtDesk(),
)
