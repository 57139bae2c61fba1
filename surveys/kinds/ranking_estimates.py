"""Mean ranks, and the shares of ranks, of pairs and of whole orders. docs/methods/rankings.md

The reported rank of an item depends on its true rank alone, and so do the ranks of two items: each
is estimated by a device of its own, whose counts are sums of those of the orders.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

import rr_engine
from rr_engine.designs.orders import all_orders, rank_pairs, ranks_of_orders
from rr_engine.designs.ranking import RankingDevice
from surveys.kinds.estimates import (
    LEVELS,
    QuestionEstimate,
    ends,
    has_few_expected,
    mean_of_scores,
    question_estimate,
    rows_of,
)
from surveys.kinds.estimation_inputs import Answered, EstimationInput, Stratum
from surveys.parameters import Device, Ranking
from surveys.parameters.exact import ranking_device
from surveys.results_document.kinds import (
    MeanRank,
    OrderShare,
    PairShare,
    RankingResults,
    RankShare,
)
from surveys.results_document.parts import Derived, Interval, Notes, Share
from surveys.results_document.questions import Category

# Of more items there are too many orders to learn of each.
MOST_WITH_ORDERS = 4
NOWHERE: Interval = (None, None)

Designs = Callable[[RankingDevice], rr_engine.DesignMatrix]


def rank_design(device: Device) -> rr_engine.DesignMatrix:
    """The device of the rank of any one item."""
    return device_of(device).rank_design


def device_of(device: Device) -> RankingDevice:
    """The engine's device; TypeError for one that takes no orders."""
    if not isinstance(device.table, Ranking):
        raise TypeError(f"the reports of a {type(device.table).__name__} are no orders")
    return ranking_device(device.table)


def ranking_estimates(answered: Answered) -> tuple[RankingResults, Notes]:
    """The results of a ranking, and the codes of notes."""
    question, strata, population = answered.question, answered.strata, answered.population
    items, refusal = question.answer_count, int(question.prefer_not)
    labels, ranks = question.categories[:items], ranks_of_orders(items)

    def estimated(cells: npt.NDArray[np.int64], designs: Designs) -> QuestionEstimate:
        groups = np.array([*cells, *[cells.max() + 1] * refusal])
        material = _material(strata, groups, designs)
        return question_estimate(material, population, tuple(range(groups.max() + 1)))

    by_item = [
        estimated(ranks[:, item], lambda device: device.rank_design) for item in range(items)
    ]
    numbers = {pair: number for number, pair in enumerate(rank_pairs(items))}
    pairs = []
    for first, second in combinations(range(items), 2):
        cells = np.array([numbers[a, b] for a, b in ranks[:, [first, second]].tolist()])
        pairs.append((first, second, estimated(cells, lambda device: device.pair_design)))
    whole = []
    if items <= MOST_WITH_ORDERS:
        whole = [estimated(np.arange(len(ranks)), lambda device: device.design)]
    rows = [rows_of(estimate, _names(estimate)) for estimate in by_item]
    found = RankingResults(
        means=tuple(
            _mean(label, estimate, items) for label, estimate in zip(labels, by_item, strict=True)
        ),
        shares=tuple(
            RankShare(item=item, rank=rank + 1, **_share(row))
            for item, cells in enumerate(rows)
            for rank, row in enumerate(cells[:items])
        ),
        pairs=tuple(_pair(*pair, items) for pair in pairs),
        orders=tuple(
            OrderShare(order=order, **_share(row))
            for estimate in whole
            for order, row in zip(
                all_orders(items), rows_of(estimate, _names(estimate)), strict=False
            )
        ),
        refusal=_refusal(rows[0][items]) if refusal else None,
    )
    estimates = [*by_item, *whole]
    codes = {code for estimate in estimates for code in estimate.notes} - {"outside_range"}
    codes |= {"rare_reports"} if any(map(has_few_expected, estimates)) else set()
    codes |= {"ranking_outside"} if _is_outside(found) else set()
    return found, tuple(sorted(codes))


def _is_outside(found: RankingResults) -> bool:
    """Whether an estimate lies beyond what can be."""
    rows: list[RankShare | PairShare | OrderShare]
    rows = [*found.shares, *found.pairs, *found.orders]
    shares = [row.estimate for row in rows]
    shares += [found.refusal.estimate] if found.refusal else []
    means = [row.estimate for row in found.means]
    return _leaves(shares, 0, 1) or _leaves(means, 1, len(means))


def _leaves(estimates: Sequence[float | None], low: float, high: float) -> bool:
    return any(each is not None and not low <= each <= high for each in estimates)


def _material(
    strata: Sequence[Stratum], groups: npt.NDArray[np.int64], designs: Designs
) -> EstimationInput:
    """The devices of these groups of orders in all strata, with the sums of their counts."""
    inputs = [stratum.inputs[0] for stratum in strata]
    return EstimationInput(
        designs=tuple(designs(device_of(each.device)) for each in inputs),
        counts=tuple(
            np.bincount(groups, each.counts, minlength=int(groups.max()) + 1).astype(np.int64)
            for each in inputs
        ),
    )


def _names(estimate: QuestionEstimate) -> list[str]:
    return [str(index) for index in estimate.categories]


def _share(row: Category) -> dict[str, Any]:
    names = ("estimate", "maximum_likelihood", "standard_error", "interval", "interval_50")
    return {name: getattr(row, name) for name in names}


def _refusal(row: Category) -> Share:
    return Share(estimate=row.estimate, standard_error=row.standard_error, interval=row.interval)


def _mean(label: str, estimate: QuestionEstimate, items: int) -> MeanRank:
    told, interval_50 = _of_those_who_rank(estimate.unbiased, np.arange(1.0, items + 1))
    return MeanRank(
        label=label,
        estimate=told.value,
        standard_error=told.standard_error,
        interval=told.interval,
        interval_50=interval_50,
        notes=told.notes,
    )


def _pair(first: int, second: int, estimate: QuestionEstimate, items: int) -> PairShare:
    scores = np.array([rank < other for rank, other in rank_pairs(items)], dtype=float)
    told, _interval_50 = _of_those_who_rank(estimate.unbiased, scores)
    return PairShare(
        first=first,
        second=second,
        estimate=told.value,
        standard_error=told.standard_error,
        interval=told.interval,
        notes=told.notes,
    )


def _of_those_who_rank(
    estimate: rr_engine.Estimate, scores: npt.NDArray[np.float64]
) -> tuple[Derived, Interval]:
    """The mean of the scores of those who do not refuse, and its 50 % interval."""
    mean = rr_engine.association.mean_of_answered(estimate, scores)
    told = mean_of_scores(mean, estimate, scores)
    if "nobody_answered" in told.notes:
        return replace(told, value=None), NOWHERE
    known = told.interval == ends(mean.interval(LEVELS[0]))
    return told, ends(mean.interval(LEVELS[1])) if known else NOWHERE
