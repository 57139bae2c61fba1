"""The last screen, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.closing_page.author import ClosingPageForAuthors
from surveys.features.closing_page.desk import ClosingPageAtDesk
from surveys.features.closing_page.section import NAME, ClosingPageInDocument
from surveys.features.closing_page.settings import ClosingSettings
from surveys.features.closing_page.views import ClosingPageOnPage
from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition

CLOSING_PAGE = Feature(
    name=NAME,
    words=("survey closing page", "closing pages"),
    label=_("The last screen"),
    purpose=_("Thank people in your own words, and lead them back to the panel they came from."),
    removal=_("remove texts and addresses under “The last screen”"),
    document=ClosingPageInDocument(),
    author=ClosingPageForAuthors(),
    desk=ClosingPageAtDesk(),
    definition=SettingsInDefinition(NAME, survey=ClosingSettings),
    page=ClosingPageOnPage(),
)
