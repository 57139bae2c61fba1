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
from msgspec.structs import replace

import rr_engine
from rr_engine.device import RandomBytes
from surveys.kinds.estimation_inputs import Answered
from surveys.kinds.kind import UNKNOWN
from surveys.kinds.text_estimates import bloom_of, rappor_of, text_estimates
from surveys.kinds.unlisted import Unlisted
from surveys.parameters import TEXT, Device, Question
from surveys.results_document.questions import QuestionResults

WHOLE = Decimal(100)


class ShortText(Unlisted):
    name = "short_text"
    label = _("Short text")
    control = TEXT
    free_text = True

    # --- answers --------------------------------------------------------------------------------

    def default_shares(self, answers: int, *, refusal: bool) -> list[Decimal]:
        """Return shares by Zipf's law, the refusal last; they add up to 100."""
        weights = [Decimal(1) / place for place in range(1, answers + 1)]
        shares = [(WHOLE * weight / sum(weights)).quantize(Decimal("0.1")) for weight in weights]
        shares[0] += WHOLE - sum(shares)
        return shares

    # --- results --------------------------------------------------------------------------------

    def estimates(self, found: QuestionResults, answered: Answered) -> QuestionResults:
        """There are no categories: shares are those of the candidates."""
        texts, notes = text_estimates(answered)
        return replace(found, **UNKNOWN, texts=texts, notes=notes)

    # --- simulation -----------------------------------------------------------------------------

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
        tallies = rr_engine.rappor.simulate_string_tallies(
            rappor_of(bloom_of(device)), words, shares, n, generator, refusal=question.prefer_not
        )
        people = tallies[:, :1].sum(axis=2)
        return np.concatenate([people, tallies[:, :, 1]], axis=1).reshape(-1).tolist()


def stand_ins(count: int) -> list[str]:
    """Texts for a simulation whose author has not named any."""
    return [f"text {number}" for number in range(1, count + 1)]
