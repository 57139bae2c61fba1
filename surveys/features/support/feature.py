"""Support, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition
from surveys.features.support.author import SupportForAuthors
from surveys.features.support.desk import SupportAtDesk
from surveys.features.support.section import NAME, SupportInDocument
from surveys.features.support.settings import SupportAfter, SupportSettings
from surveys.features.support.views import SupportOnPage

SUPPORT = Feature(
    name=NAME,
    words=("features support", "quick exit", "quick exits"),
    label=_("Help and a quick exit"),
    purpose=_("Show helplines after a distressing question, and let people leave at once."),
    removal=_("remove the help and the quick exit"),
    document=SupportInDocument(),
    author=SupportForAuthors(),
    desk=SupportAtDesk(),
    definition=SettingsInDefinition(NAME, survey=SupportSettings, question=SupportAfter),
    page=SupportOnPage(),
)
