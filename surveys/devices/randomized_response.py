"""Randomized response over all answers (Warner 1965 for two; k-ary: Wang 2016, Eq. 6)."""

from decimal import Decimal

from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys.devices.built_family import Settings
from surveys.devices.family import Family
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.parameters.budget import text_of


class RandomizedResponse(Family):
    name = "k_rr"
    label = _("Randomized response")
    needs = _("It takes questions with one answer.")
    description = _("Chance keeps the answer or picks another, all others equally likely.")

    def fits(self, draft: Draft) -> bool:
        return not kind_of(draft).several and kind_of(draft).is_categorical(draft)

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        return rr_engine.k_rr(labels, text_of(epsilon))
