"""Batteries, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.batteries.author import BatteriesForAuthors
from surveys.features.batteries.desk import BatteriesAtDesk
from surveys.features.batteries.section import NAME, BatteriesInDocument
from surveys.features.batteries.settings import Item
from surveys.features.batteries.views import BatteriesOnPage
from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition
from surveys.features.traits import Trait

BATTERIES = Feature(
    name=NAME,
    words=("questions in batteries", "item of a battery", "items of a battery"),
    label=_("Batteries"),
    purpose=_("Several items below one text, in one table, with one press for all."),
    removal=_("ask each item on its own"),
    traits=frozenset({Trait.BELOW_ONE_TEXT}),
    document=BatteriesInDocument(),
    author=BatteriesForAuthors(),
    desk=BatteriesAtDesk(),
    definition=SettingsInDefinition(NAME, question=Item),
    page=BatteriesOnPage(),
)
