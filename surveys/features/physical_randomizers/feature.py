"""A physical randomizer, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import AuthorPart, DocumentPart
from surveys.features.traits import Trait
from surveys.models import Question
from surveys.parameters import Parameters
from surveys.parameters.document import is_drawn


class PhysicalRandomizersInDocument(DocumentPart):
    def is_used(self, parameters: Parameters) -> bool:
        return not all(map(is_drawn, parameters.devices))


class PhysicalRandomizersForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return question.randomized and bool(question.physical_device)


PHYSICAL_RANDOMIZERS = Feature(
    name="physical_randomizers",
    words=(),
    label=_("A physical randomizer"),
    purpose=_("Let respondents scramble their answers with a die, coins or cards."),
    removal=_("choose no physical randomizer"),
    traits=frozenset({Trait.IN_HAND}),
    document=PhysicalRandomizersInDocument(),
    author=PhysicalRandomizersForAuthors(),
)
