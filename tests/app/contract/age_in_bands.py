"""A kind of question outside the product: an age in bands, of which the author writes the limits.

Its answers are not its options: the limits 18, 40 and 65 make four bands. Nobody can prefer not to
say. It is the example of docs/extending.md for a kind whose answers are computed.
"""

from collections.abc import Sequence
from itertools import pairwise

from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.one_answer import OneAnswer
from tests.app.contract.worded import worded


class AgeInBands(OneAnswer):
    name = "age_in_bands"
    label = worded("An age in bands", "Ein Alter in Stufen")
    control = "list"
    ordered = True
    refusable = False

    def answer_labels(self, draft: AskedQuestion | Draft) -> list[str]:
        """Return the bands; limits that are none yet have no bands."""
        if self.options_problem(draft.options):
            return []
        limits = [int(option) for option in draft.options]
        bands = [_band(low, high - 1) for low, high in pairwise(limits)]
        below, above = worded("Below %s", "Unter %s"), worded("%s or older", "%s oder älter")
        return [str(below) % limits[0], *bands, str(above) % limits[-1]]

    def is_complete(self, draft: AskedQuestion | Draft) -> bool:
        return not self.options_problem(draft.options)

    def options_problem(self, options: Sequence[str]) -> str:
        numbers = [int(option) for option in options if option.isascii() and option.isdigit()]
        rising = all(low < high for low, high in pairwise(numbers))
        if options and len(numbers) == len(options) and rising:
            return ""
        return str(
            worded(
                "Write the limits of the bands as rising whole numbers, one per line.",
                "Schreiben Sie die Grenzen der Stufen als steigende ganze Zahlen, eine je Zeile.",
            )
        )


def _band(low: int, high: int) -> str:
    return str(low) if low == high else str(worded("%s to %s", "%s bis %s")) % (low, high)
