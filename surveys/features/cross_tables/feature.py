"""Cross-tables, as the object that the rooms find in the registry."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import AuthorPart, DocumentPart
from surveys.features.traits import Trait
from surveys.models import Question, Survey
from surveys.parameters import Parameters


class CrossTablesInDocument(DocumentPart):
    def is_used(self, parameters: Parameters, name: str) -> bool:
        return bool(parameters.tables)


class CrossTablesForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(survey.cross_tables)


CROSS_TABLES = Feature(
    name="cross_tables",
    words=(),
    label=_("Cross-tables"),
    purpose=_("See the answers to one question by those to another."),
    removal=_("remove the cross-tables"),
    traits=frozenset({Trait.TABULATED}),
    document=CrossTablesInDocument(),
    author=CrossTablesForAuthors(),
)
