"""Rays of the reports that keep a worst posterior and a privacy loss at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rr_engine.validation import FloatArray

# Some 300,000 rays for 10 categories.
MOST_CATEGORIES = 10
CLOSE = 1e-12


def joint_rays(prior: FloatArray, delta: float, epsilon: float) -> FloatArray:
    """Return the posteriors that suffice under both bounds, shape (rays, truths).

    Parameters
    ----------
    prior : ndarray, shape (truths,)
    delta : float
        At least the largest entry of the prior.
    epsilon : float

    Notes
    -----
    Let truth a have the largest posterior, and let a report have chances r between 1 and
    ``grown = e**epsilon``, t for a. Others are at most ``top = min(grown, t pi_a / pi_v)``, and
    the bound is one more inequality, ``t pi_a <= delta r . pi``. The vertices of this polytope:
    t at an end or where `top` bends and every other chance 1 or `top`; the same but for one
    chance that meets the bound with equality; and t between the bends that meets it itself.
    Whatever lies between is a mean of these, which costs no privacy and only adds information.
    """
    grown = float(np.exp(epsilon))
    found = [prior[None]]
    for first in range(len(prior)):
        chances = [rows for rows in _cell(prior, delta, grown, first) if len(rows)]
        if chances:
            joint = np.vstack(chances) * prior
            found.append(joint / joint.sum(axis=1, keepdims=True))
    return np.vstack(found)


def _cell(prior: FloatArray, delta: float, grown: float, first: int) -> Iterator[FloatArray]:
    """Yield vertices, as chances, where truth `first` has the largest posterior."""
    own, others = float(prior[first]), np.delete(prior, first)
    least = max(1.0, float(others.max()) / own)
    if least > grown * (1 + CLOSE):
        return
    inner = grown * others / own
    bends = np.unique(np.concatenate([[least, grown], inner[(inner > least) & (inner < grown)]]))
    high = _patterns(len(others))
    for t in bends.tolist():
        top = np.clip(t * own / others, 1.0, grown)
        chances = np.where(high, top, 1.0)
        # What the others' joint probability must reach.
        needed = t * own * (1 - delta) / delta
        yield _with(chances[chances @ others >= needed * (1 - CLOSE)], t, first)
        yield _with(_one_free(chances, top, others, needed), t, first)
    for low, up in zip(bends[:-1].tolist(), bends[1:].tolist(), strict=True):
        yield _between(low, up, high, others, own, delta, grown, first)


def _patterns(size: int) -> FloatArray:
    codes = np.arange(2**size)
    return ((codes[:, None] >> np.arange(size)) & 1) == 1


def _one_free(
    chances: FloatArray, top: FloatArray, others: FloatArray, needed: float
) -> FloatArray:
    """Return patterns with one chance raised until the others' joint probability suffices."""
    found = []
    total = chances @ others
    for place, share in enumerate(others):
        at_one = chances[:, place] == 1.0
        free = 1.0 + (needed - total) / share
        fits = at_one & (free > 1.0) & (free < top[place])
        changed = chances[fits]
        changed[:, place] = free[fits]
        found.append(changed)
    return np.vstack(found)


def _between(
    low: float,
    up: float,
    high: FloatArray,
    others: FloatArray,
    own: float,
    delta: float,
    grown: float,
    first: int,
) -> FloatArray:
    """Return patterns at the t between two bends, if there is one, where the bound is met."""
    tied = (low + up) / 2 * own / others < grown
    fixed = np.where(high, np.where(tied, 0.0, grown), 1.0) @ others
    count = (high & tied).sum(axis=1)
    slope = own * (1 - delta * (1 + count))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = delta * fixed / slope
    fits = (slope > 0) & (t > low) & (t < up)
    top = np.minimum(t[fits][:, None] * own / others, grown)
    return _with(np.where(high[fits], top, 1.0), t[fits], first)


def _with(chances: FloatArray, t: float | FloatArray, first: int) -> FloatArray:
    return np.insert(chances, first, t, axis=1)
