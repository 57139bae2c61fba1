"""The degradation between two devices over all combinations, in the algebra of the scheme.

Entries of such a table depend only on which answers two combinations differ in
(:mod:`rr_engine.channels.scheme`), and so do those of ``P_now P_next^-1``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np

from rr_engine.channels.joint_channel import JointChannel
from rr_engine.channels.protocol import Channel
from rr_engine.channels.scheme import spectrum_of
from rr_engine.channels.uniform import UniformChannel
from rr_engine.relaxation.degradation import JointDegradation
from rr_engine.relaxation.integer_algebra import Integers
from rr_engine.relaxation.refusals import negative_entry

SchemeChannel = JointChannel | UniformChannel


def joint_degradation(now: Channel, later: Channel) -> JointDegradation | None:
    """Return the degradation between devices over the same combinations; None for any others.

    Also where the later one has no inverse. The eigenvalues of ``C`` are the quotients of those of
    the two tables.
    """
    if not isinstance(now, SchemeChannel) or not isinstance(later, SchemeChannel):
        return None
    if now.shape != later.shape:
        return None
    before, after = (spectrum_of(_entries(channel), channel.shape) for channel in (now, later))
    if (after == 0).any():
        return None
    numerators, divisors = before * later.denominator, after * now.denominator
    quotients = np.vectorize(Fraction, otypes=[object])(numerators, divisors)
    entries = _entries_of(quotients, now.shape).ravel().tolist()
    lowest = min(range(len(entries)), key=entries.__getitem__)
    if entries[lowest] < 0:
        changed = np.unravel_index(lowest, (2,) * len(now.shape))
        index = int(np.ravel_multi_index(changed, now.shape))
        slack = _slack(now, later, after)
        raise negative_entry(now, later, 0, index, float(entries[lowest]), slack)
    denominator = lcm(*(entry.denominator for entry in entries))
    integers = tuple(int(entry * denominator) for entry in entries)
    own = spectrum_of(np.array(integers, dtype=object).reshape(quotients.shape), now.shape)
    if (own * divisors != numerators * denominator).any():
        raise AssertionError("the eigenvalues of a product are the products of eigenvalues")
    return JointDegradation(now.shape, integers, denominator)


def _entries(channel: SchemeChannel) -> Integers:
    """Return the integer of each set of changed answers, shape (2,) * questions."""
    questions = len(channel.shape)
    entries = np.empty((2,) * questions, dtype=object)
    for changed in product((0, 1), repeat=questions):
        if isinstance(channel, JointChannel):
            entries[changed] = channel.weights[sum(changed)]
        else:
            entries[changed] = channel.other if any(changed) else channel.kept
    return entries


def _entries_of(spectrum: Integers, sizes: Sequence[int]) -> Integers:
    """Return the entries of a table from its eigenvalues, in fractions.

    For one question after the other: ``(c + (r - 1) d) / r`` on the diagonal and ``(c - d) / r``
    off it, with the eigenvalues c of constant and d of varying tables.
    """
    values = spectrum
    for axis, size in enumerate(sizes):
        constant, varying = np.moveaxis(values, axis, 0)
        share = Fraction(1, size)
        pair = [share * (constant + (size - 1) * varying), share * (constant - varying)]
        values = np.moveaxis(np.array(pair, dtype=object), 0, axis)
    return values


def _slack(now: SchemeChannel, later: SchemeChannel, spectrum: Integers) -> float:
    """Return what a unit or two in each entry of both tables can change in an entry of C."""
    units = 2 * now.truth_size * (1 / now.denominator + 1 / later.denominator)
    return units * spectrum.size * later.denominator / float(min(abs(spectrum.ravel())))
