"""Devices with two packs of red and black cards: the truth chooses the pack."""

from fractions import Fraction
from math import comb

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.design import DesignMatrix
from rr_engine.designs.binary import NO_YES, yes_given
from rr_engine.errors import ArgumentError

MOST_DRAWS = 200


def kuk(p1: float, p2: float, draws: int = 1) -> DesignMatrix:
    """Kuk's device: draw from one of two packs with replacement and report the red cards.

    Parameters
    ----------
    p1 : float
        Share of red cards in the pack of those whose truth is yes, from 0 to 1.
    p2 : float
        Share of red cards in the pack of those whose truth is no.
    draws : int, default 1
        Cards drawn, from 1 to 200.

    Returns
    -------
    DesignMatrix
        Shape (draws + 1, 2): report u is the number of red cards, binomial with p1 or p2. Each
        draw costs the epsilon of one; a share of 0 or 1 beside another makes it infinite.

    Raises
    ------
    ArgumentError
        Also when so many draws leave some count a chance that no float can hold.

    References
    ----------
    .. [1] A. Y. C. Kuk, "Asking Sensitive Questions Indirectly", Biometrika 77 (1990), 436-438.

    Examples
    --------
    >>> kuk(0.75, 0.25).matrix.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    >>> kuk(0.5, 0.25, draws=2).matrix.tolist()
    [[0.5625, 0.25], [0.375, 0.5], [0.0625, 0.25]]
    """
    shares = check.probability(p2, "p2"), check.probability(p1, "p1")
    cards = check.whole(draws, "draws", minimum=1, maximum=MOST_DRAWS)
    if cards == 1:
        return yes_given(shares[1], shares[0], ("0", "1"))
    matrix = np.column_stack([_binomial(cards, share) for share in shares])
    possible = np.column_stack([_possible(cards, share) for share in shares])
    if not np.array_equal(matrix > 0, possible):
        rule = "be few enough that every count keeps a chance"
        raise ArgumentError("draws", draws, rule, "too_many_draws")
    return DesignMatrix(matrix, NO_YES, [str(count) for count in range(cards + 1)])


def _binomial(draws: int, share: float) -> FloatArray:
    # In fractions: each chance is then correct to the last bit, however small it is.
    red = Fraction(share)
    chances = [comb(draws, u) * red**u * (1 - red) ** (draws - u) for u in range(draws + 1)]
    return np.array([float(chance) for chance in chances])


def _possible(draws: int, share: float) -> list[bool]:
    return [(share > 0 or u == 0) and (share < 1 or u == draws) for u in range(draws + 1)]


def disguised_response(p: float) -> DesignMatrix:
    """Two packs that mirror each other, one card: Kuk's device with shares p and 1 - p.

    Parameters
    ----------
    p : float
        Share of red cards in the pack of those whose truth is yes, from 0 to 1; the other pack
        has the share 1 - p. At 1/2 nothing can be estimated.

    Returns
    -------
    DesignMatrix
        Warner's table, but the answer is a colour and never a yes or a no.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110 (2015), 1304-1319.

    Examples
    --------
    >>> disguised_response(0.75).matrix.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    red = check.probability(p, "p")
    return DesignMatrix([[red, 1 - red], [1 - red, red]], NO_YES, ("Black", "Red"))
