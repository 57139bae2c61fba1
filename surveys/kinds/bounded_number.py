"""A number in a range, such as hours or an amount, in bins or as one bit on its place.

Without bins only the mean can be estimated, from the device of the two ends of the range: if
everybody were at one of them, the mean would be a linear map of the share at the upper one
(Pan 2024, Eq. 70). docs/methods/numbers.md
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.estimates import QuestionEstimate, agreement_of
from surveys.kinds.estimation_inputs import Input, Stratum
from surveys.kinds.kind import Trial
from surveys.kinds.number_estimates import binned_number, mean_number
from surveys.kinds.one_answer import OneAnswer
from surveys.parameters import NUMBER, Members, Question, Scale

# Until its author has typed one.
UNFINISHED = Scale(lower="0", upper="100", step="1", unit="", bins=())
# Notes in other words for a mean.
OF_A_MEAN = {"outside_range": "mean_outside"}
# How many direct answers are as good depends on how far the numbers lie apart, of which one bit
# says nothing.
UNKNOWN = {"effective_n": None, "mean": None, "entropy": None}


class BoundedNumber(OneAnswer):
    name = "bounded_number"
    label = _("Number in a range")
    control = NUMBER
    ordered = True
    numeric = True
    with_options = False

    def answer_labels(self, draft: AskedQuestion | Draft) -> list[str]:
        """The bins as "18 to 24 years"; without bins the two ends of the range."""
        scale = Draft.of(draft).scale or UNFINISHED
        if not scale.bins:
            return [_with_unit(scale, step, step) for step in (0, scale.steps)]
        lasts = [*(start - 1 for start in scale.bins[1:]), scale.steps]
        return [_with_unit(scale, *ends) for ends in zip(scale.bins, lasts, strict=True)]

    def is_categorical(self, draft: AskedQuestion | Draft) -> bool:
        scale = Draft.of(draft).scale
        return scale is not None and bool(scale.bins)

    def is_complete(self, draft: AskedQuestion | Draft) -> bool:
        """Curves of devices are about shares of answers."""
        return self.is_categorical(draft)

    # --- results --------------------------------------------------------------------------------

    def estimates(
        self,
        question: Question,
        strata: Sequence[Stratum],
        population: str,
        candidates: Sequence[str] = (),
        members: Members | None = None,
    ) -> dict[str, Any]:
        """Return the estimates; a mean alone has no rows, as no share of an answer is known."""
        scale = question.whole_scale
        if scale is None:
            return super().estimates(question, strata, population)
        # Where the numbers of a fixed group lie is not known: the error of a sample is an upper
        # bound of theirs, and that of people at the two ends would be too small.
        (estimate,) = self.question_estimates(question, strata, "sample")
        number = mean_number(scale, estimate, population)
        derived = {**UNKNOWN, "agreement": agreement_of(estimate.material), "number": number}
        codes = self.notes([estimate], derived) | set(number["notes"])
        notes = {OF_A_MEAN.get(code, code) for code in codes} - {"boundary"}
        return {"categories": [], **derived, "notes": sorted(notes)}

    def derived_statistics(
        self, question: Question, estimates: Sequence[QuestionEstimate]
    ) -> dict[str, Any]:
        (estimate,) = estimates
        number = binned_number(question.scale or UNFINISHED, estimate.unbiased)
        return {**super().derived_statistics(question, estimates), "number": number}

    def _mean(self, question: Question, estimate: Any) -> None:
        """The mean is that of the numbers, not of the places of their bins."""
        return None

    # --- simulation -----------------------------------------------------------------------------

    def draw_answers(
        self, question: Question, shares: Sequence[float], n: int, generator: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Bins; without bins steps whose mean is that of the shares of the two ends."""
        scale = question.whole_scale
        if scale is None:
            return super().draw_answers(question, shares, n, generator)
        return generator.binomial(scale.steps, shares[1] / sum(shares), size=n)

    def trial_labels(self, question: Question) -> list[str]:
        """Without bins the mean, as a part of the way from the lowest number to the highest."""
        return [gettext("Mean")] if question.whole_scale else super().trial_labels(question)

    def trials(
        self, question: Question, inputs: Sequence[Input], shares: Sequence[float]
    ) -> list[Trial]:
        trials = super().trials(question, inputs, shares)
        if question.whole_scale is None:
            return trials
        return [(channel, at_ends, [1], prior) for channel, at_ends, _focal, prior in trials]


def _with_unit(scale: Scale, first: int, last: int) -> str:
    ends = (numbers.decimal(scale.value(step)) for step in (first, last))
    return f"{numbers.from_to(*ends)} {scale.unit}".strip()
