"""A device of ten thousand categories: the uniform channel, and `k_rr`, against the dense table.

Both are built from the same epsilon and estimate from the same counts, with all standard errors
and intervals, in one process. The least time of several rounds counts.
"""

import time
from collections.abc import Callable

import numpy as np

import rr_engine
from benchmarks.effort import Effort, Rows

CATEGORIES, EPSILON = 10_000, "8"
PEOPLE = 1_000_000
DENSE_ROUNDS, ROUNDS = 2, 5
SEED = 20261122
# The targets for building the device and estimating: the ratio to the dense table's time, and the
# seconds.
TARGETS = {
    "together.ratio": ("<=", 0.2),
    "together.seconds": ("<=", 2.0),
    "k_rr.ratio": ("<=", 0.2),
}


def rows(_effort: Effort) -> Rows:
    counts = np.random.default_rng(SEED).multinomial(PEOPLE, np.full(CATEGORIES, 1 / CATEGORIES))
    uniform, dense = (
        lambda: rr_engine.channels.UniformChannel.from_epsilon(CATEGORIES, EPSILON),
        lambda: rr_engine.k_rr(CATEGORIES, EPSILON).quantized(),
    )
    ours = _least_seconds(uniform, counts, ROUNDS)
    named = _least_seconds(lambda: rr_engine.k_rr(CATEGORIES, EPSILON), counts, ROUNDS)
    theirs = _least_seconds(dense, counts, DENSE_ROUNDS)
    compared = {name: _compare(ours[name], theirs[name]) for name in ours}
    return {**compared, "k_rr": _compare(named["together"], theirs["together"])}


def _compare(ours: float, theirs: float) -> dict[str, float]:
    return {"seconds": ours, "dense_seconds": theirs, "ratio": ours / theirs}


def _least_seconds(
    build: Callable[[], rr_engine.channels.Channel], counts: np.ndarray, rounds: int
) -> dict[str, float]:
    device, estimate = [], []
    for _ in range(rounds):
        began = time.perf_counter()
        channel = build()
        device.append(time.perf_counter() - began)
        began = time.perf_counter()
        result = rr_engine.estimate(channel, counts)
        result.standard_errors, result.interval(method="default")
        estimate.append(time.perf_counter() - began)
    return {
        "device": min(device),
        "estimate": min(estimate),
        "together": min(device) + min(estimate),
    }
