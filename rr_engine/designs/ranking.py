"""Devices for rankings: an order goes in, an order comes out, the likelier the nearer it is.

An order is a tuple of items, the first one first; orders are numbered as they are sorted. The
distance of two is Kendall's: the pairs of items that they put the other way round. A report is the
true order ``x`` with its places exchanged, ``y[r] = x[t[r]]``, where ``t`` is drawn by its number
of inversions, which is the distance. docs/methods/rankings.md
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import factorial, floor
from typing import NamedTuple

import numpy as np

from rr_engine import check
from rr_engine.arrays import Epsilon, FloatArray, IntArray
from rr_engine.design import DesignMatrix
from rr_engine.designs.orders import (
    MOST_ITEMS,
    distance_counts,
    distances_of_orders,
    pair_counts,
    rank_counts,
    rank_pairs,
)
from rr_engine.errors import ArgumentError, DesignError
from rr_engine.privacy.loss import exponential_bounds
from rr_engine.quantizing import TOO_FEW

# A radius for which the ranks of two items are magnified by more is not identified: rounding to
# integers alone makes such tables regular. All others stay below 1e4.
WORST_CONDITION = 1e5


class RankingVariances(NamedTuple):
    """Of one order: of the mean rank of an item, of the share of a rank, and of that of a pair."""

    mean_rank: float
    rank_share: float
    pair_share: float


@dataclass(frozen=True)
class RankingDevice:
    """A device over the orders of some items, and perhaps a refusal after all of them.

    Parameters
    ----------
    items : int
        From 2 to 6.
    weights : tuple of int
        ``weights[d] / denominator`` is the chance of each report at distance d from the true order.
    denominator : int
    refusal : tuple of int, optional
        Of a device with a refusal the chances, over the denominator, with which an order is
        reported as a refusal, a refusal as itself, and a refusal as each of the orders.

    Raises
    ------
    ArgumentError
        For chances that do not sum to the denominator.

    Examples
    --------
    >>> from rr_engine.designs import near_orders
    >>> device = near_orders(3, "1", radius=0)
    >>> device.design.matrix.shape, device.rank_design.matrix.round(3)[0].tolist()
    ((6, 6), [0.482, 0.259, 0.259])
    """

    items: int
    weights: tuple[int, ...]
    denominator: int
    refusal: tuple[int, int, int] | None = None

    def __post_init__(self) -> None:
        items = _items(self.items)
        total = check.whole(self.denominator, "denominator", minimum=1, maximum=2**check.MAX_BITS)
        counts = distance_counts(items)
        weights = _entries(self.weights, "weights", len(counts), total)
        refusal = None if self.refusal is None else _entries(self.refusal, "refusal", 3, total)
        reported, kept, each = refusal or (0, total, 0)
        of_orders = reported + sum(map(int.__mul__, weights, counts))
        if (of_orders, kept + each * factorial(items)) != (total, total):
            rule = "sum to the denominator over all reports"
            raise ArgumentError("weights", self.weights, rule, "columns_do_not_sum")
        for name, value in (("weights", weights), ("refusal", refusal), ("denominator", total)):
            object.__setattr__(self, name, value)

    @cached_property
    def design(self) -> DesignMatrix:
        """The table over all orders: of six items 720 by 720 integers."""
        distances = distances_of_orders(self.items)
        return self._table(np.array(self.weights, dtype=np.int64)[distances], 1)

    @cached_property
    def rank_design(self) -> DesignMatrix:
        """The device of the rank of any one item: how its reported rank depends on the true one."""
        counts = rank_counts(self.items)
        table = np.tensordot(np.array(self.weights, dtype=np.int64), counts, axes=1)
        return self._table(table, factorial(self.items - 1))

    @cached_property
    def pair_design(self) -> DesignMatrix:
        """The device of the ranks of any two items, in the order of :func:`rank_pairs`."""
        counts = pair_counts(self.items)
        table = np.tensordot(np.array(self.weights, dtype=np.int64), counts, axes=1)
        return self._table(table, factorial(self.items - 2))

    @property
    def identifies_ranks(self) -> bool:
        """Whether the ranks of any one or two items can be estimated."""
        return max(self.rank_design.condition_number, self.pair_design.condition_number) < (
            WORST_CONDITION
        )

    @property
    def variances(self) -> RankingVariances:
        """The variances of what is read of a ranking, of one order, where all are equally frequent.

        Nobody refuses, and the variance of the true orders is included.
        """
        size = self.items
        ranks, shares = np.arange(1.0, size + 1)[None], np.eye(size)
        first = np.array([[rank < other for rank, other in rank_pairs(size)]], dtype=float)
        return RankingVariances(
            self._variance(self.rank_design, ranks),
            self._variance(self.rank_design, shares),
            self._variance(self.pair_design, first),
        )

    @property
    def typical_error(self) -> float:
        """The geometric mean of the three standard errors: no unit of them is better than another.

        Infinite where the ranks of one or two items are not identified.
        """
        return float(np.prod(self.variances)) ** (1 / 6) if self.identifies_ranks else float("inf")

    def _variance(self, design: DesignMatrix, contrasts: FloatArray) -> float:
        """Return the mean variance of contrasts of the cells before a refusal."""
        refusal = int(self.refusal is not None)
        cells = design.truth_size - refusal
        shares = np.r_[np.full(cells, 1 / cells), np.zeros(refusal)]
        whole = np.c_[contrasts, np.zeros((len(contrasts), refusal))]
        squares = design.scores(whole) ** 2
        return float(np.mean(squares @ design.apply(shares) - (whole @ shares) ** 2))

    def _table(self, orders: IntArray, each: int) -> DesignMatrix:
        """Return the design with these entries of orders; `each`: orders that a cell stands for."""
        if self.refusal is None:
            return DesignMatrix.from_integers(orders, self.denominator)
        reported, kept, spread = self.refusal
        size = len(orders)
        table = np.full((size + 1, size + 1), reported, dtype=np.int64)
        table[:size, :size] = orders
        table[:size, size] = spread * each
        table[size, size] = kept
        return DesignMatrix.from_integers(table, self.denominator)


def near_orders(
    items: int,
    epsilon: Epsilon,
    *,
    radius: int | None = None,
    refusal: bool = False,
    bits: int = 32,
) -> RankingDevice:
    """Return the device in which all orders within a distance of the true one are likelier.

    Parameters
    ----------
    items : int
        From 2 to 6; without a radius from 3.
    epsilon : Decimal, str or float
    radius : int, optional
        The distance up to which a report is likelier, by the factor e to the epsilon. 0 is k-ary
        randomized response over all orders (Wang 2016, Eq. 19). Without one: that from 1 on with
        the smallest :attr:`RankingDevice.typical_error`.
    refusal : bool
        Whether a refusal is one more answer.
    bits : int, default 32
        The denominator is 2**bits.

    Raises
    ------
    ArgumentError, EpsilonError
    DesignError
        When `bits` are too few.

    Notes
    -----
    Its loss is at most epsilon in exact arithmetic.

    References
    ----------
    Ours: docs/methods/rankings.md.

    Examples
    --------
    >>> device = near_orders(3, "1", radius=0)
    >>> device.design.epsilon_at_most("1"), len(device.weights)
    (True, 4)
    """
    check.switch(refusal, "refusal")
    furthest = len(distance_counts(_items(items, 2 if radius is not None else 3))) - 1
    if radius is None:
        devices = [
            near_orders(items, epsilon, radius=each, refusal=refusal, bits=bits)
            for each in range(1, furthest)
        ]
        return min(devices, key=lambda device: device.typical_error)
    near = check.whole(radius, "radius", minimum=0, maximum=furthest - 1)
    return _of_weights(items, epsilon, lambda ratio, d: ratio if d <= near else 1, refusal, bits)


def mallows(
    items: int, epsilon: Epsilon, *, refusal: bool = False, bits: int = 32
) -> RankingDevice:
    """Return the device whose chances fall by one factor with each unit of the distance.

    The factor is that with which the furthest order, that of all pairs the other way round, is less
    likely than the true one by e to the epsilon.

    Parameters
    ----------
    items : int
        From 2 to 6.
    epsilon : Decimal, str or float
    refusal : bool
    bits : int, default 32

    Raises
    ------
    ArgumentError, EpsilonError, DesignError

    References
    ----------
    .. [1] C. L. Mallows, "Non-null ranking models. I", Biometrika 44, 1957.

    Examples
    --------
    >>> [round(weight / 2**32, 3) for weight in mallows(3, "1").weights]
    [0.261, 0.187, 0.134, 0.096]
    """
    furthest = len(distance_counts(_items(items))) - 1

    def relative(ratio: Fraction, distance: int) -> Fraction:
        # Rounded down to a fraction, which the weights are once more.
        return Fraction(float(ratio) ** ((furthest - distance) / furthest))

    return _of_weights(items, epsilon, relative, refusal, bits)


def _items(items: object, least: int = 2) -> int:
    return check.whole(items, "items", minimum=least, maximum=MOST_ITEMS)


def _entries(values: object, name: str, size: int, total: int) -> tuple[int, ...]:
    rule = f"be {size} whole numbers from 0 to the denominator"
    entries = check.entries(values, name, size, rule, "not_distance_weights")
    return tuple(check.whole(entry, name, minimum=0, maximum=total) for entry in entries)


def _of_weights(
    items: int,
    epsilon: Epsilon,
    relative: Callable[[Fraction, int], Fraction | int],
    refusal: bool,
    bits: int,
) -> RankingDevice:
    """Return the integers nearest to weights relative to that of the furthest order.

    The larger the weight of the furthest order, the less a report reveals, so that the smallest, or
    with a refusal the largest, within the guarantee is found by halving.
    """
    width = check.whole(bits, "bits", minimum=1, maximum=check.MAX_BITS)
    with_refusals = check.switch(refusal, "refusal")
    total, numbers = 2**width, distance_counts(items)
    ratio = Fraction(exponential_bounds(check.epsilon(epsilon))[0])
    factors = [min(Fraction(relative(ratio, d)), ratio) for d in range(len(numbers))]
    among = factorial(items)

    def with_refusal(least: int) -> RankingDevice | None:
        weights = [floor(least * factor) for factor in factors]
        reported = total - sum(map(int.__mul__, weights, numbers))
        each = -floor(-weights[0] / ratio)
        kept = total - among * each
        if not 0 < reported <= kept <= ratio * reported or each > ratio * least:
            return None
        return RankingDevice(items, tuple(weights), total, (reported, kept, each))

    def without(least: int) -> RankingDevice | None:
        weights = [floor(least * factor) for factor in factors]
        weights[0] = total - sum(map(int.__mul__, weights[1:], numbers[1:]))
        if not least <= weights[0] <= ratio * least:
            return None
        return RankingDevice(items, tuple(weights), total)

    # The weight of the furthest order of a device without a refusal; with one it is smaller.
    whole = total / sum(map(Fraction.__mul__, factors, map(Fraction, numbers)))
    if not with_refusals:
        # Rounding takes at most one unit for each order from the true order's own.
        nearest = floor(whole)
        device = next(filter(None, map(without, range(nearest, nearest + among + 2))), None)
    else:
        low, high = 1, floor(whole) + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if with_refusal(middle) else (low, middle)
        device = with_refusal(low)
    if device is None or device.weights[-1] == 0:
        raise DesignError("bits", bits, TOO_FEW, "too_few_bits")
    return device
