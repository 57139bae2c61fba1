"""RAPPOR: a text becomes a Bloom filter, and every bit of it a noisy bit (Erlingsson 2014)."""

import functools
from collections.abc import Sequence
from decimal import Decimal

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys import numbers
from surveys.devices.built_family import CODE_LENGTH, Settings, epsilon_of
from surveys.devices.family import Family
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.parameters import FILTERS, Bloom
from surveys.parameters.budget import text_of
from surveys.parameters.tables import Coded
from surveys.results_document.devices import UsedDevice

# The candidates that a list is expected to have, where its author has not said.
USUAL_CANDIDATES = 100
MOST_CANDIDATES = 2_000


class RapporFilter(Family):
    name = "rappor"
    label = _("RAPPOR: noisy Bloom filter")
    needs = _("It takes a short text.")
    description = _(
        "A text marks a few places of a pattern; then chance decides on each place by itself. The "
        "pattern is sent, and never the text."
    )
    look = FILTERS
    names_answers = False
    # On every step of a chain a text would be another report.
    follows_epsilon = False
    settings = ("expected_candidates",)

    def fits(self, draft: Draft) -> bool:
        return kind_of(draft).free_text

    def is_listed(self, draft: Draft) -> bool:
        return kind_of(draft).free_text

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.channels.Channel:
        """The filter of one cohort, for as many people as a survey usually plans for."""
        count = int(settings.get("expected_candidates") or USUAL_CANDIDATES)
        return plan_of(epsilon, Draft().planned_n, count).device.channel

    def channel(self, draft: Draft) -> rr_engine.channels.BitChannel:
        """The filter of one cohort."""
        return text_plan(draft).device.channel

    def table(self, draft: Draft) -> Bloom:
        device = text_plan(draft).device
        return Bloom(
            cohorts=device.cohorts,
            bits=device.bits,
            hashes=device.hashes,
            denominator=device.denominator,
            one=device.kept,
            zero=device.raised,
        )

    def report_length(self, draft: Draft) -> int:
        """A cohort in brackets and the bits in quotation marks."""
        return CODE_LENGTH + text_plan(draft).device.bits

    def sharper_table(self, draft: Draft, waves: Sequence[Coded]) -> Bloom:
        return self.table(draft)

    def explanation(self, device: UsedDevice) -> str:
        table = device.table
        if not isinstance(table, Bloom):
            return str(self.description)
        text = gettext(
            "A text sets %(hashes)s of %(bits)s bits; which ones depends on the text and on one of "
            "%(cohorts)s cohorts, which chance draws. A set bit is sent as 1 with %(one)s, a "
            "clear one with %(zero)s. The text itself is never sent."
        )
        return text % {
            "hashes": numbers.count(table.hashes),
            "bits": numbers.count(table.bits),
            "cohorts": numbers.count(table.cohorts),
            "one": numbers.percent(table.one / table.denominator, 2),
            "zero": numbers.percent(table.zero / table.denominator, 2),
        }

    def setting_fields(self) -> dict[str, forms.Field]:
        return {
            "expected_candidates": forms.IntegerField(
                label=_("Candidates expected"),
                required=False,
                min_value=1,
                max_value=MOST_CANDIDATES,
                initial=USUAL_CANDIDATES,
                help_text=_(
                    "About how many texts you will look for. The filter is made for so many; the "
                    "list itself may be written or changed after the answers came in."
                ),
            )
        }


def expected_candidates(draft: Draft) -> int:
    """How many candidates the filter is made for."""
    return int(draft.design_parameters.get("expected_candidates") or USUAL_CANDIDATES)


def text_plan(draft: Draft) -> rr_engine.rappor.RapporPlan:
    """The filter for a draft's epsilon, planned respondents and candidates, and what it finds."""
    return plan_of(epsilon_of(draft), draft.planned_n, expected_candidates(draft))


# All filters are compared, which takes some 20 ms; a page asks at every keystroke.
@functools.lru_cache(maxsize=512)
def plan_of(epsilon: Decimal, n: int, candidates: int) -> rr_engine.rappor.RapporPlan:
    return rr_engine.rappor.suggest_rappor(text_of(epsilon), n, candidates)
