"""Multiple choice: any number of the options may be true, each with a share of its own.

A set of ticks is a code whose bits are the options; a refusal, which ticks nothing else, is one
more code after all sets.
"""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

import rr_engine
from surveys.kinds.estimates import QuestionEstimate, question_estimate
from surveys.kinds.estimation_inputs import EstimationInput, Input, Stratum
from surveys.kinds.kind import REFUSAL_SHARE, UNKNOWN, Kind, Trial, option_labels
from surveys.parameters import BOXES, Device, Question
from surveys.parameters.exact import coarsened, with_labels
from surveys.results_document.questions import QuestionResults

TICKED_SHARE = Decimal(20)
# The truths of one option, whichever device it was asked with.
NOT_TICKED_TICKED = ("0", "1")

ChannelCounts = tuple[rr_engine.channels.Channel, npt.NDArray[np.int64]]


class MultipleChoice(Kind):
    name = "multiple_choice"
    label = _("Multiple choice (tick all that apply)")
    control = BOXES
    several = True

    def parts(self, answers: int) -> list[int | None]:
        return list(range(answers))

    def default_shares(self, answers: int, *, refusal: bool) -> list[Decimal]:
        """Return the share of each option by itself; they need not add up."""
        ticked = [TICKED_SHARE] * answers
        return [*ticked[:-1], REFUSAL_SHARE] if refusal else ticked

    def values_beside_others(self, options: int) -> int:
        return 2**options

    def values_alone(self, options: int, *, refusal: bool) -> int:
        """Every option of a set of ticks is a row of its own."""
        return 2

    # --- results --------------------------------------------------------------------------------

    def question_estimates(
        self, question: Question, strata: Sequence[Stratum], population: str
    ) -> list[QuestionEstimate]:
        """An estimate for each option: the share of people who ticked it."""
        options = range(len(question.categories))
        return [
            question_estimate(_estimation_input(question, strata, option), population, (1,))
            for option in options
        ]

    def with_derived(
        self, found: QuestionResults, question: Question, estimates: Sequence[QuestionEstimate]
    ) -> QuestionResults:
        return replace(found, **{**UNKNOWN, "effective_n": _effective_n(estimates)})

    def notes(self, estimates: Sequence[QuestionEstimate], found: QuestionResults) -> set[str]:
        return super().notes(estimates, found) | {"options_apart"}

    # --- simulation -----------------------------------------------------------------------------

    def draw_answers(
        self, question: Question, shares: Sequence[float], n: int, generator: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Independent ticks; a person who prefers not to say ticks that and nothing else."""
        ticks = generator.random((n, len(shares))) < _among_answering(question, shares)
        if question.prefer_not:
            ticks[:, -1] = generator.random(n) < shares[-1]
            ticks[ticks[:, -1], :-1] = False
        return ticks.astype(np.int64)

    def truths(
        self, question: Question, device: Device, answers: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        if device.option is not None:
            return answers[:, device.option]
        options = answers.shape[1] - int(question.prefer_not)
        codes, refusal = answers[:, :options] @ (1 << np.arange(options)), 1 << options
        return np.where(answers[:, -1] > 0, refusal, codes) if question.prefer_not else codes

    def truth_labels(self, question: Question, device: Device, between: str) -> list[str]:
        """Return the names of true answers; a device over all combinations has sets of ticks."""
        if device.option is not None:
            return option_labels()
        options = question.categories[: question.answer_count]
        sets = [
            [label for index, label in enumerate(options) if number >> index & 1]
            for number in range(2 ** len(options))
        ]
        spelled = [between.join(ticked) or gettext("None of these") for ticked in sets]
        return [*spelled, *question.categories[question.answer_count :]]

    def truth_shares(
        self, question: Question, device: Device, shares: Sequence[float]
    ) -> list[float]:
        if device.option is not None:
            ticked = shares[device.option]
            return [1 - ticked, ticked]
        return _subset_shares(question, shares)

    def trials(
        self, question: Question, inputs: Sequence[Input], shares: Sequence[float]
    ) -> list[Trial]:
        designs = [_of_option(question, inputs, option)[0] for option in range(len(shares))]
        return [
            (design, [1 - share, share], [1], None)
            for design, share in zip(designs, shares, strict=True)
        ]


def subsets(options: int, *, refusal: bool) -> int:
    """Number of answers to a multiple choice as a whole: every subset, and the refusal."""
    return 2**options + int(refusal)


def ticking(codes: int, option: int, *, refusal: bool) -> list[list[int]]:
    """Codes without and with an option; the option after the last one is the refusal."""
    last = codes - 1 if refusal else None
    options = (codes - refusal).bit_length() - 1
    with_it = [
        code
        for code in range(codes)
        if (code == last if option == options else code != last and code >> option & 1)
    ]
    return [[code for code in range(codes) if code not in with_it], with_it]


def option_design(
    channel: rr_engine.channels.Channel, option: int, *, refusal: bool
) -> tuple[rr_engine.DesignMatrix, list[list[int]]]:
    """The design of one option, not ticked or ticked, within a device over all combinations.

    With it, the reports that are combined for each of the two.
    """
    reports = ticking(channel.tally_size, option, refusal=refusal)
    truths = ticking(channel.truth_size, option, refusal=refusal)
    design = coarsened(channel, truths, reports if reports != truths else None)
    return with_labels(design, NOT_TICKED_TICKED), reports


def _estimation_input(
    question: Question, strata: Sequence[Stratum], option: int
) -> EstimationInput:
    pairs = [_of_option(question, stratum.inputs, option) for stratum in strata]
    return EstimationInput(
        tuple(design for design, _ in pairs), tuple(counts for _, counts in pairs)
    )


def _of_option(question: Question, inputs: Sequence[Input], option: int) -> ChannelCounts:
    for device_input in inputs:
        if device_input.device.option == option:
            return device_input.design, device_input.counts
    (whole_set,) = inputs
    design, reports = option_design(whole_set.design, option, refusal=question.prefer_not)
    return design, np.array([whole_set.counts[group].sum() for group in reports])


def _effective_n(estimates: Sequence[QuestionEstimate]) -> float | None:
    """The number of direct answers with the same sum of variances over the options."""
    equivalents = [rr_engine.planning.equivalent_n(estimate.unbiased) for estimate in estimates]
    sizes = [size for size in equivalents if size is not None]
    if len(sizes) < len(equivalents):
        return None
    return float(
        np.average(sizes, weights=[estimate.unbiased.covariance[1, 1] for estimate in estimates])
    )


def _among_answering(question: Question, shares: Sequence[float]) -> npt.NDArray[np.float64]:
    """Shares among those who do not refuse, so that the ticks of all have the shares asked for."""
    probabilities = np.asarray(shares, dtype=float)
    answering = 1 - probabilities[-1] if question.prefer_not else 1.0
    return (
        np.minimum(probabilities / answering, 1.0)
        if answering > 0
        else np.zeros(len(probabilities))
    )


def _subset_shares(question: Question, shares: Sequence[float]) -> list[float]:
    """Shares of all combinations of ticks, the refusal last."""
    refusing = shares[-1] if question.prefer_not else 0.0
    combinations = np.ones(1)
    options = len(shares) - int(question.prefer_not)
    for ticked in _among_answering(question, shares)[:options]:
        combinations = np.concatenate([combinations * (1 - ticked), combinations * ticked])
    answering = (combinations * (1 - refusing)).tolist()
    return [*answering, refusing] if question.prefer_not else answering
