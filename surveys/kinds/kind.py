"""The base class of kinds of questions: their answers, estimates and simulation.

The rest of the app asks these objects and compares no kind's name. docs/extending.md says how
another one is added.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from msgspec.structs import replace

import rr_engine
from rr_engine.device import RandomBytes
from surveys.drafts import AskedQuestion, Draft, is_for_some
from surveys.kinds.estimates import QuestionEstimate, has_few_expected, rows_of
from surveys.kinds.estimation_inputs import Answered, Input, Stratum
from surveys.parameters import Device, Question
from surveys.parameters.document import Control
from surveys.parameters.exact import channel_of, drawing_channel
from surveys.results_document.questions import QuestionResults

MAX_OPTIONS = 50
# The guessed share, in percent, of people who prefer not to say.
REFUSAL_SHARE = Decimal(5)

# The statistics of categories, of a kind that has none.
UNKNOWN = {"effective_n": None, "mean": None, "entropy": None, "agreement": None}
# Channel, true shares, focal categories, and the weighting prior of a searched device.
Trial = tuple[rr_engine.channels.Channel, list[float], list[int], tuple[float, ...] | None]


def option_labels() -> list[str]:
    """The two truths of a device for one option, in the language now active."""
    return [_("not ticked"), _("ticked")]


class Kind(ABC):
    """`control`: how a page takes the answer. `several`: any number of the categories may be true
    at once. `ordered`: they are a scale. `opposites`: they are a No and a Yes, in this order.
    `with_options`: its author writes the answers. `numeric`: the answer is a number on a scale.
    `free_text`: it is a text, of which no list is given.
    `always_scrambled`: it is never asked directly. `about_members`: its answers are the others of
    the members of the survey. `refusable`: “prefer not to say” can be one of its answers.
    """

    name: str
    label: Promise
    control: Control
    several = False
    ordered = False
    opposites = False
    numeric = False
    free_text = False
    always_scrambled = False
    about_members = False
    refusable = True
    with_options = True

    @property
    def has_margin(self) -> bool:
        """Whether shares of its answers, or a mean, are estimated, so that they have a margin."""
        return not (self.free_text or self.about_members)

    # --- answers --------------------------------------------------------------------------------

    def answer_labels(self, draft: AskedQuestion | Draft) -> list[str]:
        """The labels of the answers without a refusal, in the language now active.

        Of whatever an author has written so far: what is wrong with that, `options_problem` says.
        """
        return list(draft.options)

    def categories(self, draft: AskedQuestion | Draft) -> list[str]:
        """The labels of the answers; the last may be “does not apply” and a refusal.

        Both are categories of the device like the others: they are scrambled with them, so that
        nobody learns whom the question was not for, and who preferred not to say.
        """
        labels = self.answer_labels(draft)
        if is_for_some(draft):
            labels = [*labels, _("Does not apply")]
        return [*labels, _("Prefer not to say")] if draft.prefer_not else labels

    def options_problem(self, options: Sequence[str]) -> str:
        """Return what is wrong with the options as the author wrote them; empty where nothing is.

        A kind that computes its answers from them says here what it cannot compute with.
        """
        count = len(options)
        if not self.with_options or 2 <= count <= MAX_OPTIONS:
            return ""
        message = _("A choice has 2 to %(most)s options, one per line; this list has %(count)s.")
        return message % {"most": MAX_OPTIONS, "count": count}

    def is_categorical(self, draft: AskedQuestion | Draft) -> bool:
        """Whether its answers are categories; only then do devices over categories fit."""
        return True

    def is_complete(self, draft: AskedQuestion | Draft) -> bool:
        """Whether there is enough of it to compute with."""
        return not self.with_options or len(draft.options) >= 2

    def focal_category(self, answers: int) -> int:
        """The answer whose precision is stated: Yes, the second of two; otherwise the first."""
        return 1 if self.opposites or answers == 2 else 0

    def parts(self, answers: int) -> list[int | None]:
        """The devices of a direct question: the categories that they are about, None for all."""
        return [None]

    @abstractmethod
    def default_shares(self, answers: int, *, refusal: bool) -> list[Decimal]:
        """The shares with which a guess begins, in percent."""

    # --- disclosure risk of direct answers ------------------------------------------------------

    @abstractmethod
    def values_beside_others(self, options: int) -> int:
        """The number of values that an answer can have in a person's row, without a refusal."""

    @abstractmethod
    def values_alone(self, options: int, *, refusal: bool) -> int:
        """Return the number of values of a report that is stored as a row of its own."""

    # --- results --------------------------------------------------------------------------------

    def estimates(self, found: QuestionResults, answered: Answered) -> QuestionResults:
        """Return the results of a question with the estimates; `found` has its facts only."""
        question = answered.question
        estimates = self.question_estimates(question, answered.strata, answered.population)
        labels = iter(question.categories)
        rows = [
            row
            for estimate in estimates
            for row in rows_of(estimate, [next(labels) for _category in estimate.categories])
        ]
        found = self.with_derived(found, question, estimates)
        notes = tuple(sorted(self.notes(estimates, found)))
        return replace(found, categories=tuple(rows), notes=notes)

    @abstractmethod
    def question_estimates(
        self, question: Question, strata: Sequence[Stratum], population: str
    ) -> list[QuestionEstimate]:
        """The estimates whose focal categories, in this order, are the question's."""

    @abstractmethod
    def with_derived(
        self, found: QuestionResults, question: Question, estimates: Sequence[QuestionEstimate]
    ) -> QuestionResults:
        """Add effective n, mean, entropy and agreement of the devices; None where undefined."""

    def notes(self, estimates: Sequence[QuestionEstimate], found: QuestionResults) -> set[str]:
        codes = {code for estimate in estimates for code in estimate.notes}
        return codes | ({"rare_reports"} if any(map(has_few_expected, estimates)) else set())

    # --- simulation -----------------------------------------------------------------------------

    def draw_answers(
        self, question: Question, shares: Sequence[float], n: int, generator: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Draw the true answers of `n` people, one row a person; here places in a list."""
        chances = np.asarray(shares, dtype=float)
        return generator.choice(len(chances), size=n, p=chances / chances.sum())

    def draw_reports(
        self,
        question: Question,
        device: Device,
        answers: npt.NDArray[np.int64],
        texts: Sequence[str] = (),
        random_bytes: RandomBytes = os.urandom,
    ) -> list[Any]:
        """The reports of one device on these answers; `texts`: what the answers number, if any."""
        truths = self.truths(question, device, answers)
        channel = drawing_channel(device, question)
        reports = rr_engine.randomize(channel, truths, random_bytes).tolist()
        if isinstance(channel, rr_engine.channels.BitChannel):
            return ["".join(map(str, bits)) for bits in reports]
        return reports

    def simulated_counts(
        self,
        question: Question,
        device: Device,
        shares: Sequence[float],
        n: int,
        generator: np.random.Generator,
        texts: Sequence[str] = (),
    ) -> list[int]:
        """The counts of one device in a survey of `n` people, in the order of its channel."""
        truths = self.truth_shares(question, device, shares)
        counts = rr_engine.simulate_counts(channel_of(device, question), truths, n, generator)
        return [int(count) for count in counts]

    def truths(
        self, question: Question, device: Device, answers: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """The true values that one device is given for these answers: the answers themselves."""
        return answers

    @abstractmethod
    def truth_labels(self, question: Question, device: Device, between: str) -> list[str]:
        """The true values that the columns of a device's table stand for, in their order.

        `between` separates answers that are true together.
        """

    def truth_shares(
        self, question: Question, device: Device, shares: Sequence[float]
    ) -> list[float]:
        """Shares of the answers as shares of the truths that one device takes."""
        return list(shares)

    def trial_labels(self, question: Question) -> list[str]:
        """Return the names of what is estimated in `trials`, in its order."""
        return list(question.categories)

    @abstractmethod
    def trials(
        self, question: Question, inputs: Sequence[Input], shares: Sequence[float]
    ) -> list[Trial]:
        """Designs and true shares, to be estimated as the results will be."""
