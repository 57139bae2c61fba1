"""Laplace noise, rounded to an answer (Wang 2016, Theorem 1)."""

from decimal import Decimal

from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys.devices.built_family import Settings
from surveys.devices.family import Family
from surveys.devices.per_option import share_of
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of
from surveys.parameters.budget import text_of


class Laplace(Family):
    name = "laplace"
    label = _("Laplace noise, rounded to an answer")
    needs = _(
        "It takes yes or no, or a scale, without “prefer not to say”: the answers need an order."
    )
    description = _(
        "Chance adds a number to the answer's place in its order and rounds to the nearest answer, "
        "so that near answers are sent more often than far ones."
    )

    def fits(self, draft: Draft) -> bool:
        kind = kind_of(draft)
        in_order = (kind.ordered or kind.opposites) and kind.is_categorical(draft)
        return in_order and not draft.other_count

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        return rr_engine.designs.laplace(labels, text_of(epsilon))

    def beside(self, draft: Draft, epsilon: Decimal) -> rr_engine.DesignMatrix:
        """Return what the others are compared with, as in Wang 2016, whether it fits or not."""
        count = len(categories(draft))
        if kind_of(draft).several:
            return rr_engine.designs.laplace(2, text_of(share_of(epsilon, count)))
        return rr_engine.designs.laplace(count, text_of(epsilon))
