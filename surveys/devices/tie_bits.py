"""A noisy bit for each of the others on members (Wang 2016, section 6.4).

Its epsilon is that of one tie; docs/methods/network-privacy.md says what all ties of a person
reveal together.
"""

from collections.abc import Sequence
from decimal import Decimal

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys.devices.bits import explained
from surveys.devices.built_family import CODE_LENGTH, Settings
from surveys.devices.family import Family
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.parameters import TIES, Ties
from surveys.parameters.budget import text_of
from surveys.parameters.members import LEAST_MEMBERS, MOST_MEMBERS
from surveys.parameters.tables import Coded
from surveys.results_document.devices import UsedDevice

# Ties that a member is expected to have, where the author has not said.
USUAL_TIES = Decimal(5)


class TieBits(Family):
    name = "tie_bits"
    label = _("One bit for each of the others")
    needs = _("It takes a question about the members.")
    description = _(
        "Chance decides about every name by itself, ticked or not, and what it decided is sent."
    )
    look = TIES
    # On every step of a chain the ties would be another report.
    follows_epsilon = False
    settings = ("expected_ties",)

    def fits(self, draft: Draft) -> bool:
        return kind_of(draft).about_members

    def is_listed(self, draft: Draft) -> bool:
        return kind_of(draft).about_members

    def truths(self, draft: Draft) -> list[str]:
        """Return the true answers of one name."""
        return [gettext("not ticked"), gettext("ticked")]

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        """The device of one name: no other keeps epsilon with less noise, whatever the density."""
        return rr_engine.k_rr(labels, text_of(epsilon))

    def table(self, draft: Draft) -> Ties:
        """Raises ArgumentError without members."""
        if not LEAST_MEMBERS <= draft.members <= MOST_MEMBERS:
            rule = f"have {LEAST_MEMBERS} to {MOST_MEMBERS} members"
            raise rr_engine.errors.ArgumentError("roster", draft.members, rule, "not_a_roster")
        integers, denominator = self.design(draft).exact_table()
        zero, one = map(int, integers[1])
        return Ties(bits=draft.members - 1, denominator=denominator, one=one, zero=zero)

    def report_length(self, draft: Draft) -> int:
        """The bits in quotation marks."""
        return CODE_LENGTH + draft.members

    def sharper_table(self, draft: Draft, waves: Sequence[Coded]) -> Ties:
        return self.table(draft)

    def explanation(self, device: UsedDevice) -> str:
        table = device.table
        if not isinstance(table, Ties):
            return str(self.description)
        text = gettext(
            "Each of %(bits)s names is drawn by itself: one that is ticked is sent as 1 with "
            "%(one)s, one that is not with %(zero)s."
        )
        return explained(text, table)

    def setting_fields(self) -> dict[str, forms.Field]:
        return {
            "expected_ties": forms.DecimalField(
                label=_("Ties expected for each member"),
                required=False,
                min_value=Decimal("0.1"),
                max_value=MOST_MEMBERS,
                max_digits=6,
                decimal_places=2,
                initial=USUAL_TIES,
                help_text=_(
                    "About how many of the others a member will tick, on average. The margins of "
                    "the panel and the test fill rest on it; the device does not."
                ),
            )
        }


def expected_ties(draft: Draft) -> Decimal:
    """How many ties a member is expected to have."""
    return Decimal(str(draft.design_parameters.get("expected_ties") or USUAL_TIES))
