"""Tiers, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.tiers.author import TiersForAuthors
from surveys.features.tiers.definition import TiersInDefinition
from surveys.features.tiers.desk import TiersAtDesk
from surveys.features.tiers.programs_part import TiersForPrograms
from surveys.features.tiers.readers import TiersForReaders
from surveys.features.tiers.results import TiersInResults
from surveys.features.tiers.section import NAME, TiersInDocument
from surveys.features.tiers.views import TiersOnPage
from surveys.features.traits import Trait

TIERS = Feature(
    name=NAME,
    words=("tier", "tiers", "tiered"),
    label=_("Tiers"),
    purpose=_("Let some readers see more than others."),
    removal=_("remove the tiers"),
    traits=frozenset({Trait.VERSIONS}),
    document=TiersInDocument(),
    author=TiersForAuthors(),
    desk=TiersAtDesk(),
    definition=TiersInDefinition(),
    readers=TiersForReaders(),
    page=TiersOnPage(),
    results=TiersInResults(),
    programs=TiersForPrograms(),
)
