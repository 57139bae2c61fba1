"""How strongly a question is protected, in five steps with names, for authors."""

from decimal import Decimal
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class NamedStrength(NamedTuple):
    """A step of protection: `epsilon` is the largest that has its name."""

    name: str
    label: Promise
    epsilon: Decimal


# An even guess (50 of 100) is right after one answer: 63, 74, 89, 96 and 99 times in 100, at most.
STRENGTHS = (
    NamedStrength("very_strong", _("Very strong"), Decimal("0.5")),
    NamedStrength("strong", _("Strong"), Decimal(1)),
    NamedStrength("medium", _("Medium"), Decimal(2)),
    NamedStrength("weak", _("Weak"), Decimal(3)),
    NamedStrength("very_weak", _("Very weak"), Decimal(4)),
)
NEXT_TO_NONE = _("Next to none")


def strength_label(epsilon: Decimal) -> Promise:
    """Return what a protection with this epsilon is called."""
    return next((each.label for each in STRENGTHS if epsilon <= each.epsilon), NEXT_TO_NONE)
