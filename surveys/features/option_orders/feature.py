"""Orders of answers, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.option_orders.assignment import OrdersOfResponses
from surveys.features.option_orders.author import OptionOrdersForAuthors
from surveys.features.option_orders.desk import OptionOrdersAtDesk
from surveys.features.option_orders.section import NAME, OptionOrdersInDocument
from surveys.features.option_orders.settings import OrderSettings
from surveys.features.parts import SettingsInDefinition

OPTION_ORDERS = Feature(
    name=NAME,
    words=("drawn option orders",),
    label=_("Order of the answers"),
    purpose=_("Let chance pick the order in which the answers to a question stand."),
    removal=_("leave the answers as they are written"),
    document=OptionOrdersInDocument(),
    author=OptionOrdersForAuthors(),
    desk=OptionOrdersAtDesk(),
    answers=OrdersOfResponses(),
    definition=SettingsInDefinition(NAME, question=OrderSettings),
)
