"""A ranking: all items of a list in an order. docs/methods/rankings.md

The truths of its devices are the orders by their numbers, and after them the refusal. Shares that
are guessed are those of the item that is put first: the others follow as if each were the first of
what is left (Luce 1959, Plackett 1975).
"""

import math
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from rr_engine.designs.orders import all_orders, ranks_of_orders
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.estimates import QuestionEstimate
from surveys.kinds.estimation_inputs import Answered, Input, Stratum
from surveys.kinds.kind import REFUSAL_SHARE, UNKNOWN, Kind, Trial
from surveys.kinds.ranking_estimates import rank_design, ranking_estimates
from surveys.parameters import RANKING, Device, Question
from surveys.parameters.tables import LEAST_RANKED, MOST_RANKED
from surveys.results_document.questions import QuestionResults

WHOLE = Decimal(100)


class Ranking(Kind):
    """Nobody is asked it directly: nearly every order is another."""

    name = "ranked_items"
    label = _("Ranking: three to six items in an order")
    control = RANKING
    always_scrambled = True

    # --- answers --------------------------------------------------------------------------------

    def options_problem(self, options: Sequence[str]) -> str:
        if LEAST_RANKED <= len(options) <= MOST_RANKED:
            return ""
        message = gettext(
            "A ranking has %(least)s to %(most)s items, one per line; this list has %(count)s."
        )
        return message % {"least": LEAST_RANKED, "most": MOST_RANKED, "count": len(options)}

    def is_categorical(self, draft: AskedQuestion | Draft) -> bool:
        return False

    def is_complete(self, draft: AskedQuestion | Draft) -> bool:
        """Curves of devices are about shares of answers."""
        return False

    def default_shares(self, answers: int, *, refusal: bool) -> list[Decimal]:
        """The shares of the item that is first, all alike, and of people who prefer not to say."""
        items = answers - refusal
        refused = [REFUSAL_SHARE] * refusal
        remainder = WHOLE - sum(refused)
        each = (remainder / items).quantize(Decimal("0.1"))
        return [remainder - each * (items - 1), *[each] * (items - 1), *refused]

    def values_beside_others(self, options: int) -> int:
        return math.factorial(options)

    def values_alone(self, options: int, *, refusal: bool) -> int:
        return math.factorial(options) + refusal

    # --- results --------------------------------------------------------------------------------

    def estimates(self, found: QuestionResults, answered: Answered) -> QuestionResults:
        """There are no categories: ranks, pairs and orders have shares of their own."""
        ranking, notes = ranking_estimates(answered)
        return replace(found, **UNKNOWN, ranking=ranking, notes=notes)

    def question_estimates(
        self, question: Question, strata: Sequence[Stratum], population: str
    ) -> list[QuestionEstimate]:
        return []

    def with_derived(
        self, found: QuestionResults, question: Question, estimates: Sequence[QuestionEstimate]
    ) -> QuestionResults:
        return replace(found, **UNKNOWN)

    # --- simulation -----------------------------------------------------------------------------

    def draw_answers(
        self, question: Question, shares: Sequence[float], n: int, generator: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Draw the numbers of orders."""
        chances = np.array(self._order_shares(question, shares))
        return generator.choice(len(chances), size=n, p=chances / chances.sum())

    def truth_shares(
        self, question: Question, device: Device, shares: Sequence[float]
    ) -> list[float]:
        return self._order_shares(question, shares)

    def truth_labels(self, question: Question, device: Device, between: str) -> list[str]:
        items = question.categories[: question.answer_count]
        orders = [between.join(items[item] for item in order) for order in all_orders(len(items))]
        return [*orders, *question.categories[question.answer_count :]]

    def trial_labels(self, question: Question) -> list[str]:
        """What is estimated in `trials`: how often each item is first."""
        return list(question.categories[: question.answer_count])

    def trials(
        self, question: Question, inputs: Sequence[Input], shares: Sequence[float]
    ) -> list[Trial]:
        items, refusal = question.answer_count, int(question.prefer_not)
        orders = np.array(self._order_shares(question, shares))
        ranks = ranks_of_orders(items)
        (device_input,) = inputs
        design = rank_design(device_input.device)
        return [
            (
                design,
                np.bincount([*ranks[:, item], *[items] * refusal], orders).tolist(),
                [0],
                None,
            )
            for item in range(items)
        ]

    def _order_shares(self, question: Question, shares: Sequence[float]) -> list[float]:
        items = question.answer_count
        refusing = shares[items:]
        orders = _luce(shares[:items])
        return [*(share * (1 - sum(refusing)) for share in orders), *refusing]


def true_mean_ranks(firsts: Sequence[float]) -> list[float]:
    """The mean rank of each item among people who put it first with these shares."""
    orders = np.array(_luce(firsts))
    return (orders @ (ranks_of_orders(len(firsts)) + 1)).tolist()


def _luce(firsts: Sequence[float]) -> list[float]:
    """The shares of all orders in which each item is the first of what is left by its weight."""
    total = sum(firsts)
    weights = [first / total for first in firsts] if total > 0 else [1.0] * len(firsts)
    found = []
    for order in all_orders(len(firsts)):
        share = 1.0
        for place in range(len(order)):
            left = [weights[item] for item in order[place:]]
            # Of items that nobody puts first all are equally likely.
            share *= left[0] / sum(left) if sum(left) > 0 else 1 / len(left)
        found.append(share)
    return found
