"""Arms, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.arms.assignment import ArmOfAResponse
from surveys.features.arms.author import ArmsForAuthors
from surveys.features.arms.desk import ArmsAtDesk
from surveys.features.arms.draft import ArmsOfDraft
from surveys.features.arms.export import EXPORTS
from surveys.features.arms.results import ArmsInResults
from surveys.features.arms.section import NAME, ArmsInDocument
from surveys.features.arms.settings import ArmShares, QuestionArms
from surveys.features.arms.views import ArmsOnPage
from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition
from surveys.features.traits import Trait

ARMS = Feature(
    name=NAME,
    words=("arm", "arms", "armed"),
    label=_("Arms"),
    purpose=_("Ask some people in another way, to see whether that changes the answers."),
    removal=_("remove the arms"),
    traits=frozenset({Trait.DIVIDED}),
    document=ArmsInDocument(),
    draft=ArmsOfDraft(),
    author=ArmsForAuthors(),
    desk=ArmsAtDesk(),
    definition=SettingsInDefinition(NAME, survey=ArmShares, question=QuestionArms),
    answers=ArmOfAResponse(),
    page=ArmsOnPage(),
    results=ArmsInResults(),
    exports=EXPORTS,
)
