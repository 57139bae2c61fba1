"""Several devices used independently by one person: truths and reports are tuples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import prod
from operator import itemgetter
from typing import Protocol, runtime_checkable

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.channels.counting import CountingChannel, product_of
from rr_engine.channels.protocol import Channel, ReportedShare, SingleShares, Weights
from rr_engine.channels.tallies import check_axes
from rr_engine.codes import check_truths
from rr_engine.device import RandomBytes
from rr_engine.errors import ArgumentError
from rr_engine.kronecker import act_along, outer

# For each factor the margin of its own reports, from the reported shares.
Margins = Sequence[FloatArray | None]
TOGETHER = "keep the parts that one device covers together"


@runtime_checkable
class Divisible(Protocol):
    """A channel over tuples of which some parts are a channel of their own."""

    def margin(self, axes: Sequence[int]) -> Channel:
        """Return the channel of some of the parts, in this order."""


@dataclass(frozen=True, slots=True)
class ProductChannel(CountingChannel):
    """Independent devices for the parts of a tuple: the Kronecker product, never formed.

    Parameters
    ----------
    factors : sequence of Channel
        One for each part; reports of each are counted one by one.

    Raises
    ------
    ArgumentError

    Notes
    -----
    docs/methods/channels.md and joint.md. Each factor works on its own axis. Where a factor has
    more reports than truths, reports are weighed by the margins of the weights, which keeps the
    inverse a Kronecker product.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 22 and 23.

    Examples
    --------
    >>> from rr_engine import warner
    >>> channel = ProductChannel([warner(0.75), warner(0.75)])
    >>> channel.truth_shape, channel.apply(np.array([1.0, 0, 0, 0])).tolist()
    ((2, 2), [0.5625, 0.1875, 0.1875, 0.0625])
    """

    factors: tuple[Channel, ...]

    def __post_init__(self) -> None:
        rule = "be a list of one or more channels whose reports are counted one by one"
        factors = check.instances(self.factors, "factors", CountingChannel, rule, "not_channels")
        object.__setattr__(self, "factors", factors)

    @property
    def truth_shape(self) -> tuple[int, ...]:
        """Number of truths of every part."""
        return tuple(size for factor in self.factors for size in factor.truth_shape)

    @property
    def report_shape(self) -> tuple[int, ...]:
        """Number of reports of every part."""
        return tuple(size for factor in self.factors for size in factor.report_shape)

    @property
    def uniform(self) -> tuple[float, float] | None:
        """That of a single factor."""
        return self.factors[0].uniform if len(self.factors) == 1 else None

    @property
    def cost(self) -> int:
        """Cells times what a factor takes for one."""
        cells = max(self.truth_size, self.tally_size)
        return sum(cells * max(1, f.cost // f.truth_size) for f in self.factors)

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """The product of the factors' (a sum of epsilons), exactly."""
        return product_of([factor.likelihood_ratio_bound for factor in self.factors])

    @property
    def condition_number(self) -> float:
        """The product of the factors'."""
        return prod(factor.condition_number for factor in self.factors)

    # -- linear maps ----------------------------------------------------------------------------

    def _truths(self) -> tuple[int, ...]:
        return tuple(factor.truth_size for factor in self.factors)

    def _reports(self) -> tuple[int, ...]:
        return tuple(factor.tally_size for factor in self.factors)

    def apply(self, shares: FloatArray) -> FloatArray:
        """Return the expected shares of the reports (Wang Eq. 22)."""
        actions = [factor.apply for factor in self.factors]
        return _flat(act_along(actions, _shaped(shares, self._truths())), len(actions))

    def adjoint(self, values: FloatArray) -> FloatArray:
        """Return the mean of a function of the report for each truth."""
        actions = [factor.adjoint for factor in self.factors]
        return _flat(act_along(actions, _shaped(values, self._reports())), len(actions))

    def solve(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the proportions that would give these shares (Wang Eq. 23)."""
        maps = [factor.solve for factor in self.factors]
        return self._act(maps, reported, self._reports(), weights)

    def scores(self, contrasts: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the functions of the report whose means are the contrasts."""
        maps = [factor.scores for factor in self.factors]
        return self._act(maps, contrasts, self._truths(), weights)

    def score_squares(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the squared factors' product, entry by entry, times the shares."""
        maps = [factor.score_squares for factor in self.factors]
        return self._act(maps, reported, self._reports(), weights)

    def _act(
        self,
        maps: Sequence[Callable[..., FloatArray]],
        flat: FloatArray,
        sizes: tuple[int, ...],
        weights: Weights,
    ) -> FloatArray:
        """Apply the map of each factor along its part, with the weights of its own reports."""
        pairs = zip(maps, self._margins(weights), strict=True)
        actions = [partial(each, weights=margin) for each, margin in pairs]
        return _flat(act_along(actions, _shaped(flat, sizes)), len(actions))

    def own_score_squares(self, weights: Weights = None) -> FloatArray:
        """Return the products of the factors' own."""
        pairs = zip(self.factors, self._margins(weights), strict=True)
        return outer([factor.own_score_squares(margin) for factor, margin in pairs]).ravel()

    def _margins(self, weights: Weights) -> Margins:
        if weights is None:
            return [None] * len(self.factors)
        table, axes = weights.reshape(self._reports()), range(len(self.factors))
        return [table.sum(axis=tuple(other for other in axes if other != axis)) for axis in axes]

    # -- single entries -------------------------------------------------------------------------

    def reported_share(self, truth: int) -> ReportedShare | None:
        """Return that of a single factor; a cell shows through several reports."""
        return self.factors[0].reported_share(truth) if len(self.factors) == 1 else None

    def single_shares(self, weights: Weights = None) -> SingleShares | None:
        """Return those of a single factor."""
        return self.factors[0].single_shares(weights) if len(self.factors) == 1 else None

    def report_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return products of the factors' least, and largest, chances."""
        bounds = [factor.report_bounds() for factor in self.factors]
        least, most = (self._products(ends) for ends in zip(*bounds, strict=True))
        return least, most

    def _products(self, ends: Sequence[FloatArray]) -> FloatArray:
        if all(np.ptp(end) == 0 for end in ends):
            return np.array(prod(float(np.max(end)) for end in ends))
        sizes = self._reports()
        return outer([np.broadcast_to(e, n) for e, n in zip(ends, sizes, strict=True)]).ravel()

    # -- parts of a tuple -----------------------------------------------------------------------

    def margin(self, axes: Sequence[int]) -> Channel:
        """Return the channel of some of the parts, in this order.

        The others' reports are added up and tell nothing of these. Parts that one factor covers
        stay side by side.
        """
        shapes = [factor.truth_shape for factor in self.factors]
        groups = parts_by_device(shapes, check_axes(axes, sum(map(len, shapes))))
        parts = [margin_of_device(self.factors[position], inner) for position, inner in groups]
        return parts[0] if len(parts) == 1 else ProductChannel(tuple(parts))

    # -- chance ---------------------------------------------------------------------------------

    def draw(self, truths: ArrayLike, random_bytes: RandomBytes) -> IntArray:
        """Draw a report of every part for each true answer."""
        indices = check_truths(truths, self.truth_size)
        parts = np.unravel_index(indices, self._truths())
        pairs = zip(self.factors, parts, strict=True)
        reports = [factor.draw(part, random_bytes) for factor, part in pairs]
        return np.ravel_multi_index(tuple(reports), self._reports())


def parts_by_device(
    shapes: Sequence[tuple[int, ...]], axes: Sequence[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """Return for each device that covers some of the axes its position and its own of them.

    Axes are numbered through the shapes. Those that one device covers must stand side by side.
    """
    owners = [
        (position, inner) for position, shape in enumerate(shapes) for inner in range(len(shape))
    ]
    chosen = [owners[axis] for axis in axes]
    groups = [
        (position, tuple(inner for _, inner in part))
        for position, part in groupby(chosen, key=itemgetter(0))
    ]
    if len({position for position, _ in groups}) < len(groups):
        raise ArgumentError("axes", axes, TOGETHER, "parts_cannot_be_split")
    return groups


def margin_of_device(channel: Channel, axes: Sequence[int]) -> Channel:
    """Return the channel of some of the questions that a device covers, in this order."""
    if len(channel.truth_shape) == 1:
        return channel
    if not isinstance(channel, Divisible):
        raise ArgumentError("axes", axes, TOGETHER, "parts_cannot_be_split")
    return channel.margin(axes)


def _shaped(flat: FloatArray, sizes: tuple[int, ...]) -> FloatArray:
    return flat.reshape(*flat.shape[:-1], *sizes)


def _flat(table: FloatArray, axes: int) -> FloatArray:
    return np.ascontiguousarray(table).reshape(*table.shape[: table.ndim - axes], -1)
