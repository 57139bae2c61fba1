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
from msgspec.structs import replace

import rr_engine
from surveys import numbers
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.estimates import QuestionEstimate, agreement_of
from surveys.kinds.estimation_inputs import Answered, Input
from surveys.kinds.kind import UNKNOWN, Trial
from surveys.kinds.number_estimates import binned_number, mean_number
from surveys.kinds.one_answer import OneAnswer
from surveys.parameters import NUMBER, Question, Scale
from surveys.results_document.questions import QuestionResults

# Until its author has typed one.
UNFINISHED = Scale(lower="0", upper="100", step="1", unit="", bins=())
# Notes in other words for a mean.
OF_A_MEAN = {"outside_range": "mean_outside"}


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

    def estimates(self, found: QuestionResults, answered: Answered) -> QuestionResults:
        """Return the estimates; a mean alone has no rows, as no share of an answer is known.

        How many direct answers are as good depends on how far the numbers lie apart, of which one
        bit says nothing.
        """
        question, population = answered.question, answered.population
        scale = question.whole_scale
        if scale is None:
            return super().estimates(found, answered)
        # Where the numbers of a fixed group lie is not known: the error of a sample is an upper
        # bound of theirs, and that of people at the two ends would be too small.
        (estimate,) = self.question_estimates(question, answered.strata, "sample")
        number = mean_number(scale, estimate, population)
        agreement = {"agreement": agreement_of(estimate.material)}
        found = replace(found, **{**UNKNOWN, **agreement}, number=number)
        codes = self.notes([estimate], found).union(number.notes)
        notes = {OF_A_MEAN.get(code, code) for code in codes} - {"boundary"}
        return replace(found, notes=tuple(sorted(notes)))

    def with_derived(
        self, found: QuestionResults, question: Question, estimates: Sequence[QuestionEstimate]
    ) -> QuestionResults:
        (estimate,) = estimates
        number = binned_number(question.scale or UNFINISHED, estimate.unbiased)
        return replace(super().with_derived(found, question, estimates), number=number)

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


def equal_starts(
    steps: int, count: int, *, lowest: bool = False, highest: bool = False
) -> tuple[int, ...]:
    """Return the steps at which so many bins begin, of as equal sizes as possible.

    `lowest`, `highest`: that value has a bin of its own beside them, because many people have it.
    """
    between = steps - lowest - highest
    starts = (0,) if count == 1 else rr_engine.bounded.Bins.equal(0, 1, between, count).starts
    ends = (0,) * lowest, (steps,) * highest
    return (*ends[0], *(start + lowest for start in starts), *ends[1])
