"""The posterior of one proportion by quadrature on the logit scale.

With y the share of the second truth and x its logit, the density of x is

    h(x) = y^a (1 - y)^b prod (c (1 - y) + d y)^n

up to a constant. ``h' / h = y (1 - y) [a/y - b/(1 - y) + sum n (d - c)/(c (1 - y) + d y)]``: each
term in the brackets falls in y, so that h has one peak. It is bracketed by bisection, and so are
the points on both sides where h is lost in rounding.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log

import numpy as np
from scipy.special import expit, log_expit

from rr_engine.arrays import FloatArray
from rr_engine.roots import halve

NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)
# Beyond the logit of any peak: the share of a prior of 0.01 beside 2**53 reports.
PEAK_LIMIT = 100.0
# e to the minus this is lost beside 1, with room for the length of the tails.
DROP = 60.0
BISECTIONS = 200
FIRST_PANELS, MOST_PANELS = 8, 1024
SETTLED = 1e-11
NEGLIGIBLE = 50.0


@dataclass(frozen=True, slots=True, eq=False)
class LineDensity:
    """A density of the logit of one share, in panels of Gauss-Legendre nodes."""

    log_density: Callable[[FloatArray], FloatArray]
    edges: FloatArray
    masses: FloatArray
    mean: float
    deviation: float

    def quantile(self, share: float) -> float:
        """Return the logit below which this share of the mass lies."""
        sums = np.cumsum(self.masses)
        panel = min(int(np.searchsorted(sums, share)), len(self.masses) - 1)
        missing = share - (sums[panel] - self.masses[panel])
        start, low, high = self.edges[panel], self.edges[panel], self.edges[panel + 1]

        def is_below(place: float) -> bool:
            within = _integrals(self.log_density, np.array([start, place]))[0].sum()
            return bool(within < missing)

        return float(np.mean(halve(is_below, low, high, BISECTIONS)))


def line_posterior(rows: FloatArray, counts: FloatArray, prior: FloatArray) -> LineDensity:
    """Return the posterior of the logit of the second of two shares."""
    peak = _peak(rows, counts, prior)
    log_height = _log_height(rows, counts, prior, peak)
    ends = [_end(log_height, peak, side, prior) for side in (-1, 1)]
    return _settled_density(log_height, ends[0], peak, ends[1])


def _log_height(
    rows: FloatArray, counts: FloatArray, prior: FloatArray, peak: float
) -> Callable[[FloatArray], FloatArray]:
    """Return ``log h`` less its value at the peak.

    Near the peak the ratio of two chances is taken from their difference: counts are large, and
    the difference of two logarithms would lose digits.
    """
    with np.errstate(divide="ignore"):
        clear, marked = np.log(rows).T[:, :, None]
    at_peak = rows @ expit([-peak, peak])
    tilt = ((rows[:, 1] - rows[:, 0]) / at_peak)[:, None] * expit(-peak)

    def log_height(logits: FloatArray) -> FloatArray:
        flat = logits.ravel()
        first, second = log_expit(-flat), log_expit(flat)
        # Further left the share is 0 beside that at the peak.
        nearer = np.maximum(flat, peak - NEGLIGIBLE)
        ratios = tilt * (expit(nearer) * -np.expm1(peak - nearer))
        far = np.logaddexp(clear + first, marked + second) - np.log(at_peak)[:, None]
        near = np.abs(ratios) < 0.5
        logs = np.where(near, np.log1p(np.where(near, ratios, 0)), far)
        value = prior[0] * (first - log_expit(-peak)) + prior[1] * (second - log_expit(peak))
        return (value + counts @ logs).reshape(logits.shape)

    return log_height


def _peak(rows: FloatArray, counts: FloatArray, prior: FloatArray) -> float:
    difference = rows[:, 1] - rows[:, 0]

    def rises(logit: float) -> bool:
        first, second = expit(-logit), expit(logit)
        chances = rows[:, 0] * first + rows[:, 1] * second
        gained = counts @ (difference * first * second / np.maximum(chances, np.finfo(float).tiny))
        return bool(prior[1] * first - prior[0] * second + gained > 0)

    return float(np.mean(halve(rises, -PEAK_LIMIT, PEAK_LIMIT, BISECTIONS)))


def _end(
    log_height: Callable[[FloatArray], FloatArray], peak: float, side: int, prior: FloatArray
) -> float:
    # In the tail the height falls by the prior's power of the share that vanishes there.
    power = float(prior[0] if side > 0 else prior[1])
    drop = DROP + max(0.0, -log(power))

    def high(distance: float) -> bool:
        return float(log_height(np.array([peak + side * distance]))[0]) > -drop

    return peak + side * float(halve(high, 0.0, PEAK_LIMIT + 2 * drop / power, BISECTIONS)[1])


def _settled_density(
    log_density: Callable[[FloatArray], FloatArray], low: float, peak: float, high: float
) -> LineDensity:
    panels, before = FIRST_PANELS, np.full(3, np.inf)
    while True:
        # Narrow panels at the peak, wide ones in the tails.
        steps = np.linspace(0, 1, panels) ** 2
        edges = np.concatenate([peak + (low - peak) * steps[:0:-1], peak + (high - peak) * steps])
        masses, moments, spreads = _integrals(log_density, edges)
        total = masses.sum()
        mean = float(moments.sum() / total)
        variance = float(spreads.sum() / total)
        now = np.array([total, mean, variance])
        if panels >= MOST_PANELS or (np.abs(now - before) <= SETTLED * np.abs(now)).all():
            break
        panels, before = 2 * panels, now
    scaled = log(float(total))
    return LineDensity(
        lambda logits: log_density(logits) - scaled,
        edges,
        masses / total,
        mean,
        float(np.sqrt(variance)),
    )


def _integrals(
    log_density: Callable[[FloatArray], FloatArray], edges: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return, of each panel, the mass, and the parts of mean and variance of the share."""
    halves = np.diff(edges)[:, None] / 2
    logits = edges[:-1, None] + halves * (1 + NODES)
    masses = np.exp(log_density(logits)) * (halves * WEIGHTS)
    shares = expit(logits)
    mean = (masses * shares).sum() / masses.sum() if masses.any() else 0.0
    spreads = masses * (shares - mean) ** 2
    return masses.sum(axis=1), (masses * shares).sum(axis=1), spreads.sum(axis=1)
