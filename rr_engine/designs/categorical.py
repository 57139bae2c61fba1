"""Devices for a choice among several categories, or on a scale with likelier neighbours."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import exp
from typing import Any

import numpy as np

from rr_engine import check
from rr_engine.arrays import Epsilon, FloatArray, IntArray, freeze, keep
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.protocol import ReportedShare, SingleShares
from rr_engine.channels.uniform import UniformMaps
from rr_engine.declared_guarantee import check_guarantee_holds
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError

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
        keep(self, _pair=(retention, other), categories=labels, reports=labels)
        keep(self, declared_epsilon=declared_epsilon, declared_delta=None)
        keep(self, integers=None, denominator=None)
        check_guarantee_holds(self)

    def __getattr__(self, name: str) -> Any:
        # Called for what is not there yet.
        if name != "matrix":
            raise AttributeError(name)
        retention, other = self._pair
        matrix = np.full((self.truth_size,) * 2, other)
        np.fill_diagonal(matrix, retention)
        keep(self, matrix=freeze(matrix))
        return self.matrix

    def __reduce__(self) -> tuple:
        return UniformMatrix, (*self._pair, self.categories, self.declared_epsilon)

    @property
    def truth_shape(self) -> tuple[int, ...]:
        """Number of true answers."""
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


# Beyond it the probability of a changed report would be a subnormal double.
LARGEST_WEIGHT = 1e300


def k_rr(categories: int | Sequence[str], epsilon: Epsilon) -> DesignMatrix:
    """k-ary randomized response: keep the answer, or report any other with equal probability.

    Parameters
    ----------
    categories : int or sequence of str
        At least two, at most 10,000. The table of so many is formed only where it is asked for.
    epsilon : Decimal, str or float
        Above 0. A string or Decimal is taken as written, a float as the shortest decimal that
        prints it.

    Returns
    -------
    DesignMatrix
        ``e**epsilon / (k - 1 + e**epsilon)`` on the diagonal and ``1 / (k - 1 + e**epsilon)``
        elsewhere.

    Raises
    ------
    CategoryError, EpsilonError

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 19.

    Examples
    --------
    >>> design = k_rr(["No", "Yes"], "1")
    >>> design.matrix.round(4).tolist()
    [[0.7311, 0.2689], [0.2689, 0.7311]]
    >>> design.quantized().epsilon_at_most("1")
    True
    """
    labels, budget = check.categories(categories), check.epsilon(epsilon)
    # Scaled by e**-epsilon so that a large budget cannot overflow.
    shrunk = exp(-float(budget))
    total = 1 + (len(labels) - 1) * shrunk
    return uniform_design(labels, 1 / total, shrunk / total, budget)


def direct(categories: int | Sequence[str]) -> DesignMatrix:
    """The identity: every answer is reported unchanged, and epsilon is infinite.

    Parameters
    ----------
    categories : int or sequence of str
        At least two, at most 10,000. A table of so many takes gigabytes and some seconds.

    Returns
    -------
    DesignMatrix
        The identity, with denominator 1: its report takes no random bytes.

    References
    ----------
    Ours: the identity, so that one set of functions serves direct questions as well.

    Examples
    --------
    >>> direct(2).epsilon, direct(2).integer_columns
    (inf, [[1, 0], [0, 1]])
    """
    labels = check.categories(categories)
    return DesignMatrix.from_integers(np.eye(len(labels), dtype=np.int64), 1, labels)


def uniform_perturbation(categories: int | Sequence[str], q: float) -> DesignMatrix:
    """Keep the answer with probability `q`, else report any category, all equally likely.

    Parameters
    ----------
    categories : int or sequence of str
        At least two, at most 10,000. The table of so many is formed only where it is asked for.
    q : float
        From 0 (nothing is told) to 1 (everything is: epsilon is infinite).

    Returns
    -------
    DesignMatrix
        ``q + (1 - q)/t`` on the diagonal, ``(1 - q)/t`` elsewhere; epsilon
        ``ln(1 + q t / (1 - q))``.

    Raises
    ------
    CategoryError, ArgumentError

    References
    ----------
    .. [1] Z. Huang and W. Du, "OptRR: Optimizing Randomized Response Schemes for Privacy-Preserving
       Data Mining", ICDE 2008, III-B.

    Examples
    --------
    >>> uniform_perturbation(4, 0.5).matrix[0].tolist()
    [0.625, 0.125, 0.125, 0.125]
    """
    labels, retention = check.categories(categories), check.probability(q, "q")
    changed = (1 - retention) / len(labels)
    return uniform_design(labels, retention + changed, changed)


def frapp(categories: int | Sequence[str], lam: float) -> DesignMatrix:
    """The gamma-diagonal device: the truth is `lam` times as likely as any other report.

    Parameters
    ----------
    categories : int or sequence of str
        At least two, at most 10,000. The table of so many is formed only where it is asked for.
    lam : float
        From 0 (never the truth: epsilon is infinite) upwards; 1 tells nothing, ``e**epsilon``
        gives :func:`k_rr`.

    Returns
    -------
    DesignMatrix
        ``lam/(lam + t - 1)`` on the diagonal, ``1/(lam + t - 1)`` elsewhere; epsilon
        ``abs(ln(lam))``.

    Raises
    ------
    CategoryError, ArgumentError

    References
    ----------
    .. [1] S. Agrawal and J. R. Haritsa, "A Framework for High-Accuracy Privacy-Preserving Mining",
       ICDE 2005.
    .. [2] Z. Huang and W. Du, "OptRR: Optimizing Randomized Response Schemes for Privacy-Preserving
       Data Mining", ICDE 2008, III-B.

    Examples
    --------
    >>> frapp(3, 2).matrix[0].tolist()
    [0.5, 0.25, 0.25]
    """
    labels, rule = check.categories(categories), "be a number from 0 to 1e300"
    weight = check.real(lam, "lam", rule)
    if not 0 <= weight <= LARGEST_WEIGHT:
        raise ArgumentError("lam", lam, rule, "out_of_range")
    total = weight + len(labels) - 1
    return uniform_design(labels, weight / total, 1 / total)


def laplace(categories: int | Sequence[str], epsilon: Epsilon) -> DesignMatrix:
    """Laplace noise on the position of the answer, cut back to the nearest category.

    Parameters
    ----------
    categories : int or sequence of str
        At least two, at most 10,000, in the order of the scale. A table of so many takes gigabytes
        and some seconds.
    epsilon : Decimal, str or float
        Above 0: the privacy loss of the noise, of scale ``(t - 1)/epsilon``.

    Returns
    -------
    DesignMatrix
        ``F(u + 1/2) - F(u - 1/2)`` at [u, v], F the distribution function of the noise around v,
        the first and last category taking the tails. `declared_epsilon` is the guarantee; the
        device's own `epsilon` lies below it, since cutting back forgets part of the noise.

    Raises
    ------
    CategoryError, EpsilonError

    Notes
    -----
    For two categories the truth is reported with probability ``1 - exp(-epsilon/2)/2``. At the
    same epsilon :func:`k_rr` estimates proportions better (Theorem 3; docs/methods/designs.md for
    Theorem 4). Below Eq. 21 the paper writes the scale of F as epsilon/(t - 1); its text and its
    figures have the inverse.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 11, 20 and 21.

    Examples
    --------
    >>> design = laplace(["No", "Yes"], "1")
    >>> design.matrix.round(4).tolist(), round(design.epsilon, 4)
    ([[0.6967, 0.3033], [0.3033, 0.6967]], 0.8318)
    """
    labels, budget = check.categories(categories), check.epsilon(epsilon)
    size = len(labels)
    # exp(-0.5 / scale): the chance that noise stays on its side within half a step, and per step.
    rate = float(budget) / (size - 1)
    return DesignMatrix(_table(size, rate), labels, declared_epsilon=budget)


def _table(size: int, rate: float) -> FloatArray:
    # Differences of the two tails are written out, so that nothing small is lost to rounding.
    distance = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
    matrix = np.exp(-rate * distance) * np.sinh(rate / 2)
    matrix[distance == 0] = -np.expm1(-rate / 2)
    matrix[[0, -1]] = np.exp(-rate * (distance[[0, -1]] - 0.5)) / 2
    matrix[[0, -1], [0, -1]] = 1 - np.exp(-rate / 2) / 2
    return matrix
