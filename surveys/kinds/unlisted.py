"""Kinds whose answers are no list: a text, or a set of people.

They have no categories, so none of the statistics of categories, and devices over categories do not
fit them.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.estimates import QuestionEstimate
from surveys.kinds.estimation_inputs import Input, Stratum
from surveys.kinds.kind import UNKNOWN, Kind, Trial
from surveys.parameters import Device, Question
from surveys.results_document.questions import QuestionResults


class Unlisted(Kind):
    """An answer is never sent as it is: nearly every one is another."""

    with_options = False
    always_scrambled = True

    def answer_labels(self, draft: AskedQuestion | Draft) -> list[str]:
        return []

    def is_categorical(self, draft: AskedQuestion | Draft) -> bool:
        return False

    def is_complete(self, draft: AskedQuestion | Draft) -> bool:
        """Curves of devices are about shares of answers."""
        return False

    def values_beside_others(self, options: int) -> int:
        return 1

    def values_alone(self, options: int, *, refusal: bool) -> int:
        return 1

    def question_estimates(
        self, question: Question, strata: Sequence[Stratum], population: str
    ) -> list[QuestionEstimate]:
        return []

    def with_derived(
        self, found: QuestionResults, question: Question, estimates: Sequence[QuestionEstimate]
    ) -> QuestionResults:
        return replace(found, **UNKNOWN)

    def truth_labels(self, question: Question, device: Device, between: str) -> list[str]:
        return []

    def trial_labels(self, question: Question) -> list[str]:
        return []

    def trials(
        self, question: Question, inputs: Sequence[Input], shares: Sequence[float]
    ) -> list[Trial]:
        """The coverage of their intervals is measured in the method notes."""
        return []
