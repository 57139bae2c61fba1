"""Sizes of the subsets that are reported, and the worst case at each size."""

from collections.abc import Sequence
from decimal import Decimal
from math import comb, exp, expm1

from rr_engine import check
from rr_engine.arrays import Epsilon

# Reports of a device that lists all its subsets.
MOST_SUBSETS = 20_000


def best_subset_size(categories: int | Sequence[str], epsilon: Epsilon) -> int:
    """Return the number of categories in a report that makes the worst case most accurate.

    References
    ----------
    .. [1] M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation under Locally
       Differential Privacy", IEEE Transactions on Information Theory 64 (2018), 5662-5676.

    Examples
    --------
    >>> [best_subset_size(10, epsilon) for epsilon in (0.5, 1, 2)]
    [4, 3, 1]
    """
    size, budget = len(check.categories(categories)), check.epsilon(epsilon)
    return min(range(1, size), key=lambda k: minimax_at(size, budget, k))


def minimax_value(categories: int | Sequence[str], epsilon: Epsilon, k: int | None = None) -> float:
    """Return n times the average variance of the shares, at equal shares, of k-subset selection.

    Parameters
    ----------
    categories : int or sequence of str
    epsilon : Decimal, str or float
    k : int, optional
        Categories in a report; the best by default, and then no device of this privacy loss has a
        smaller worst case over the proportions.

    Notes
    -----
    ``(n - 1) / (n L)`` with ``L = n (n q2 - 1) / (n - 1)`` and
    ``q2 = (k e**(2 eps) + n - k) / (k e**eps + n - k)**2``.

    References
    ----------
    .. [1] M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation Under Locally
       Differential Privacy", IEEE Transactions on Information Theory 64 (2018), 5662-5676.

    Examples
    --------
    >>> round(minimax_value(10, 1), 6), round(minimax_value(10, 1, k=1), 6)
    (3.000406, 4.18583)
    """
    size, budget = len(check.categories(categories)), check.epsilon(epsilon)
    if k is None:
        return min(minimax_at(size, budget, candidate) for candidate in range(1, size))
    return minimax_at(size, budget, check_subset_size(k, size))


def minimax_at(size: int, epsilon: Decimal, k: int) -> float:
    """Return :func:`minimax_value` at a subset size."""
    # n q2 - 1 = k (n - k) ((e**eps - 1) / (k e**eps + n - k))**2: no difference of near equals,
    # and in units of e**epsilon, so that neither a small nor a large budget loses digits.
    other = size - k
    ratio = (k + other * exp(-float(epsilon))) / -expm1(-float(epsilon))
    return (size - 1) ** 2 / (size**2 * k * other) * ratio * ratio


def listed_subset_size(size: int, epsilon: Decimal) -> int:
    """Return the best number of categories in a report among those whose subsets can be listed.

    The error falls up to the best number and rises from there, which lies below half of all; and
    so do the subsets rise.
    """
    if comb(size, 2) > MOST_SUBSETS:
        return 1
    best = min(range(1, size), key=lambda k: minimax_at(size, epsilon, k))
    return max(k for k in range(1, best + 1) if comb(size, k) <= MOST_SUBSETS)


def noise_factor(size: int, epsilon: Decimal, k: int) -> float:
    """Return the variance of a contrast through the device, relative to direct reports.

    At equal shares; a contrast is a sum with weights that sum to zero. It is that of any contrast,
    because subset selection treats all categories alike.
    """
    return minimax_at(size, epsilon, k) * size**2 / (size - 1)


def check_subset_size(k: int, size: int) -> int:
    """Return a number of categories in a report: at least one, and not all."""
    return check.whole(k, "k", minimum=1, maximum=size - 1)
