"""One privacy budget for several questions, spent in several ways: what error is to be expected."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Decimal, localcontext
from itertools import combinations
from math import prod, sqrt

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray
from rr_engine.channels.joint_designs import joint_design
from rr_engine.channels.tallies import check_sizes
from rr_engine.channels.uniform import UniformChannel
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError, DistributionError, EpsilonError
from rr_engine.kronecker import outer
from rr_engine.optimisation.subset_sizes import listed_subset_size, noise_factor

TARGETS = ("margins", "pairs", "table")


@dataclass(frozen=True, slots=True)
class JointWay(Shown):
    """One way to spend a budget on several questions, and the errors to be expected of it.

    Every error is the root of the mean squared error of a cell, in units of a proportion.

    Attributes
    ----------
    way : str
        "independent": a device for each question with an equal part of the budget. "changes": the
        device of :func:`rr_engine.channels.joint_design`. "uniform": k-ary randomized response on
        the combinations. "subsets": subset selection on the combinations.
    subset_sizes : tuple of int
        How many answers, or combinations, a report names: for each question of "independent", one
        number for the others. 1 is k-ary randomized response.
    questions : tuple of float
        Error of the margin of each question.
    margins, pairs, table : float
        Error over all cells of the margins of single questions, of all tables of two questions,
        and of the table of all questions.
    best_for : tuple of str
        Which of "margins", "pairs" and "table" have their least error here.

    Examples
    --------
    >>> from rr_engine.spending import compare_joint
    >>> ways = compare_joint([5, 5, 5], epsilon="4", n=2000)
    >>> [(way.way, round(way.table, 3)) for way in ways if "table" in way.best_for]
    [('subsets', 0.006)]
    """

    way: str
    subset_sizes: tuple[int, ...]
    questions: tuple[float, ...]
    margins: float
    pairs: float
    table: float
    best_for: tuple[str, ...] = ()


def compare_joint(
    sizes: Sequence[int],
    epsilon: Epsilon,
    n: int,
    proportions: Sequence[ArrayLike] | None = None,
    bits: int = 32,
) -> list[JointWay]:
    """Compare ways to spend one privacy budget on several questions.

    Parameters
    ----------
    sizes : sequence of int
        Number of answers to each of two or more questions.
    epsilon : Decimal, str or float
        Privacy loss of everything that a person reports.
    n : int
        Number of respondents planned.
    proportions : sequence of array_like of float, optional
        A guess of the shares of the answers, for each question; they are taken as independent.
        Equal shares when left out. The guess moves all errors of a target alike.
    bits : int, default 32
        Of the denominators of the devices; at most 52.

    Returns
    -------
    list of JointWay
        "changes" is left out below an epsilon of ln(m) for m questions, where it does not exist;
        "subsets" where naming one combination is best or more than 20,000 subsets would have to be
        listed, as of two among more than 200 combinations.

    Raises
    ------
    EpsilonError, ArgumentError, DistributionError
    DesignError
        When `bits` are too few for so many combinations.

    Notes
    -----
    docs/methods/joint-devices.md, "Ways compared". The errors are those of the unbiased estimate,
    exact for every n, of a sample. Chances of subsets are those before rounding to integers.

    References
    ----------
    .. [1] J. Domingo-Ferrer, R. Mulero-Vellido and J. Soria-Comas, "Multiparty Computation with
       Statistical Input Confidentiality via Randomized Response", PSD 2018.
    .. [2] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 18 and 23.
    .. [3] M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation Under Locally
       Differential Privacy", IEEE Transactions on Information Theory 64 (2018), 5662-5676.

    Examples
    --------
    >>> ways = compare_joint([5, 5, 5], epsilon="4", n=2000)
    >>> for way in ways:
    ...     print(way.way, round(way.margins, 3), round(way.table, 3), way.best_for)
    independent 0.025 0.033 ('margins',)
    changes 0.028 0.009 ()
    uniform 0.03 0.007 ()
    subsets 0.028 0.006 ('pairs', 'table')
    """
    shape = check_sizes(sizes, "sizes")
    if len(shape) < 2:
        rule = "name the number of answers to two or more questions"
        raise ArgumentError("sizes", sizes, rule, "sizes_missing")
    budget, people = check.epsilon(epsilon), check.size(n)
    width = check.whole(bits, "bits", minimum=1, maximum=check.MAX_BITS)
    squares = _square_sums(proportions, shape)
    spent = [way for make in WAYS if (way := make(shape, budget, width)) is not None]
    ways = [_expected(way, shape, squares, people) for way in spent]
    return [replace(way, best_for=_best_for(way, ways)) for way in ways]


def _square_sums(
    proportions: Sequence[ArrayLike] | None, shape: tuple[int, ...]
) -> tuple[float, ...]:
    """Return the sum of the squared shares of each question."""
    if proportions is None:
        return tuple(1 / size for size in shape)
    size, error = len(shape), DistributionError
    rule = f"hold the shares of the answers to each of {size} questions"
    lists = check.entries(proportions, "proportions", size, rule, "not_a_distribution", error)
    checked = [
        check.distribution(shares, answers, f"proportions[{question}]")
        for question, (shares, answers) in enumerate(zip(lists, shape, strict=True))
    ]
    return tuple(float((shares**2).sum()) for shares in checked)


@dataclass(frozen=True, slots=True, eq=False)
class _Spent:
    """A budget spent in one way.

    Attributes
    ----------
    way : str
    subset_sizes : tuple of int
    factors : ndarray of float, shape (2,) * m
        Variance relative to direct reports at equal shares, of contrasts that sum to zero along the
        questions with index 1 and are constant along the others.
    """

    way: str
    subset_sizes: tuple[int, ...]
    factors: FloatArray


def _independent(shape: tuple[int, ...], budget: Decimal, bits: int) -> _Spent:
    """Give each question the same part, and the device of least error that can be listed."""
    with localcontext() as context:
        context.prec, context.rounding = 2 * check.EPSILON_PLACES, ROUND_DOWN
        part = (budget / len(shape)).quantize(Decimal(1).scaleb(-check.EPSILON_PLACES))
    devices = [_device(size, check.epsilon(part), bits) for size in shape]
    factors = outer([np.array([1.0, factor]) for _, factor in devices])
    return _Spent("independent", tuple(size for size, _ in devices), factors)


def _device(size: int, epsilon: Decimal, bits: int) -> tuple[int, float]:
    """Return how many answers a report about one question names, and its factor of variance."""
    named = listed_subset_size(size, epsilon)
    if named > 1:
        return named, noise_factor(size, epsilon, named)
    return 1, UniformChannel.from_epsilon(size, epsilon, bits).condition_number ** 2


def _changes(shape: tuple[int, ...], budget: Decimal, bits: int) -> _Spent | None:
    """Use the paper's device, if there is one."""
    try:
        channel = joint_design(shape, bits=bits, epsilon=budget)
    except EpsilonError:
        return None
    return _Spent("changes", (1,), _noise(channel.spectrum))


