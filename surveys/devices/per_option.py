"""Randomized response to each option of a multiple choice, which share the question's epsilon."""

from decimal import ROUND_DOWN, Decimal

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.devices.built_family import epsilon_of
from surveys.devices.randomized_response import RandomizedResponse
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of

# The step to which a share of a question's epsilon is rounded down, so that the parts never exceed
# it.
EPSILON_STEP = Decimal("0.000001")


class PerOption(RandomizedResponse):
    name = "per_option"
    label = _("One device for each option")
    needs = _("It takes multiple choice.")

    def fits(self, draft: Draft) -> bool:
        return kind_of(draft).several

    def truths(self, draft: Draft) -> list[str]:
        return ["0", "1"]

    def options(self, draft: Draft) -> list[int | None]:
        return list(range(len(categories(draft))))

    def epsilon_of_each(self, draft: Draft) -> Decimal:
        return share_of(epsilon_of(draft), len(categories(draft)))

    def epsilon_words(self, draft: Draft, own: float) -> str:
        epsilon = epsilon_of(draft)
        each = numbers.fixed_decimals(float(epsilon) / len(categories(draft)), 3)
        values = {"epsilon": numbers.decimal(epsilon), "each": each}
        return gettext("%(epsilon)s, for each option %(each)s") % values


def share_of(epsilon: Decimal, count: int) -> Decimal:
    return (epsilon / count).quantize(EPSILON_STEP, rounding=ROUND_DOWN)
