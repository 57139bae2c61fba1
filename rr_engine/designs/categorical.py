"""Devices for a choice among several categories, or on a scale with likelier neighbours."""

from collections.abc import Sequence
from decimal import Decimal
from math import exp

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.design import DesignMatrix
from rr_engine.designs.uniform_matrix import uniform_design
from rr_engine.errors import ArgumentError

# Beyond it the probability of a changed report would be a subnormal double.
LARGEST_WEIGHT = 1e300


def k_rr(categories: int | Sequence[str], epsilon: Decimal | str | float) -> DesignMatrix:
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


def laplace(categories: int | Sequence[str], epsilon: Decimal | str | float) -> DesignMatrix:
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
