"""The words for what each tier of readers gets of a question."""

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.panel.number_words import mean_margin
from surveys.authoring.planning.figures import tier_margins
from surveys.authoring.tiering import draft_at
from surveys.drafts import Draft
from surveys.exceptions import NotReadyError
from surveys.kinds import kind_of
from surveys.parameters import Tier


def tier_words(draft: Draft, planned_n: int, tiers: tuple[Tier, ...]) -> str:
    """The epsilon and the margin of error of every tier; empty where there are none, or in a group,
    which has no version for each.

    Raises EngineError where the device cannot be made for each tier.
    """
    if not tiers or not draft.randomized or draft.membership is not None:
        return ""
    try:
        margins = tier_margins(draft, planned_n, tiers)
    except NotReadyError as error:
        return " ".join(error.problems)
    return " ".join(
        _("%(name)s: ε = %(epsilon)s, margin %(margin)s.")
        % {
            "name": tier.name,
            "epsilon": numbers.decimal(draft_at(draft, tier.share).epsilon or 0),
            "margin": _margin_text(draft, margin),
        }
        for tier, margin in zip(tiers, margins, strict=True)
    )


def _margin_text(draft: Draft, margin: float) -> str:
    if draft.scale is not None and not kind_of(draft).is_categorical(draft):
        return mean_margin(draft.scale, margin)
    return numbers.margin(margin)
