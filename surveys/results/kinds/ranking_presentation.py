"""A ranking as texts: the mean rank of each item, shares of ranks, of pairs and of whole orders."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.kinds.ranking import true_mean_ranks
from surveys.numbers.shares import WithInterval
from surveys.results.kinds.network_presentation import CellView
from surveys.results.kinds.number_presentation import NumberRow
from surveys.results.shown_shares import ShownShare
from surveys.results_document.kinds import MeanRank, OrderShare, RankingResults
from surveys.results_document.parts import Share
from surveys.results_document.questions import QuestionResults


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item: its shares of the ranks, or of those who put it before each of the items."""

    label: str
    cells: Sequence[CellView | None]


@dataclass(frozen=True, slots=True)
class RankingView:
    """`pairs`: nothing stands where an item meets itself."""

    means: list[NumberRow]
    has_truth: bool
    ranks: list[str]
    shares: list[ItemRow]
    labels: list[str]
    pairs: list[ItemRow]
    orders: list[ShownShare[OrderShare]]
    refusal: ShownShare[Share] | None


def ranking_view(
    question: QuestionResults, truth: Sequence[float] | None = None
) -> RankingView | None:
    """The ranks of the items; None for a question that is no ranking, or not released.

    `truth`: of simulated respondents the true shares of the item that is first.
    """
    ranking = question.ranking
    if not ranking:
        return None
    labels = [row.label for row in ranking.means]
    items, true = len(labels), true_means(ranking, truth)
    digits = numbers.common_digits([*ranking.shares])
    shares = [_cell(row, digits) for row in ranking.shares]
    return RankingView(
        means=[_mean(row, items, each) for row, each in zip(ranking.means, true, strict=True)],
        has_truth=truth is not None,
        ranks=[rank_label(rank) for rank in range(1, items + 1)],
        shares=[
            ItemRow(label, shares[item * items : (item + 1) * items])
            for item, label in enumerate(labels)
        ],
        labels=labels,
        pairs=_pairs(ranking, labels),
        orders=[
            ShownShare(order_label(row, labels), row, numbers.common_digits([*ranking.orders]))
            for row in ranking.orders
        ],
        refusal=_refusal(ranking.refusal, question),
    )


def rank_label(rank: int) -> str:
    return _("Rank %(rank)s") % {"rank": numbers.count(rank)}


def order_label(row: OrderShare, labels: Sequence[str]) -> str:
    return " › ".join(labels[item] for item in row.order)


def true_means(ranking: RankingResults, truth: Sequence[float] | None) -> Sequence[float | None]:
    """The mean ranks of simulated respondents; None of each where there are none."""
    items = len(ranking.means)
    return [None] * items if truth is None else true_mean_ranks(truth[:items])


def rank_tells_nothing(row: WithInterval, items: int) -> bool:
    """Whether any mean rank there can be fits the data."""
    low, high = row.interval
    return low is None or high is None or high - low >= items - 1


def _mean(row: MeanRank, items: int, truth: float | None) -> NumberRow:
    nothing, digits = rank_tells_nothing(row, items), numbers.digits_of_error(row.standard_error)
    value = None if nothing else row.estimate
    return NumberRow(
        label=row.label,
        estimate=numbers.fixed_decimals(value, digits),
        outside=value is not None and not 1 <= value <= items,
        interval=_("Too few answers to say anything")
        if nothing
        else numbers.span(row.interval, digits),
        standard_error=numbers.fixed_decimals(None if nothing else row.standard_error, digits),
        truth=None if truth is None else numbers.fixed_decimals(truth, 2),
    )


def _cell(share: numbers.Estimated, digits: int) -> CellView:
    estimate, interval = numbers.share_texts(share, digits)
    outside = share.estimate is not None and not 0 <= share.estimate <= 1
    return CellView(estimate, outside and not numbers.tells_nothing(share), interval)


def _pairs(ranking: RankingResults, labels: Sequence[str]) -> list[ItemRow]:
    """A row for each item that is the first of a pair; a pair is shown once."""
    digits = numbers.common_digits([*ranking.pairs])
    found = {(pair.first, pair.second): pair for pair in ranking.pairs}
    return [
        ItemRow(
            label,
            [
                _cell(found[item, other], digits) if (item, other) in found else None
                for other in range(1, len(labels))
            ],
        )
        for item, label in enumerate(labels[:-1])
    ]


def _refusal(share: Share | None, question: QuestionResults) -> ShownShare[Share] | None:
    if share is None:
        return None
    return ShownShare(question.labels[-1], share, numbers.common_digits([share]))
