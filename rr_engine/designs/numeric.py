"""Devices for answers on a scale, whose neighbours are likelier reports than distant ones."""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.design import DesignMatrix


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
