"""Words that several physical randomizers share."""

from django.utils.translation import gettext_lazy as _

DIGITS = "0123456789"
NUMBER_OF_ANOTHER = _(
    "Think of the phone number of somebody you know, one that you have not used here yet, and "
    "keep to it."
)
COIN, DIE = _("a coin"), _("a die")
NUMBER = _("somebody else's phone number")
