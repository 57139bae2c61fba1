"""Subset selection and block designs: devices whose report is a set of categories."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from math import comb, exp

import numpy as np

from rr_engine import check, precision
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, IntArray, keep
from rr_engine.design import DesignMatrix
from rr_engine.errors import CategoryError, NotIdentifiableError
from rr_engine.optimisation.rotations import (
    MOST_BASES,
    Block,
    block_names,
    catalogue,
    complements,
    incidence,
    rotated_blocks,
)
from rr_engine.optimisation.subset_sizes import (
    MOST_SUBSETS,
    best_subset_size,
    check_subset_size,
    minimax_at,
    minimax_value,
)
from rr_engine.projection import project_to_simplex

# Blocks of a design: so many, or above MANY categories two for each.
MOST_BLOCKS, MANY = 60, 30
MOST_CATEGORIES = 300
# Block sizes next to the best that are searched where the catalogue has no design.
NEIGHBOURS = 2
# Designs within this factor of the best count as equally good; the smallest is taken.
TIE = 1 + 1e-4
SMALL = 1e-9


@dataclass(frozen=True, slots=True)
class BlockFamily:
    """Blocks, and their variance relative to balanced blocks; see :func:`_variance_factor`."""

    blocks: tuple[Block, ...]
    variance_factor: float


@dataclass(frozen=True, slots=True, eq=False, init=False)
class SubsetDesign(DesignMatrix):
    """A design whose reports are sets of categories.

    Attributes
    ----------
    subsets : tuple of tuple of int
        Categories of each report, in the order of the reports.
    variance : float
        n times the average variance of the shares, for n respondents, under the proportions that
        are worst for this design.
    excess : float
        How far that lies above the minimax value, relatively; 0 for a balanced block design of the
        best subset size, up to rounding.

    Examples
    --------
    >>> from rr_engine.designs import subset_selection
    >>> cards = subset_selection(5, "1")
    >>> cards.subset_size, cards.reports[0], round(cards.epsilon, 3)
    (1, '0', 1.0)
    """

    subsets: tuple[Block, ...]
    variance: float
    excess: float

    def __init__(
        self,
        matrix: ArrayLike,
        categories: Sequence[str],
        reports: Sequence[str],
        epsilon: Decimal,
        subsets: tuple[Block, ...],
        variance: float,
        excess: float,
    ) -> None:
        # `dataclass(slots=True)` creates a new class, so that `super()` without arguments fails.
        DesignMatrix.__init__(self, matrix, categories, reports, epsilon)
        keep(self, subsets=subsets, variance=variance, excess=excess)

    @property
    def subset_size(self) -> int:
        """Number of categories in each report."""
        return len(self.subsets[0])


def subset_selection(
    categories: int | Sequence[str], epsilon: Epsilon, k: int | None = None
) -> SubsetDesign:
    """Report a random subset of k categories, more often one that holds the truth.

    Parameters
    ----------
    categories : int or sequence of str
        At most 10,000, which take some ten seconds where a subset is a single one.
    epsilon : Decimal, str or float
    k : int, optional
        Categories in a report, from 1 (k-ary randomized response) to one less than all. Left out:
        the best.

    Returns
    -------
    SubsetDesign
        One report for each of the subsets; a subset with the truth is e**epsilon times as likely
        as one without.

    Raises
    ------
    CategoryError
        When there are more than 20,000 subsets; :func:`card_deck` needs far fewer reports.

    References
    ----------
    .. [1] M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation Under Locally
       Differential Privacy", IEEE Transactions on Information Theory 64 (2018), 5662-5676.

    Examples
    --------
    >>> design = subset_selection(4, 1)
    >>> design.subset_size, len(design.reports), round(design.excess, 9)
    (1, 4, 0.0)
    """
    labels, budget = check.categories(categories), check.epsilon(epsilon)
    size = len(labels)
    subset_size = best_subset_size(size, budget) if k is None else check_subset_size(k, size)
    if comb(size, subset_size) > MOST_SUBSETS:
        rule = (
            f"have at most {MOST_SUBSETS} subsets of {subset_size}; card_deck needs fewer reports"
        )
        raise CategoryError("categories", categories, rule, "too_many_subsets")
    return _check_usable(
        _subset_design(labels, budget, list(combinations(range(size), subset_size)))
    )


def card_deck(
    categories: int | Sequence[str],
    epsilon: Epsilon,
    k: int | None = None,
    most_cards: int | None = None,
) -> SubsetDesign:
    """Subset selection from a block design: a few blocks instead of all the subsets.

    Parameters
    ----------
    categories : int or sequence of str
    epsilon : Decimal, str or float
    k : int, optional
        Categories in a block. Left out: the size with the smallest worst case among designs of at
        most `most_cards` blocks.
    most_cards : int, optional
        At least the number of categories; 60 when left out, or twice the categories above 30.

    Returns
    -------
    SubsetDesign
        Balanced where such a design is known: every category, and every pair, is in equally many
        blocks. Then it is exactly as accurate as all the subsets. Otherwise every category is in
        equally many blocks and pairs are as even as the search made them; `excess` is the price.

    Raises
    ------
    CategoryError
        When there are more than 300 categories.
    NotIdentifiableError
        When no design of `most_cards` blocks of k categories tells all categories apart.

    Notes
    -----
    The device draws a block with the true category with probability ``k e**eps / (k e**eps + n -
    k)``, otherwise one without. Which blocks are best depends on the epsilon through k alone.

    References
    ----------
    .. [1] M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation under Locally
       Differential Privacy", IEEE Transactions on Information Theory 64, 2018, section III.
    .. [2] C. J. Colbourn and J. H. Dinitz (editors), "Handbook of Combinatorial Designs", second
       edition, CRC 2007, part II (balanced incomplete block designs).

    Examples
    --------
    >>> design = card_deck(7, 0.5, k=3)
    >>> len(design.subsets), design.quantized().epsilon_at_most("0.5")
    (7, True)
    """
    labels, budget = check.categories(categories), check.epsilon(epsilon)
    size = len(labels)
    if size > MOST_CATEGORIES:
        rule = f"be at most {MOST_CATEGORIES} for a block design"
        raise CategoryError("categories", categories, rule, "too_many_categories", MOST_CATEGORIES)
    default = MOST_BLOCKS if size <= MANY else 2 * size
    limit = default if most_cards is None else check.whole(most_cards, "most_cards", minimum=size)
    if k is None and limit == default and catalogue(size):
        families = list(_catalogue(size))
    else:
        # Bounds the search, and the size of the integers that are compared.
        most = min(limit, max(default, MOST_BASES * size))
        families = _families(size, most, _sizes(size, budget, k))
    if not families:
        rule = f"allow designs that tell {size} categories apart: more blocks, or another k"
        raise NotIdentifiableError("most_cards", most_cards, rule, "no_identifying_deck")
    errors = [minimax_at(size, budget, len(f.blocks[0])) * f.variance_factor for f in families]
    near = [f for f, error in zip(families, errors, strict=True) if error <= min(errors) * TIE]
    chosen = min(near, key=lambda family: len(family.blocks))
    return _check_usable(_subset_design(labels, budget, list(chosen.blocks)))


def _sizes(size: int, epsilon: Decimal, k: int | None) -> tuple[int, ...]:
    """Return the block sizes to search, the best first."""
    if k is not None:
        return (check_subset_size(k, size),)
    best = best_subset_size(size, epsilon)
    near = sorted(range(1, size), key=lambda size_tried: (abs(size_tried - best), size_tried))
    return (*near[: 2 * NEIGHBOURS + 1], 1)


def _families(size: int, limit: int, sizes: tuple[int, ...]) -> list[BlockFamily]:
    """Return the catalogued families of these sizes, and searched ones where those are uneven."""
    catalogue = [family for family in _catalogue(size) if len(family.blocks) <= limit]
    complementary = [
        BlockFamily(complements(family.blocks, size), family.variance_factor)
        for family in catalogue
    ]
    families = [family for family in (*catalogue, *complementary) if len(family.blocks[0]) in sizes]
    balanced = {len(family.blocks[0]) for family in families if family.variance_factor < TIE}
    for block_size in sorted(set(sizes) - balanced):
        blocks = _search_blocks(size, block_size, limit)
        families += [BlockFamily(blocks, _variance_factor(blocks, size))] if blocks else []
    return families


@lru_cache(maxsize=64)
def _catalogue(size: int) -> tuple[BlockFamily, ...]:
    """Return the families of the catalogue and the single categories."""
    single = tuple((point,) for point in range(size))
    return tuple(
        BlockFamily(blocks, _variance_factor(blocks, size)) for blocks in (*catalogue(size), single)
    )


@lru_cache(maxsize=256)
def _search_blocks(size: int, block_size: int, limit: int) -> tuple[Block, ...] | None:
    if 2 * block_size > size:
        blocks = _search_blocks(size, size - block_size, limit)
        return blocks and complements(blocks, size)
    return rotated_blocks(size, block_size, limit)


def _variance_factor(blocks: Sequence[Block], size: int) -> float:
    """Return the variance relative to that of balanced blocks, at least 1.

    The error at equal shares is that of balanced blocks with every eigenvalue of the concurrences,
    but for the largest, replaced by their harmonic mean; and here that is the worst case. With B
    the incidence (blocks x points) the concurrences are B'B, and the factor is the arithmetic mean
    of those eigenvalues over their harmonic one.
    """
    table = incidence(list(blocks), size)
    values = np.linalg.eigvalsh((table.T @ table).astype(float))[:-1]
    return float(values.mean() * (1 / np.maximum(values, SMALL)).mean())


def _check_usable(design: SubsetDesign) -> SubsetDesign:
    """Refuse a design whose reports hold too little information at this budget for an estimate."""
    precision.check_identifiable(design.matrix)
    return design


def _subset_design(labels: tuple[str, ...], epsilon: Decimal, blocks: list[Block]) -> SubsetDesign:
    size = len(labels)
    table = incidence(blocks, size)
    matrix = _matrix(table, float(epsilon))
    variance = worst_average_variance(matrix)
    least = minimax_value(size, epsilon)
    return SubsetDesign(
        matrix,
        labels,
        block_names(blocks, labels),
        epsilon,
        subsets=tuple(blocks),
        variance=variance,
        excess=variance / least - 1,
    )


def _matrix(table: IntArray, epsilon: float) -> FloatArray:
    """Return the chances of the blocks: e**epsilon to 1 with and without the truth."""
    weights = np.where(table > 0, 1.0, exp(-epsilon))
    return weights / weights.sum(axis=0)


def worst_average_variance(matrix: FloatArray) -> float:
    """Return n times the average variance of the shares under the worst proportions.

    For the linear estimator that weighs reports as equal proportions would have them: its variance
    is ``c . pi - |pi|**2`` with ``c_v = sum_u P[u, v] |g_u|**2``, and the largest value over the
    simplex is at the point nearest to c / 2.
    """
    if not precision.condition_number(matrix) < precision.CONDITION_LIMIT:
        return float("inf")
    scores = precision.left_inverse(matrix)
    costs = (scores**2).sum(axis=0) @ matrix
    worst = project_to_simplex(costs / 2)
    return float(costs @ worst - worst @ worst) / matrix.shape[1]
