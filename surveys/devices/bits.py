"""Devices whose report is a string of bits, one for each answer: unary encoding and the like.

There are 2**B strings of B bits, so nothing here is written down for each of them: figures ask the
channel, and words are about one bit.
"""

from django.utils.translation import gettext

import rr_engine
from surveys import numbers
from surveys.devices.family import Family
from surveys.drafts import Draft
from surveys.parameters import BITS, Bits, Ties
from surveys.results_document.devices import UsedDevice


class BitFamily(Family):
    """The base class of families that build a `BitChannel` of categories, for one true answer."""

    look = BITS
    names_answers = False

    def report_length(self, draft: Draft) -> int:
        """The bits in quotation marks."""
        return len(self.truths(draft)) + len('""')

    def explanation(self, device: UsedDevice) -> str:
        table = device.table
        if not isinstance(table, Bits):
            return super().explanation(device)
        text = gettext(
            "Each of %(bits)s answers is drawn by itself: the real one is sent as marked with "
            "%(one)s, any other with %(zero)s."
        )
        return explained(text, table)

    # --- for the author -------------------------------------------------------------------------

    def retention_probabilities(self, channel: rr_engine.channels.Channel) -> list[float]:
        """How often the bit of the real answer is sent as marked."""
        kept, _raised = _chances(channel)
        return [kept]

    def told_probabilities(self, channel: rr_engine.channels.Channel) -> list[float]:
        return list(_chances(channel))

    def retention_label(self) -> str:
        return gettext("Real answers sent as marked")

    def belief_label(self) -> str:
        return gettext("Belief in “%(answer)s” where its bit alone speaks for it, from %(prior)s")

    def frequencies_of_many(self, channel: rr_engine.channels.Channel, base: int) -> str:
        kept, raised = (round(chance * base) for chance in _chances(channel))
        values = {"people": base, "kept": kept, "raised": raised}
        return gettext(
            "Of %(people)s people with the same real answer, %(kept)s send it as marked; of "
            "%(people)s people with another one, %(raised)s send it as marked too."
        ) % {name: numbers.count(value) for name, value in values.items()}


def explained(text: str, table: Bits | Ties) -> str:
    """A text with the number of bits, and how often a set and a clear one are sent as set."""
    return text % {
        "bits": numbers.count(table.bits),
        "one": numbers.percent(table.one / table.denominator, 2),
        "zero": numbers.percent(table.zero / table.denominator, 2),
    }


def _chances(channel: rr_engine.channels.Channel) -> tuple[float, float]:
    """Return the chances of a set and of a clear bit to be sent as set."""
    if channel.pair is None:
        rule = "be of bits that are all alike"
        raise rr_engine.errors.ArgumentError("channel", channel, rule, "table_not_available")
    return channel.pair
