"""How many ones come in from the ties of a person of known degree."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from rr_engine.validation import FloatArray


def ones_kernel(once: int, twice: int, chances: tuple[float, float]) -> FloatArray:
    """Return the chance of each number of ones for each degree.

    Parameters
    ----------
    once, twice : int
        Others with whom the tie was reported by one end, and by both.
    chances : tuple of float
        p and q of the device.

    Returns
    -------
    numpy.ndarray of float, shape (once + 2 twice + 1, once + twice + 1)
        Columns sum to 1.

    Notes
    -----
    Of a degree d among those reported once the ones are ``Binomial(d, p) + Binomial(once - d, q)``;
    convolutions are products of Fourier transforms. Where some were reported twice it is not known
    how many of the ties are among these: any d of the others are equally likely to be the ties.
    """
    asked = once + twice
    points = once + 2 * twice + 1
    angle = np.exp(-2j * np.pi * np.arange(points) / points)
    tie, none = (1 - chance + chance * angle for chance in chances)
    degrees = np.arange(asked + 1)
    transform = np.zeros((points, asked + 1), dtype=np.complex128)
    for among in range(twice + 1):
        shares = _hypergeometric(degrees, among, once, twice)
        some = np.flatnonzero(shares)
        ties = degrees[some] + among
        parts = tie[:, None] ** ties * none[:, None] ** (points - 1 - ties)
        transform[:, some] += shares[some] * parts
    kernel = np.maximum(np.fft.ifft(transform, axis=0).real, 0.0)
    return kernel / kernel.sum(axis=0)


def _hypergeometric(degrees: np.ndarray, among: int, once: int, twice: int) -> FloatArray:
    """Return the chance that `among` of the ties are with people reported twice."""
    rest = degrees - among
    possible = (rest >= 0) & (rest <= once)
    rest = np.clip(rest, 0, once)
    logs = _log_choose(twice, np.asarray(among)) + _log_choose(once, rest)
    return np.where(possible, np.exp(logs - _log_choose(once + twice, degrees)), 0.0)


def _log_choose(n: int, k: np.ndarray) -> FloatArray:
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
