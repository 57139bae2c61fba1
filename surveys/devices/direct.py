"""No device at all: the answer is sent as it is."""

from decimal import Decimal

from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys.devices.built_family import Settings
from surveys.devices.family import Family
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of


class Direct(Family):
    name = "direct"
    description = _("The answer is sent as it is.")

    def fits(self, draft: Draft) -> bool:
        return not draft.randomized and kind_of(draft).is_categorical(draft)

    def truths(self, draft: Draft) -> list[str]:
        return categories(draft) if self.options(draft) == [None] else ["0", "1"]

    def options(self, draft: Draft) -> list[int | None]:
        return kind_of(draft).parts(len(categories(draft)))

    def declared_epsilon(self, draft: Draft) -> str | None:
        return None

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        return rr_engine.designs.direct(labels)

    def channel(self, draft: Draft) -> rr_engine.DesignMatrix:
        return rr_engine.designs.direct(self.truths(draft))
