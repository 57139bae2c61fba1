"""Questions of which one answer is true."""

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import asdict, replace

import rr_engine
from surveys.kinds.estimates import (
    QuestionEstimate,
    agreement_of,
    derived,
    mean_of_scale,
    question_estimate,
)
from surveys.kinds.estimation_inputs import EstimationInput, Input, Stratum
from surveys.kinds.kind import REFUSAL_SHARE, Kind, Trial
from surveys.parameters import Device, Question
from surveys.results_document.questions import QuestionResults, ScaleMean

# Below this p-value the devices of a question are said to disagree.
DISAGREE = 0.01
# Guessed shares in percent: of a Yes, and of everybody.
YES_SHARE, WHOLE = Decimal(10), Decimal(100)


class OneAnswer(Kind):
    def default_shares(self, answers: int, *, refusal: bool) -> list[Decimal]:
        """10 % “Yes”, 5 % who prefer not to say, the others alike; they add up to 100."""
        fixed: dict[int, Decimal] = {answers - 1: REFUSAL_SHARE} if refusal else {}
        if self.opposites:
            fixed[1] = YES_SHARE
        unset = [index for index in range(answers) if index not in fixed]
        remainder = WHOLE - sum(fixed.values())
        each = (remainder / len(unset)).quantize(Decimal("0.1"))
        if each == each.to_integral_value():
            # As the others are written: 90, not 90.0.
            each = each.to_integral_value()
        shares = {**fixed, **dict.fromkeys(unset, each)}
        shares[unset[0]] = remainder - each * (len(unset) - 1)
        return [shares[index] for index in range(answers)]

    def values_beside_others(self, options: int) -> int:
        return options

    def values_alone(self, options: int, *, refusal: bool) -> int:
        return options + refusal

    # --- results --------------------------------------------------------------------------------

    def question_estimates(
        self, question: Question, strata: Sequence[Stratum], population: str
    ) -> list[QuestionEstimate]:
        material = _estimation_input([stratum.inputs[0] for stratum in strata])
        return [question_estimate(material, population, tuple(range(len(question.categories))))]

    def with_derived(
        self, found: QuestionResults, question: Question, estimates: Sequence[QuestionEstimate]
    ) -> QuestionResults:
        (estimate,) = estimates
        return replace(
            found,
            effective_n=rr_engine.planning.equivalent_n(estimate.unbiased),
            mean=self._mean(question, estimate.unbiased),
            entropy=derived(rr_engine.association.entropy(estimate.unbiased)),
            agreement=agreement_of(estimate.material),
        )

    def notes(self, estimates: Sequence[QuestionEstimate], found: QuestionResults) -> set[str]:
        p_value = found.agreement.p_value if found.agreement else None
        # The strongest disagreement has a p-value of 0.0, which is not the same as having none.
        disagree = p_value is not None and p_value < DISAGREE
        return super().notes(estimates, found) | ({"strata_disagree"} if disagree else set())

    def _mean(self, question: Question, estimate: rr_engine.Estimate) -> ScaleMean | None:
        """Mean score of a scale, 1 for its first answer, among those who did not refuse."""
        if not self.ordered:
            return None
        mean = mean_of_scale(estimate, question.answer_count)
        if mean is None:
            return None
        return ScaleMean(**asdict(mean), lowest=1, highest=question.answer_count)

    # --- simulation -----------------------------------------------------------------------------

    def truth_labels(self, question: Question, device: Device, between: str) -> list[str]:
        return list(question.categories)

    def trials(
        self, question: Question, inputs: Sequence[Input], shares: Sequence[float]
    ) -> list[Trial]:
        device_input = inputs[0]
        return [(device_input.design, list(shares), list(range(len(shares))), device_input.prior)]


def _estimation_input(inputs: Sequence[Input]) -> EstimationInput:
    priors = [device_input.prior for device_input in inputs if device_input.prior is not None]
    return EstimationInput(
        designs=tuple(device_input.design for device_input in inputs),
        counts=tuple(device_input.counts for device_input in inputs),
        named=all(device_input.named for device_input in inputs),
        prior=priors[0] if priors else None,
    )
