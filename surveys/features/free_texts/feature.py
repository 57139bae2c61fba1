"""Texts in people's own words, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.free_texts.assignment import TextsOfResponses
from surveys.features.free_texts.author import FreeTextsForAuthors
from surveys.features.free_texts.desk import FreeTextsAtDesk
from surveys.features.free_texts.export import TEXTS
from surveys.features.free_texts.results import TextsInResults
from surveys.features.free_texts.section import NAME, FreeTextsInDocument
from surveys.features.free_texts.settings import TextSettings
from surveys.features.free_texts.views import FreeTextsOnPage
from surveys.features.parts import SettingsInDefinition
from surveys.features.traits import Trait

FREE_TEXTS = Feature(
    name=NAME,
    words=("written free texts",),
    label=_("Texts in people's own words"),
    purpose=_("Ask after the last question for something that nobody can list."),
    removal=_("ask for no text in one's own words"),
    traits=frozenset({Trait.IN_WORDS}),
    document=FreeTextsInDocument(),
    author=FreeTextsForAuthors(),
    desk=FreeTextsAtDesk(),
    definition=SettingsInDefinition(NAME, survey=TextSettings),
    answers=TextsOfResponses(),
    page=FreeTextsOnPage(),
    results=TextsInResults(),
    exports=(TEXTS,),
)
