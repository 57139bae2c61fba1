"""The optimal device for a rare trait under (epsilon, delta) (Holohan 2017, Theorem 3)."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys import numbers
from surveys.devices.built_family import Relaxation, Settings, epsilon_of
from surveys.devices.family import DeviceFinding, Family
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.parameters.budget import DELTA_LIMIT, text_of

# Largest guessed share of a rare trait: above it the code that proves something proves a No.
MOST_RARE = Decimal("0.5")
# Crowds of people with the trait: the smallest of whom delta reveals somebody is named.
CROWDS = (1_000, 10_000, 100_000, 1_000_000)


class RareTrait(Family):
    name = "optimal_binary"
    label = _("Rare trait: (epsilon, delta)")
    needs = _("It takes yes or no, without “prefer not to say”.")
    settings = ("delta", "prevalence")
    relaxation = Relaxation(
        summary=_("For a rare trait: a weaker promise, epsilon with a delta"),
        warning=_(
            "Delta is the share of people with the trait whose answer is not protected at all."
        ),
        explanation=_(
            "At a delta of 0.01, of 1,000 people with the trait up to 10 are revealed outright: "
            "their report proves that they have it. Nobody can know beforehand who they are. What "
            "you gain is precision, and only where the trait is rare."
        ),
    )
    description = _(
        "A device for a rare trait: it scrambles one answer more than the other. One of the "
        "reports can give a person away, with a chance of at most delta."
    )

    def fits(self, draft: Draft) -> bool:
        return kind_of(draft).opposites and not draft.other_count

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        share = float(settings.get("prevalence") or "nan")
        return rr_engine.designs.optimal_binary(
            text_of(epsilon), str(settings.get("delta", "")), share
        )

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

    # --- settings -------------------------------------------------------------------------------

    def setting_fields(self) -> dict[str, forms.Field]:
        return {
            "delta": _share_field(_("Delta"), _("Above 0, at most 0.1."), "0.01"),
            "prevalence": _share_field(
                _("Guessed share of Yes"), _("Between 0 and 1: 0.02 means 2 of 100."), "0.02"
            ),
        }

    def setting_problems(self, values: Settings) -> dict[str, str]:
        checks = {"delta": _delta_problem, "prevalence": _share_problem}
        return {name: problem(values.get(name)) for name, problem in checks.items()}

    def setting_note(self, values: Settings) -> str:
        """Delta as a natural frequency."""
        delta = _decimal(values.get("delta"))
        if not delta:
            return ""
        crowd = next((crowd for crowd in CROWDS if crowd * delta >= 1), CROWDS[-1])
        count = round(crowd * delta)
        text = ngettext(
            "Of %(crowd)s people with the trait, up to %(count)s is revealed outright.",
            "Of %(crowd)s people with the trait, up to %(count)s are revealed outright.",
            count,
        )
        return text % {"crowd": numbers.count(crowd), "count": numbers.count(count)}

    def findings(self, draft: Draft, planned_n: int) -> Iterator[DeviceFinding]:
        """An accepted delta stays a warning: how many people it is expected to reveal."""
        stored = draft.design_parameters
        if not stored.keys() >= set(self.settings):
            return
        if _decimal(stored["prevalence"]) > MOST_RARE:
            yield DeviceFinding("common_trait", _common_trait(), blocks=True)
            return
        try:
            revealed = planned_n * self._revealed_share(draft)
        except (rr_engine.EngineError, ValueError):
            return
        yield DeviceFinding("delta", _revealed_words(stored, planned_n, revealed), blocks=False)

    def _revealed_share(self, draft: Draft) -> float:
        """Expected share of respondents whose report identifies their answer."""
        matrix = self.design(draft).matrix
        share = self.planning_share(draft) or 0.0
        identifying = np.count_nonzero(matrix, axis=1) == 1
        return float(np.array([1 - share, share]) @ matrix[identifying].sum(axis=0))


def _share_field(label: Any, help_text: Any, initial: str) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        required=False,
        max_digits=8,
        decimal_places=6,
        initial=initial,
        help_text=help_text,
        widget=forms.NumberInput(attrs={"step": "any", "min": "0", "inputmode": "decimal"}),
    )


def _decimal(value: Decimal | str | None) -> Decimal:
    """0 for an invalid one, which building the device reports."""
    try:
        return Decimal(value or 0)
    except ArithmeticError:
        return Decimal(0)


def _revealed_words(settings: Settings, planned_n: int, revealed: float) -> str:
    text = (
        gettext(
            "Delta is %(delta)s: of %(n)s respondents %(people)s are expected to be revealed "
            "outright, if %(share)s of 100 answer Yes."
        )
        if revealed
        else gettext(
            "Delta is %(delta)s, but at %(share)s of 100 who answer Yes nobody is revealed and "
            "next to nothing is gained. Choose a device without delta."
        )
    )
    return text % {
        "delta": numbers.decimal(settings["delta"]),
        "n": numbers.count(planned_n),
        "people": numbers.fixed_decimals(revealed, 1),
        "share": numbers.decimal(100 * Decimal(settings["prevalence"])),
    }


def _delta_problem(delta: Decimal | None) -> str:
    if delta is None:
        return gettext(
            "Give a delta, such as 0.01: of 1,000 people with the trait 10 are revealed."
        )
    if not 0 < delta <= DELTA_LIMIT:
        return gettext("Delta must be above 0 and at most %s.") % numbers.decimal(DELTA_LIMIT)
    return ""


def _share_problem(share: Decimal | None) -> str:
    if share is None:
        return gettext("Guess how common the trait is, such as 0.02 for 2 of 100.")
    if not 0 < share < 1:
        return gettext("The guessed share must lie between 0 and 1, such as 0.02 for 2 of 100.")
    return _common_trait() if share > MOST_RARE else ""


def _common_trait() -> str:
    return gettext(
        "Delta is for a rare Yes, of one half at most. Turn the question round, so that Yes is "
        "the rare answer."
    )
