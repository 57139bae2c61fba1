"""Devices for a choice among several categories."""

from collections.abc import Sequence
from decimal import Decimal
from math import exp

import numpy as np

from rr_engine.design import DesignMatrix
from rr_engine.validation import check_categories, check_epsilon


def k_rr(categories: int | Sequence[str], epsilon: Decimal | str | float) -> DesignMatrix:
    """k-ary randomized response: the most accurate keep-or-lie device at a privacy loss.

    Parameters
    ----------
    categories : int or sequence of str
        At least two.
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
    labels, budget = check_categories(categories), check_epsilon(epsilon)
    # Scaled by e**-epsilon so that a large budget cannot overflow.
    shrunk = exp(-float(budget))
    whole = 1 + (len(labels) - 1) * shrunk
    matrix = np.full((len(labels), len(labels)), shrunk / whole)
    np.fill_diagonal(matrix, 1 / whole)
    return DesignMatrix(matrix, labels, declared_epsilon=budget)


def direct(categories: int | Sequence[str]) -> DesignMatrix:
    """No device at all: every answer is reported as it is, epsilon is infinite.

    Parameters
    ----------
    categories : int or sequence of str
        At least two.

    Returns
    -------
    DesignMatrix
        The identity, with denominator 1: its report takes no random bytes.

    Examples
    --------
    >>> direct(2).epsilon, direct(2).integer_columns
    (inf, [[1, 0], [0, 1]])
    """
    labels = check_categories(categories)
    return DesignMatrix.from_integers(np.eye(len(labels), dtype=np.int64), 1, labels)
