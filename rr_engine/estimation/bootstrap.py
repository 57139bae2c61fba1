"""Parametric bootstrap: surveys drawn from the nearest proportions that can exist."""

from collections.abc import Iterator, Sequence

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.channels.counting import whole_people
from rr_engine.channels.protocol import SingleShares
from rr_engine.estimation.score import Measured, centres, single_shares, variance_curves
from rr_engine.precision import left_inverse

# An odd thousand, so that usual levels fall on order statistics.
SURVEYS = 1999
# Largest population that NumPy's hypergeometric generator takes.
NUMPY_HYPERGEOMETRIC = 10**9


def bootstrap(estimate: Measured, alpha: float, seed: int) -> FloatArray:
    """Return the studentised parametric bootstrap interval of each proportion."""
    centre, truth = centres(estimate), estimate.projected()
    simulated = _draw_estimates(estimate, truth, np.random.default_rng(seed))
    curves = variance_curves(estimate, estimate.population)
    error = _errors(simulated, curves, estimate.n)
    pivots = np.divide(simulated - truth, error, out=np.zeros_like(simulated), where=error > 0)
    low, high = np.quantile(pivots, [alpha / 2, 1 - alpha / 2], axis=0, method="weibull")
    standard_errors = _errors(centre[None], curves, estimate.n)[0]
    return np.column_stack([centre - high * standard_errors, centre - low * standard_errors])


def _errors(
    values: FloatArray, curves: tuple[FloatArray, FloatArray, FloatArray], n: int
) -> FloatArray:
    """Return the standard error that a survey with these estimates states, never from outside."""
    x = np.clip(values, 0.0, 1.0)
    return np.sqrt(np.maximum(curves[0] + curves[1] * x + curves[2] * x**2, 0.0) / n)


def _draw_estimates(estimate: Measured, truth: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return the estimates of drawn surveys, shape (surveys, truths)."""
    draw = _fixed_counts if estimate.population == "fixed" else _sample_counts
    shares = single_shares(estimate)
    if shares is not None:
        # Each proportion depends on one report: that report against all the others.
        columns = [
            shares.offset[v]
            + shares.slope[v] * draw([device], [estimate.n], pair, rng)[:, 0] / estimate.n
            for v, (device, pair) in enumerate(_devices_of_one(truth, shares))
        ]
        return np.column_stack(columns)
    sizes = [int(estimate.counts[rows].sum()) for rows in estimate.blocks]
    devices = [
        estimate.matrix[rows] * (estimate.n / size)
        for rows, size in zip(estimate.blocks, sizes, strict=True)
    ]
    counts = draw(devices, sizes, truth, rng)
    return counts @ left_inverse(estimate.matrix, estimate.weights).T / estimate.n


def _devices_of_one(
    truth: FloatArray, shares: SingleShares
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield for each truth the binary device that its proportion depends on."""
    for v, retention in enumerate(shares.within):
        other = np.clip((0 - shares.offset[v]) / shares.slope[v], 0.0, 1.0)
        yield (
            np.array([[retention, other], [1 - retention, 1 - other]]),
            np.array([truth[v], 1 - truth[v]]),
        )


def _sample_counts(
    devices: Sequence[FloatArray], sizes: Sequence[int], truth: FloatArray, rng: np.random.Generator
) -> IntArray:
    """Return counts of surveys of a population with these proportions."""
    samples = [
        rng.multinomial(size, _normalise(device @ truth), size=SURVEYS)
        for device, size in zip(devices, sizes, strict=True)
    ]
    return np.hstack(samples)


def _fixed_counts(
    devices: Sequence[FloatArray], sizes: Sequence[int], truth: FloatArray, rng: np.random.Generator
) -> IntArray:
    """Return counts of one group with these proportions, split among its devices by chance."""
    left, samples = np.tile(whole_people(truth, sum(sizes)), (SURVEYS, 1)), []
    for device, size in zip(devices, sizes, strict=True):
        members = _draw_without_replacement(left, size, rng)
        left = left - members
        reports = [
            rng.multinomial(members[:, v], _normalise(column)) for v, column in enumerate(device.T)
        ]
        samples.append(sum(reports))
    return np.hstack(samples)


def _draw_without_replacement(left: IntArray, size: int, rng: np.random.Generator) -> IntArray:
    """Draw `size` of the people left in each survey without replacement, one truth at a time."""
    if size == int(left[0].sum()):
        return left
    members, remaining, total = np.zeros_like(left), np.full(len(left), size), left.sum(axis=1)
    for v in range(left.shape[1]):
        total = total - left[:, v]
        members[:, v] = _hypergeometric(left[:, v], total, remaining, rng)
        remaining = remaining - members[:, v]
    return members


def _hypergeometric(
    good: IntArray, bad: IntArray, draws: IntArray, rng: np.random.Generator
) -> IntArray:
    """Draw how many of those `draws` are good; of a billion or more, by the normal limit."""
    if max(good.max(), bad.max()) < NUMPY_HYPERGEOMETRIC:
        return rng.hypergeometric(good, bad, draws)
    total = np.maximum(good + bad, 2).astype(np.float64)
    mean = draws * (good / total)
    spread = np.sqrt(mean * (bad / total) * ((total - draws) / (total - 1)))
    successes = np.rint(rng.normal(mean, spread)).astype(np.int64)
    return np.clip(successes, np.maximum(draws - bad, 0), np.minimum(good, draws))


def _normalise(chances: FloatArray) -> FloatArray:
    """Return probabilities without the rounding errors that the generator refuses."""
    positive = np.clip(chances, 0.0, 1.0)
    return positive / positive.sum()
