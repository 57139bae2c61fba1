"""The optimal device for a rare trait under (epsilon, delta) (Holohan 2017, Theorem 3)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys import numbers
from surveys.devices.family import Family, Settings, epsilon_of
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.parameters.budget import text_of

# Largest guessed share of a rare trait: above it the code that proves something proves a No.
MOST_RARE = Decimal("0.5")
MOST_DELTA = Decimal("0.1")


class RareTrait(Family):
    name = "optimal_binary"
    label = _("Rare trait: (epsilon, delta)")
    needs = _("It takes yes or no, without “prefer not to say”.")
    settings = ("delta", "prevalence")
    relaxed = True
    description = _(
        "A device for a rare trait: it scrambles one answer more than the other. One of the "
        "reports can give a person away, with a chance of at most delta."
    )

    def fits(self, draft: Draft) -> bool:
        return kind_of(draft).opposites and not draft.prefer_not

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        share = float(settings.get("prevalence") or "nan")
        return rr_engine.optimal_binary(text_of(epsilon), str(settings.get("delta", "")), share)

    def delta(self, draft: Draft) -> str:
        return str(draft.design_parameters["delta"])

    def planning_share(self, draft: Draft) -> float | None:
        share = draft.design_parameters.get("prevalence")
        return None if share is None else float(share)

    def epsilon_words(self, draft: Draft, own: float) -> str:
        values = {
            "epsilon": numbers.decimal(epsilon_of(draft)),
            "delta": numbers.decimal(self.delta(draft)),
        }
        return gettext("%(epsilon)s; delta %(delta)s") % values


def setting_problems(settings: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with each setting; empty where nothing is."""
    checks = {"delta": _delta_problem, "prevalence": _share_problem}
    return {name: problem(settings.get(name)) for name, problem in checks.items()}


def _delta_problem(delta: Decimal | None) -> str:
    if delta is None:
        return gettext(
            "Give a delta, such as 0.01: of 1,000 people with the trait 10 are revealed."
        )
    if not 0 < delta <= MOST_DELTA:
        return gettext("Delta must be above 0 and at most %s.") % numbers.decimal(MOST_DELTA)
    return ""


def _share_problem(share: Decimal | None) -> str:
    if share is None:
        return gettext("Guess how common the trait is, such as 0.02 for 2 of 100.")
    if not 0 < share < 1:
        return gettext("The guessed share must lie between 0 and 1, such as 0.02 for 2 of 100.")
    if share > MOST_RARE:
        return gettext(
            "Delta is for a rare Yes, of one half at most. Turn the question round, so that Yes is "
            "the rare answer."
        )
    return ""
