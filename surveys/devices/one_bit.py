"""One bit on a number, from which its mean is estimated (Pan 2024, Eq. 69)."""

import functools
from collections.abc import Sequence
from decimal import Decimal

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys import numbers
from surveys.devices.built_family import epsilon_of
from surveys.devices.randomized_response import RandomizedResponse
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of
from surveys.parameters import Linear, Scale
from surveys.parameters.budget import text_of
from surveys.parameters.exact import matrix_of, report_codes, with_labels
from surveys.parameters.tables import Coded
from surveys.results_document.devices import UsedDevice

# The margin of a mean is largest in the middle of the range.
MIDDLE = 0.5


class OneBit(RandomizedResponse):
    name = "one_bit"
    label = _("One bit, for the mean")
    needs = _("It takes a number without bins and without “prefer not to say”.")
    description = _(
        "Chance sends one of two codes; the higher the number, the more often it is the second."
    )
    names_answers = False

    def fits(self, draft: Draft) -> bool:
        """A refusal is no number: there is no place for it between the two ends."""
        numeric = kind_of(draft).numeric and draft.scale is not None
        return numeric and not kind_of(draft).is_categorical(draft) and not draft.other_count

    def channel(self, draft: Draft) -> rr_engine.DesignMatrix:
        """The device of the two ends of the range, through which the mean is estimated."""
        return with_labels(_device(_scale(draft).steps, epsilon_of(draft)).ends, categories(draft))

    def table(self, draft: Draft) -> Linear:
        device = _device(_scale(draft).steps, epsilon_of(draft))
        first, second = report_codes(2)
        return Linear(
            reports=(first, second),
            denominator=device.denominator,
            low=device.low,
            rise=device.rise,
            steps=device.steps,
        )

    def sharper_table(self, draft: Draft, waves: Sequence[Coded]) -> Linear:
        return self.table(draft)

    def planning_share(self, draft: Draft) -> float | None:
        return MIDDLE if kind_of(draft).numeric and self.fits(draft) else None

    def explanation(self, device: UsedDevice) -> str:
        table = device.table
        if not isinstance(table, Linear):
            return str(self.description)
        text = gettext(
            "Chance sends one of two codes: %(second)s with %(low)s at the lowest number, with "
            "%(high)s at the highest, and in proportion in between."
        )
        return text % {
            "second": table.reports[1],
            "low": numbers.percent(table.low / table.denominator, 2),
            "high": numbers.percent(table.high / table.denominator, 2),
        }

    # --- for the author -------------------------------------------------------------------------

    def retention_probabilities(self, channel: rr_engine.channels.Channel) -> list[float]:
        """Return how often the lowest number sends the first code, and the highest the second."""
        design = matrix_of(channel)
        return [float(design.matrix[0, 0]), float(design.matrix[1, 1])]

    def retention_label(self) -> str:
        return gettext("Code of its end, from the ends of the range")

    def frequency_columns(self, draft: Draft) -> list[tuple[str, list[float]]]:
        """The ends of the range and the step in its middle."""
        scale, table = _scale(draft), self.table(draft)
        middle = scale.steps // 2
        low, high = categories(draft)
        label = f"{numbers.decimal(scale.value(middle))} {scale.unit}".strip()
        steps = [(low, 0), (label, middle), (high, scale.steps)]
        ones = [(table.low + table.rise * step) / table.denominator for _label, step in steps]
        columns = [(label, [1 - one, one]) for (label, _step), one in zip(steps, ones, strict=True)]
        return columns if 0 < middle < scale.steps else [columns[0], columns[-1]]


def _scale(draft: Draft) -> Scale:
    if draft.scale is None:
        raise rr_engine.errors.ArgumentError("scale", None, "be given", "not_a_number")
    return draft.scale


@functools.lru_cache(maxsize=1024)
def _device(steps: int, epsilon: Decimal) -> rr_engine.bounded.MeanDevice:
    return rr_engine.bounded.MeanDevice.from_epsilon(steps, text_of(epsilon))
