"""Sections, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition
from surveys.features.sections.author import SectionsForAuthors
from surveys.features.sections.desk import SectionsAtDesk
from surveys.features.sections.section import NAME, SectionsInDocument
from surveys.features.sections.settings import LastPage, SectionStart
from surveys.features.sections.views import SectionsOnPage
from surveys.features.traits import Trait

SECTIONS = Feature(
    name=NAME,
    words=("begins section", "questions in sections"),
    label=_("Sections"),
    purpose=_("Begin a section with this question"),
    removal=_("remove the sections"),
    traits=frozenset({Trait.IN_SECTIONS}),
    document=SectionsInDocument(),
    author=SectionsForAuthors(),
    desk=SectionsAtDesk(),
    definition=SettingsInDefinition(NAME, survey=LastPage, question=SectionStart),
    page=SectionsOnPage(),
)
