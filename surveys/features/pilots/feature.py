"""Pilots, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.pilots.author import PilotsForAuthors
from surveys.features.pilots.definition import PilotInDefinition
from surveys.features.pilots.desk import PilotsAtDesk
from surveys.features.pilots.programs_part import PilotsForPrograms
from surveys.features.pilots.section import NAME, PilotsInDocument
from surveys.features.pilots.views import PilotsOnPage
from surveys.features.traits import Trait

PILOTS = Feature(
    name=NAME,
    words=("pilot", "pilots", "random pair", "random pairs", "main survey", "main surveys"),
    label=_("A pilot"),
    purpose=_("See which questions depend on each other, before the main survey."),
    removal=_("make it no pilot"),
    traits=frozenset({Trait.PAIRED}),
    document=PilotsInDocument(),
    author=PilotsForAuthors(),
    desk=PilotsAtDesk(),
    definition=PilotInDefinition(),
    page=PilotsOnPage(),
    programs=PilotsForPrograms(),
)
