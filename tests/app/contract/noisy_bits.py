"""A family of devices outside the product: one noisy bit for each answer (Wang et al. 2017).

The bit of the real answer is set, and chance decides on each bit by itself: unary encoding, in the
form with the smaller variance for rare answers. It is the example of docs/extending.md for a
channel that is no table: a report is a string of bits, and nothing is written down for each one.
"""

from decimal import Decimal

import rr_engine
from surveys.devices.bits import BitFamily
from surveys.devices.built_family import Settings
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.parameters.budget import text_of
from tests.app.contract.worded import worded


class NoisyBits(BitFamily):
    name = "noisy_bits"
    label = worded("A noisy bit for each answer", "Ein verrauschtes Bit für jede Antwort")
    needs = worded(
        "It takes a question with one answer.", "Es passt zu einer Frage mit einer Antwort."
    )

    def fits(self, draft: Draft) -> bool:
        return not kind_of(draft).several and kind_of(draft).is_categorical(draft)

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.channels.Channel:
        return rr_engine.channels.BitChannel.from_epsilon(
            len(labels), text_of(epsilon), "optimized"
        )
