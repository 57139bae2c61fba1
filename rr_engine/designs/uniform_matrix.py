"""A design of one chance on its diagonal and one off it, whose table is formed when asked for."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from rr_engine.arrays import FloatArray, IntArray, freeze
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.protocol import ReportedShare, SingleShares
from rr_engine.channels.uniform import UniformMaps
from rr_engine.declared_guarantee import check_guarantee_holds
from rr_engine.design import DesignMatrix

# Categories up to which the table is held: solving with it takes no time, to the last digit alike.
HELD = 256


class UniformMatrix(UniformMaps, DesignMatrix):
    """A DesignMatrix by its two chances: estimates take time and memory of the categories alone.

    Parameters
    ----------
    retention, other : float
        On the diagonal and off it.
    labels : tuple of str
        Of truths and of reports.
    declared_epsilon : Decimal, optional
    """

    __slots__ = ("_pair",)

    _pair: tuple[float, float]

    def __init__(
        self,
        retention: float,
        other: float,
        labels: tuple[str, ...],
        declared_epsilon: Decimal | None = None,
    ) -> None:
        values = {
            "_pair": (retention, other),
            "categories": labels,
            "reports": labels,
            "declared_epsilon": declared_epsilon,
            "declared_delta": None,
            "integers": None,
            "denominator": None,
        }
        for name, value in values.items():
            self._set(name, value)
        check_guarantee_holds(self)

    def __getattr__(self, name: str) -> Any:
        # Called for what is not there yet.
        if name != "matrix":
            raise AttributeError(name)
        retention, other = self._pair
        matrix = np.full((self.truth_size,) * 2, other)
        np.fill_diagonal(matrix, retention)
        self._set("matrix", freeze(matrix))
        return self.matrix

    def __reduce__(self) -> tuple:
        return UniformMatrix, (*self._pair, self.categories, self.declared_epsilon)

    @property
    def truth_shape(self) -> tuple[int, ...]:
        """Number of true answers."""
        return (len(self.categories),)

    @property
    def report_shape(self) -> tuple[int, ...]:
        """Number of reports: the same."""
        return (len(self.categories),)

    @property
    def uniform(self) -> tuple[float, float]:
        """The two chances."""
        return self._pair

    @property
    def cost(self) -> int:
        """Two operations for each truth."""
        return 2 * self.truth_size

    @property
    def condition_number(self) -> float:
        """One over the gap of the two chances; inf when they are the same."""
        gap = abs(self._pair[0] - self._pair[1])
        return 1 / gap if gap else float("inf")

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """The larger chance over the smaller, exactly; None when one is zero."""
        low, high = sorted(map(Fraction, self._pair))
        return high / low if low else None

    def reported_share(self, truth: int) -> ReportedShare | None:
        """Return the report that shows this proportion alone: its own."""
        return CountingChannel.reported_share(self, truth)

    def single_shares(self, weights: FloatArray | None = None) -> SingleShares | None:
        """Return the same of all truths."""
        return CountingChannel.single_shares(self, weights)

    def counts_of(self, people: IntArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw the reports of `n` people of whom ``people[v]`` have truth v, and count them.

        The gap is how many report what is true of them, and the others report anything alike.
        """
        gap = self._pair[0] - self._pair[1]
        if gap < 0:
            return super().counts_of(people, n, rng)
        kept = rng.binomial(people, min(gap, 1.0))
        size = self.truth_size
        return kept + rng.multinomial(int(people.sum() - kept.sum()), np.full(size, 1 / size))


def uniform_design(
    labels: tuple[str, ...], retention: float, other: float, declared: Decimal | None = None
) -> DesignMatrix:
    """Return the design of two chances: with its table where there are not too many categories."""
    if len(labels) > HELD:
        return UniformMatrix(retention, other, labels, declared)
    matrix = np.full((len(labels), len(labels)), other)
    np.fill_diagonal(matrix, retention)
    return DesignMatrix(matrix, labels, declared_epsilon=declared)
