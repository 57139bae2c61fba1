"""Declared analyses and weights, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.analyses.author import AnalysesForAuthors
from surveys.features.analyses.definition import AnalysesInDefinition
from surveys.features.analyses.desk import AnalysesAtDesk
from surveys.features.analyses.section import NAME, AnalysesInDocument
from surveys.features.feature import Feature
from surveys.features.traits import Trait

ANALYSES = Feature(
    name=NAME,
    # The rooms know analyses, which readers compose too, and weights; they do not know who has
    # declared them.
    words=(),
    label=_("Declared analyses and weights"),
    purpose=_("Say before launch which models will be fitted, and what the population is like."),
    removal=_("remove the analyses and weights"),
    traits=frozenset({Trait.CROSSED}),
    document=AnalysesInDocument(),
    author=AnalysesForAuthors(),
    desk=AnalysesAtDesk(),
    definition=AnalysesInDefinition(),
)
