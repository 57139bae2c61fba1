"""What the arms of a question mean for its figures, in words."""

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.drafts import Draft
from surveys.parameters import PAGE
from surveys.parameters.arms import DIRECTLY, SPLIT


def arm_label(stratum: str) -> str:
    """An arm for its author: as the questions say, or how it differs from that."""
    labels = {
        PAGE: _("As the questions say"),
        SPLIT: _("Split sample: with another epsilon"),
        DIRECTLY: _("Direct arm: asked as it is"),
    }
    return labels.get(stratum, stratum)


def arm_words(draft: Draft) -> str:
    """Who of 100 people is asked otherwise, and that the figures count it in; empty without."""
    parts = []
    if draft.split_share:
        text = _("%(share)s of 100 people are asked this with an epsilon of %(epsilon)s.")
        epsilon = numbers.decimal(draft.split_epsilon or 0)
        parts.append(text % {"share": numbers.count(draft.split_share), "epsilon": epsilon})
    if draft.direct_share:
        text = _("%s of 100 people are asked this directly, and no estimate uses what they say.")
        parts.append(text % numbers.count(draft.direct_share))
    if parts:
        parts.append(_("The margin and the numbers of respondents count that in."))
    return " ".join(parts)