def _uniform(shape: tuple[int, ...], budget: Decimal, bits: int) -> _Spent:
    channel = UniformChannel.from_epsilon(shape, budget, bits)
    return _Spent("uniform", (1,), _noise(channel.spectrum))


def _subsets(shape: tuple[int, ...], budget: Decimal, bits: int) -> _Spent | None:
    cells = prod(shape)
    named = listed_subset_size(cells, budget)
    if named == 1:
        return None
    factors = np.full((2,) * len(shape), noise_factor(cells, budget, named))
    factors.flat[0] = 1.0
    return _Spent("subsets", (named,), factors)


def _noise(spectrum: FloatArray) -> FloatArray:
    """Return the factors of a symmetric device; infinite where it tells nothing."""
    with np.errstate(divide="ignore"):
        return 1 / spectrum**2


WAYS = (_independent, _changes, _uniform, _subsets)


def _expected(
    spent: _Spent, shape: tuple[int, ...], squares: tuple[float, ...], n: int
) -> JointWay:
    """Return the errors of the margins of one, of two and of all questions."""
    parts = [list(combinations(range(len(shape)), w)) for w in (1, 2, len(shape))]
    totals = [[_total(spent.factors, shape, squares, axes) for axes in part] for part in parts]
    margins, pairs, table = (_root_mean(total, n) for total in totals)
    questions = tuple(_root_mean([total], n) for total in totals[0])
    return JointWay(spent.way, spent.subset_sizes, questions, margins, pairs, table)


def _total(
    factors: FloatArray, shape: tuple[int, ...], squares: tuple[float, ...], axes: tuple[int, ...]
) -> tuple[float, int]:
    """Return n times the summed variances of the cells of a margin, and their number.

    The scores of all cells of one report have the squared sum ``(1/K) sum_S N_S f_S``, whatever the
    truth is: over the sets S of the margin's questions, with N_S the dimension of their contrasts.
    """
    index = tuple(slice(None) if axis in axes else 0 for axis in range(len(shape)))
    dimensions = outer([np.array([1.0, shape[axis] - 1.0]) for axis in axes])
    cells = prod(shape[axis] for axis in axes)
    scores = float((dimensions * factors[index]).sum()) / cells
    return scores - prod(squares[axis] for axis in axes), cells


def _root_mean(totals: Sequence[tuple[float, int]], n: int) -> float:
    variance = sum(total for total, _ in totals) / sum(cells for _, cells in totals)
    # Rounding can make it slightly negative where direct reports are all the same.
    return sqrt(max(variance, 0.0) / n)


def _best_for(way: JointWay, ways: Sequence[JointWay]) -> tuple[str, ...]:
    """Return the targets of which this way is the first with the least error."""
    return tuple(
        target for target in TARGETS if min(ways, key=lambda other: getattr(other, target)) is way
    )
