"""The licence of the data, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.data_licence.author import LicenceForAuthors
from surveys.features.data_licence.desk import LicenceAtDesk
from surveys.features.data_licence.results import LicenceInResults
from surveys.features.data_licence.settings import NAME, LicenceSettings
from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition

DATA_LICENCE = Feature(
    name=NAME,
    words=("data licence", "data licences"),
    label=_("The licence of the data"),
    purpose=_("Say what others may do with the data that you hand on."),
    removal=_("choose “Not stated” under “Licence of the data”"),
    author=LicenceForAuthors(),
    desk=LicenceAtDesk(),
    definition=SettingsInDefinition(NAME, survey=LicenceSettings),
    results=LicenceInResults(),
)
