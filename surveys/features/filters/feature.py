"""Filters, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.filters.assignment import FiltersOfResponses
from surveys.features.filters.author import FiltersForAuthors
from surveys.features.filters.desk import FiltersAtDesk
from surveys.features.filters.draft import FiltersOfDraft
from surveys.features.filters.results import FiltersInResults
from surveys.features.filters.section import NAME, FiltersInDocument
from surveys.features.filters.settings import QuestionFilter
from surveys.features.filters.views import FiltersOnPage
from surveys.features.parts import SettingsInDefinition
from surveys.features.traits import Trait

FILTERS = Feature(
    name=NAME,
    words=("filtered question", "filtered questions", "question filters"),
    label=_("Filters"),
    purpose=_("Ask it only of those for whom an earlier answer says so."),
    removal=_("take the filters away"),
    traits=frozenset({Trait.FOR_SOME}),
    document=FiltersInDocument(),
    draft=FiltersOfDraft(),
    author=FiltersForAuthors(),
    desk=FiltersAtDesk(),
    answers=FiltersOfResponses(),
    page=FiltersOnPage(),
    results=FiltersInResults(),
    definition=SettingsInDefinition(NAME, question=QuestionFilter),
)
