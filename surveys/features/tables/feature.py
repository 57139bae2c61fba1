"""Cross-tables, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition
from surveys.features.tables.author import TablesForAuthors
from surveys.features.tables.desk import TablesAtDesk
from surveys.features.tables.section import NAME, TablesInDocument
from surveys.features.tables.settings import DeclaredTables
from surveys.features.traits import Trait

TABLES = Feature(
    name=NAME,
    words=("cross table", "cross tables"),
    label=_("Cross-tables"),
    purpose=_("See the answers to one question by those to another."),
    removal=_("remove the cross-tables"),
    traits=frozenset({Trait.TABULATED}),
    document=TablesInDocument(),
    author=TablesForAuthors(),
    desk=TablesAtDesk(),
    definition=SettingsInDefinition(NAME, survey=DeclaredTables),
)
