"""`python -m benchmarks.engine`: drawing reports and estimating from them, compared with other
libraries.

Runs under the Python of var/peers, which has the peers and what rr_engine needs. Every time is the
least of several rounds in one process and is given per answer, because the peers draw one answer
at a time and get fewer of them.
"""

import json
import time
from collections.abc import Callable
from math import exp

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer

import rr_engine

EPSILON = 1.0
SIZES = (2, 10, 100)
MANY, FEW, ROUNDS = 1_000_000, 20_000, 5
UNIVARIATE = 100_000
SEED = 20261121

Drawer = Callable[[np.ndarray], object]


def measure() -> dict[str, dict[str, float]]:
    """Nanoseconds an answer by part and library, and our ratio to each of the others."""
    parts: dict[str, dict[str, float]] = {}
    for size in SIZES:
        truths = np.random.default_rng(SEED).integers(size, size=MANY)
        parts[f"draw, {size} categories"] = _compare_times(_drawers(size), truths)
        parts[f"estimate, {size} categories"] = _compare_times(_estimators(size), truths)
    parts["univariate"] = {"seconds": _univariate_seconds()}
    return parts


def _compare_times(
    functions: dict[str, tuple[Drawer, int]], answers: np.ndarray
) -> dict[str, float]:
    nanoseconds = {
        name: _least(function, answers[:count]) / count * 1e9
        for name, (function, count) in functions.items()
    }
    ratios = {f"ours/{name}": nanoseconds["ours"] / value for name, value in nanoseconds.items()}
    del ratios["ours/ours"]
    return {f"{name}_ns": value for name, value in nanoseconds.items()} | ratios


def _least(function: Drawer, answers: np.ndarray) -> float:
    function(answers[:100])  # just-in-time compilation is not measured
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        function(answers)
        times.append(time.perf_counter() - began)
    return min(times)


def _drawers(size: int) -> dict[str, tuple[Drawer, int]]:
    design = rr_engine.k_rr(size, EPSILON).quantized()
    client = DEClient(EPSILON, size, index_mapper=lambda value: value)
    return {
        "ours": (lambda truths: rr_engine.randomize(design, truths), MANY),
        "numpy": (lambda truths: _plain_draw(truths, size), MANY),
        "multi-freq-ldpy": (
            lambda truths: [GRR_Client(truth, size, EPSILON) for truth in truths.tolist()],
            FEW,
        ),
        "pure-ldp": (lambda truths: [client.privatise(truth) for truth in truths.tolist()], FEW),
    }


def _plain_draw(truths: np.ndarray, size: int) -> np.ndarray:
    """k-ary randomized response by NumPy's own generator: fast, and not secure."""
    rng = np.random.default_rng()
    keep = rng.random(len(truths)) < exp(EPSILON) / (exp(EPSILON) + size - 1)
    others = rng.integers(size - 1, size=len(truths))
    return np.where(keep, truths, others + (others >= truths))


def _estimators(size: int) -> dict[str, tuple[Drawer, int]]:
    """From raw reports to proportions; ours with covariance and interval, the others without."""
    design = rr_engine.k_rr(size, EPSILON).quantized()

    def ours(reports: np.ndarray) -> object:
        estimate = rr_engine.estimate(design, np.bincount(reports, minlength=size))
        return estimate.interval(method="default")

    def plain(reports: np.ndarray) -> object:
        retained, other = design.matrix[0, 0], design.matrix[0, 1]
        return (np.bincount(reports, minlength=size) / len(reports) - other) / (retained - other)

    def pure(reports: np.ndarray) -> object:
        server = DEServer(EPSILON, size, index_mapper=lambda value: value)
        for report in reports.tolist():
            server.aggregate(report)
        return server.estimate_all(range(size), suppress_warnings=True)

    return {
        "ours": (ours, MANY),
        "numpy": (plain, MANY),
        "multi-freq-ldpy": (lambda reports: GRR_Aggregator_MI(reports, size, EPSILON), FEW),
        "pure-ldp": (pure, FEW),
    }


def _univariate_seconds() -> float:
    """Forced response (2/3, 1/6, 1/6), n = 100,000: the case that the R packages were timed on."""
    design = rr_engine.forced_response(2 / 3, 1 / 6)
    truths = (np.random.default_rng(SEED).random(UNIVARIATE) < 0.1).astype(int)
    reports = rr_engine.randomize(design, truths)

    def both_estimates(raw: np.ndarray) -> object:
        estimate = rr_engine.estimate(design, np.bincount(raw, minlength=2))
        return estimate.interval(method="default"), rr_engine.estimate(
            design, estimate.counts, method="mle"
        )

    return _least(both_estimates, reports)


if __name__ == "__main__":
    print(json.dumps(measure()))
