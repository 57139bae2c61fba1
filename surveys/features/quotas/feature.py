"""Quotas, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition
from surveys.features.quotas.author import QuotasForAuthors
from surveys.features.quotas.desk import QuotasAtDesk
from surveys.features.quotas.section import NAME, QuotasInDocument
from surveys.features.quotas.settings import QuotaSettings
from surveys.features.quotas.views import QuotasOnPage
from surveys.features.traits import Trait

QUOTAS = Feature(
    name=NAME,
    words=("quota", "full quotas"),
    label=_("Quotas"),
    purpose=_("Ask only as many people of each group as are wanted, or nobody of a group."),
    removal=_("remove the quotas"),
    traits=frozenset({Trait.LIMITED}),
    document=QuotasInDocument(),
    author=QuotasForAuthors(),
    desk=QuotasAtDesk(),
    definition=SettingsInDefinition(NAME, survey=QuotaSettings),
    page=QuotasOnPage(),
)
