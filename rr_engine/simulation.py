"""Simulated respondents of known true answers, to check what a design recovers."""

import os

from rr_engine import check
from rr_engine.arguments import check_channel
from rr_engine.arrays import ArrayLike, IntArray, RandomSource
from rr_engine.channels.protocol import Channel
from rr_engine.device import RandomBytes


def randomize(
    design: Channel, truths: ArrayLike, random_bytes: RandomBytes = os.urandom
) -> IntArray:
    """Draw a report for every true answer, exactly as the browser's device does.

    Parameters
    ----------
    design : Channel
        A DesignMatrix without integers is quantized to 32 bits first.
    truths : array_like of int, shape (n,)
        Indices of categories; anything else is refused. Of a device of bits for sets, zeros and
        ones, shape (n, bits).
    random_bytes : callable, default os.urandom
        ``random_bytes(size)`` returns that many bytes.

    Returns
    -------
    ndarray of int, shape (n,)
        Indices of reports; of a device of bits the bits, shape (n, bits).

    Raises
    ------
    CategoryError
        When a truth is not one of the categories; there is no report for it.

    References
    ----------
    Ours: the draw of docs/protocol.md, for many people at once.

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> randomize(direct(3), [0, 2, 1]).tolist()
    [0, 2, 1]
    """
    return check_channel(design).draw(truths, random_bytes)


def simulate_counts(
    design: Channel,
    proportions: ArrayLike,
    n: int,
    rng: RandomSource = None,
    population: str = "sample",
) -> IntArray:
    """Count the reports of `n` simulated respondents.

    Parameters
    ----------
    design : Channel
    proportions : array_like of float, shape (truths,)
        True proportions.
    n : int
    rng : Generator, int or None
        Source of chance, or its seed.
    population : {"sample", "fixed"}
        "sample" draws each respondent's truth; "fixed" gives the truths their proportions as
        nearly as whole people can, the largest remainders rounded up.

    Returns
    -------
    ndarray of int, shape (reports,)
        The channel's tally; of a device of bits two counts for each, clear and set.

    References
    ----------
    Ours: draws from the model of Wang et al. (2016), section 3.1.

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> simulate_counts(direct(2), [0.25, 0.75], 8, rng=1, population="fixed").tolist()
    [2, 6]
    """
    channel = check_channel(design)
    shares = channel.check_shares(proportions, "proportions")
    size, source = check.size(n, minimum=0), check.rng(rng)
    if check.population(population) == "fixed":
        people = channel.whole_people(shares, size)
    else:
        people = channel.drawn_people(shares, size, source)
    return channel.counts_of(people, size, source)
