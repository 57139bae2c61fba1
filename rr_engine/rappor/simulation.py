"""Simulated surveys of strings, exact in law and without a draw for each report."""

from collections.abc import Sequence

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray
from rr_engine.errors import ArgumentError
from rr_engine.rappor.candidates import candidate_positions, check_candidates
from rr_engine.rappor.rappor import Rappor


def simulate_string_tallies(
    device: Rappor,
    strings: Sequence[str],
    shares: Sequence[float] | FloatArray,
    n: int,
    rng: np.random.Generator | int | None = None,
    *,
    refusal: bool = False,
) -> IntArray:
    """Simulate the tallies of a survey whose respondents have these strings.

    Parameters
    ----------
    device : Rappor
    strings : sequence of str
        All that occur, different after :func:`normalize_text`.
    shares : sequence of float
        Of the population; they sum to 1.
    n : int
        Respondents.
    rng : numpy.random.Generator, int or None
    refusal : bool, default False
        Whether the last share, one more than there are strings, is that of a refusal.

    Returns
    -------
    ndarray of int, shape (cohorts, bits, 2)
        Clear and set counts, as :func:`decode_strings` takes them.

    Notes
    -----
    Given who has which string in which cohort, all bits are independent: a bit is set in a
    binomial number of the reports of those whose filter has it, and of the others'.

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 3.

    Examples
    --------
    >>> device = Rappor.for_epsilon("2", bits=16, cohorts=2)
    >>> simulate_string_tallies(device, ["tea", "wine"], [0.5, 0.5], 100, 1).shape
    (2, 16, 2)
    """
    check.instance(device, "device", Rappor, "be a Rappor", "not_a_channel")
    texts = check_candidates(strings, "strings")
    if not isinstance(refusal, bool):
        raise ArgumentError("refusal", refusal, "be True or False", "unknown_choice")
    positions = candidate_positions(device, texts, refusal=refusal)
    chances = check.distribution(shares, len(positions), "shares") / device.cohorts
    generator = check.rng(rng)
    flat = np.tile(chances, (device.cohorts, 1)).ravel()
    people = generator.multinomial(check.size(n), flat / flat.sum())
    return _draw_tallies(device, positions, people.reshape(device.cohorts, -1), generator)


def _draw_tallies(
    device: Rappor, positions: IntArray, people: IntArray, rng: np.random.Generator
) -> IntArray:
    """Draw the tallies of respondents, shape (cohorts, strings), with these strings."""
    holders = np.zeros((device.cohorts, device.bits), dtype=np.int64)
    cohorts = np.arange(device.cohorts)[None, :, None]
    np.add.at(holders, (cohorts, positions), people.T[:, :, None])
    sizes = people.sum(axis=1, keepdims=True)
    set_chance, clear_chance = device.channel.pair
    ones = rng.binomial(holders, set_chance) + rng.binomial(sizes - holders, clear_chance)
    return np.stack([sizes - ones, ones], axis=-1)
