"""The words for what each tier of readers gets of a question."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.panel.number_words import margin_words
from surveys.drafts import Draft
from surveys.exceptions import NotReadyError
from surveys.features.tiers.figures import draft_at, tier_margins
from surveys.features.tiers.section import Tier


def tier_words(draft: Draft, tiers: Sequence[Tier]) -> str:
    """The epsilon and the margin of error of every tier; empty where there are none, or where a
    draw is shared, which has no version for each.

    Raises EngineError where the device cannot be made for each tier.
    """
    if not tiers or not draft.randomized or draft.membership is not None:
        return ""
    try:
        margins = tier_margins(draft, draft.planned_n, tuple(tiers))
    except NotReadyError as error:
        return " ".join(error.problems)
    return " ".join(
        _("%(name)s: ε = %(epsilon)s, margin %(margin)s.")
        % {
            "name": tier.name,
            "epsilon": numbers.decimal(draft_at(draft, tier.share).epsilon or 0),
            "margin": margin_words(draft, margin),
        }
        for tier, margin in zip(tiers, margins, strict=True)
    )
