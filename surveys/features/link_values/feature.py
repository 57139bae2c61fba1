"""Values from the link, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.link_values.author import LinkValuesForAuthors
from surveys.features.link_values.desk import LinkValuesAtDesk
from surveys.features.link_values.section import NAME, LinkValuesInDocument
from surveys.features.link_values.settings import ValuesOfQuestion
from surveys.features.link_values.views import LinkValuesOnPage
from surveys.features.parts import SettingsInDefinition

LINK_VALUES = Feature(
    name=NAME,
    words=("link values",),
    label=_("Values from the link"),
    purpose=_("Let the link answer it, such as the batch of a panel"),
    removal=_("ask people for what the link says"),
    document=LinkValuesInDocument(),
    author=LinkValuesForAuthors(),
    desk=LinkValuesAtDesk(),
    definition=SettingsInDefinition(NAME, question=ValuesOfQuestion),
    page=LinkValuesOnPage(),
)
