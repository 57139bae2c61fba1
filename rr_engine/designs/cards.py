"""Devices of the survey literature that use packs of red and black cards, one pack an answer."""

import numpy as np
from scipy.stats import binom

from rr_engine.design import DesignMatrix
from rr_engine.designs.binary import NO_YES, generalized_binary
from rr_engine.validation import check_probability, check_whole


def kuk(p1: float, p2: float, draws: int = 1) -> DesignMatrix:
    """Kuk's device: count the red cards among draws from the pack that belongs to the truth.

    Parameters
    ----------
    p1 : float
        Share of red cards in the pack for a yes, from 0 to 1.
    p2 : float
        Share of red cards in the pack for a no, from 0 to 1.
    draws : int, default 1
        Cards drawn with replacement, at least 1; the report is the number of red ones among them.

    Returns
    -------
    DesignMatrix
        Reports 0 to `draws`; with one draw, report 1 (red) is ``p1`` for a yes and ``p2`` for a no.
        The privacy loss of `draws` draws is `draws` times that of one.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] A. Y. C. Kuk, "Asking Sensitive Questions Indirectly", Biometrika 77 (1990), 436-438.

    Examples
    --------
    >>> kuk(0.75, 0.25).matrix.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    >>> kuk(0.5, 0.25, draws=2).reports
    ('0', '1', '2')
    """
    yes, no = check_probability(p1, "p1"), check_probability(p2, "p2")
    drawn = check_whole(draws, "draws", minimum=1)
    if drawn == 1:
        return DesignMatrix([[1 - no, 1 - yes], [no, yes]], NO_YES, ("0", "1"))
    red = np.arange(drawn + 1)
    matrix = np.column_stack([binom.pmf(red, drawn, share) for share in (no, yes)])
    return DesignMatrix(matrix, NO_YES, tuple(str(count) for count in red))


def disguised_response(p: float) -> DesignMatrix:
    """Disguised response: the answers are two mirrored packs, and one tells a card's colour.

    Parameters
    ----------
    p : float
        Share of red cards in the pack for a yes, and of black ones in the pack for a no.

    Returns
    -------
    DesignMatrix
        The table is Warner's; report 1 is a red card.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] A. Y. C. Kuk, "Asking Sensitive Questions Indirectly", Biometrika 77 (1990), 436-438.
    .. [2] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110 (2015), 1304-1319.

    Examples
    --------
    >>> disguised_response(0.8).matrix.tolist() == [[0.8, 1 - 0.8], [1 - 0.8, 0.8]]
    True
    """
    share = check_probability(p, "p")
    return generalized_binary(share, share)
