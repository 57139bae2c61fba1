"""Decoding of short texts: the reports of RAPPOR against a list of candidates, on one core.

The least time of several rounds counts, hashing of the candidates included. The processor's time is
measured, so that a second core makes nothing look faster.
"""

import time

import numpy as np

import rr_engine
from benchmarks.effort import Effort, Rows

BITS, COHORTS, EPSILON = 256, 8, "4"
SIZES = (100, 300, 1000)
OCCURRING, PEOPLE, SEED = 50, 100_000, 20261123
TARGETS = {"1000 candidates.cpu_seconds": ("<=", 2.0)}


def rows(effort: Effort) -> Rows:
    device = rr_engine.rappor.Rappor.for_epsilon(EPSILON, bits=BITS, cohorts=COHORTS)
    words = [f"word {number}" for number in range(max(SIZES))]
    weights = 1 / np.arange(1, OCCURRING + 1)
    shares = weights / weights.sum()
    tallies = rr_engine.rappor.simulate_string_tallies(
        device, words[:OCCURRING], shares, PEOPLE, SEED
    )
    return {
        f"{size} candidates": _measure(device, tallies, words[:size], effort.rounds)
        for size in SIZES
    }


def _measure(
    device: rr_engine.rappor.Rappor, tallies: np.ndarray, candidates: list[str], rounds: int
) -> dict[str, float]:
    seconds, processor = [], []
    for _ in range(rounds):
        began, cpu_began = time.perf_counter(), time.process_time()
        result = rr_engine.rappor.decode_strings(device, tallies, candidates)
        seconds.append(time.perf_counter() - began)
        processor.append(time.process_time() - cpu_began)
    return {
        "seconds": min(seconds),
        "cpu_seconds": min(processor),
        "found": float(result.found.sum()),
    }
