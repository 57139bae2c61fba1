"""A short text that respondents write, found again by a list of candidates.

Nobody sees the texts themselves: the reports are noisy Bloom filters, and their shares are decoded
by a list that may be written after the answers came in. docs/methods/rappor.md
"""

import os
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext_lazy as _

import rr_engine
from rr_engine.device import RandomBytes
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.estimates import QuestionEstimate
from surveys.kinds.estimation_inputs import Input, Stratum
from surveys.kinds.kind import Kind, Trial
from surveys.kinds.text_estimates import bloom_of, rappor_of, text_estimates
from surveys.parameters import TEXT, Device, Question, Roster

WHOLE = Decimal(100)
# The statistics of categories, of which a text has none.
UNKNOWN = {"effective_n": None, "mean": None, "entropy": None, "agreement": None}


class ShortText(Kind):
    name = "short_text"
    label = _("Short text")
    control = TEXT
    with_options = False
    free_text = True
    always_scrambled = True

    # --- answers --------------------------------------------------------------------------------

    def answer_labels(self, draft: AskedQuestion | Draft) -> list[str]:
        """There is no list of answers; a refusal is one of the texts."""
        return []

    def is_categorical(self, draft: AskedQuestion | Draft) -> bool:
        return False

    def is_complete(self, draft: AskedQuestion | Draft) -> bool:
        """Curves of devices are about shares of answers."""
        return False

    def default_shares(self, answers: int, *, refusal: bool) -> list[Decimal]:
        """By Zipf's law, the refusal last; they add up to 100."""
        weights = [Decimal(1) / place for place in range(1, answers + 1)]
        shares = [(WHOLE * weight / sum(weights)).quantize(Decimal("0.1")) for weight in weights]
        shares[0] += WHOLE - sum(shares)
        return shares

    def values_beside_others(self, options: int) -> int:
        """Nearly every text is another one; it is never sent as it is."""
        return 1

    def values_alone(self, options: int, *, refusal: bool) -> int:
        return 1

    # --- results --------------------------------------------------------------------------------

    def estimates(
        self,
        question: Question,
        strata: Sequence[Stratum],
        population: str,
        candidates: Sequence[str] = (),
        roster: Roster | None = None,
    ) -> dict[str, Any]:
        """There are no categories: shares are those of the candidates."""
        texts, notes = text_estimates(question, strata, population, candidates)
        return {"categories": [], **UNKNOWN, "texts": texts, "notes": notes}

    def question_estimates(
        self, question: Question, strata: Sequence[Stratum], population: str
    ) -> list[QuestionEstimate]:
        return []

    def derived_statistics(
        self, question: Question, estimates: Sequence[QuestionEstimate]
    ) -> dict[str, Any]:
        return UNKNOWN

    # --- simulation -----------------------------------------------------------------------------

    def draw_answers(
        self, question: Question, shares: Sequence[float], n: int, generator: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Places in the list of texts; a refusal is the last."""
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
        rappor = rappor_of(bloom_of(device))
        words = [*(texts or stand_ins(int(answers.max(initial=0)) + 1))]
        refusal = len(words) if question.prefer_not and texts else -1
        reports = []
        for answer in answers.tolist():
            cohort = rappor.draw_cohort(random_bytes)
            word = None if answer == refusal else words[answer]
            reports.append([cohort, rappor.permanent(word, cohort, random_bytes)])
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
        words = texts or stand_ins(len(shares) - question.prefer_not)
        tallies = rr_engine.simulate_string_tallies(
            rappor_of(bloom_of(device)), words, shares, n, generator, refusal=question.prefer_not
        )
        people = tallies[:, :1].sum(axis=2)
        return np.concatenate([people, tallies[:, :, 1]], axis=1).reshape(-1).tolist()

    def truths(
        self, question: Question, device: Device, answers: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        return answers

    def truth_labels(self, question: Question, device: Device, between: str) -> list[str]:
        return []

    def truth_shares(
        self, question: Question, device: Device, shares: Sequence[float]
    ) -> list[float]:
        return list(shares)

    def trial_labels(self, question: Question) -> list[str]:
        return []

    def trials(
        self, question: Question, inputs: Sequence[Input], shares: Sequence[float]
    ) -> list[Trial]:
        """The coverage of the intervals is measured in docs/methods/rappor.md."""
        return []


def stand_ins(count: int) -> list[str]:
    """Texts for a simulation whose author has not named any."""
    return [f"text {number}" for number in range(1, count + 1)]
