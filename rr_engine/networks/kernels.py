"""How many ones come in from the ties of a person of known degree."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from rr_engine.validation import FloatArray, IntArray


def ones_kernel(
    once: int, twice: int, chances: tuple[float, float], degrees: IntArray
) -> FloatArray:
    """Return the chance of each number of ones for some degrees.

    Parameters
    ----------
    once, twice : int
        Others with whom the tie was reported by one end, and by both.
    chances : tuple of float
        p and q of the device.
    degrees : numpy.ndarray of int
        Those above once + twice cannot be.

    Returns
    -------
    numpy.ndarray of float, shape (once + 2 twice + 1, degrees)
        Columns sum to 1, or are 0 for a degree that cannot be.

    Notes
    -----
    Of a degree d among those reported once the ones are ``Binomial(d, p) + Binomial(once - d, q)``;
    convolutions are products of Fourier transforms. Where some were reported twice it is not known
    how many of the ties are among these: any d of the others are equally likely to be the ties.
    """
    points = once + 2 * twice + 1
    angle = np.exp(-2j * np.pi * np.arange(points) / points)
    # Reports about ties are at most so many, as none are at least.
    most = min(int(degrees.max()), once + twice) + twice
    least = max(points - 1 - most, 0)
    (p, q), count = chances, min(most, points - 1) + 1
    tie, none = (_powers(1 - c + c * angle, k, count) for c, k in ((p, 0), (q, least)))
    transform = np.zeros((len(degrees), points), dtype=np.complex128)
    for among in range(twice + 1):
        shares = _shares_twice(degrees, among, once, twice)
        some = np.flatnonzero(shares)
        ties = degrees[some] + among
        transform[some] += shares[some, None] * tie[ties] * none[points - 1 - ties - least]
    kernel = np.maximum(np.fft.ifft(transform, axis=1).real.T, 0.0)
    return kernel * (degrees <= once + twice)


def _powers(values: np.ndarray, first: int, count: int) -> np.ndarray:
    """Return the powers from `first` on, in rows."""
    table = np.empty((count, len(values)), dtype=np.complex128)
    table[0], table[1:] = values**first, values
    return np.cumprod(table, axis=0)


def _shares_twice(degrees: IntArray, among: int, once: int, twice: int) -> FloatArray:
    """Return the chance that `among` of the ties are with people reported twice."""
    rest = degrees - among
    possible = (rest >= 0) & (rest <= once)
    rest = np.clip(rest, 0, once)
    all_of = np.minimum(degrees, once + twice)
    logs = _log_choose(twice, np.asarray(among)) + _log_choose(once, rest)
    return np.where(possible, np.exp(logs - _log_choose(once + twice, all_of)), 0.0)


def _log_choose(n: int, k: np.ndarray) -> FloatArray:
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
