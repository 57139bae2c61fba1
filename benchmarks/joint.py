"""Joint devices of a hundred to ten million cells: through the product structure, and densely.

Ours is the device, the estimate of the whole table with all standard errors, and the margins of
all pairs of questions; up to some thousand cells beside it the table by the inverse of the device's
table. The least time of several rounds counts; memory is the peak of a round of its own.
"""

from itertools import combinations
from math import prod

import numpy as np

import rr_engine
from benchmarks.costs import MEGABYTE, least_seconds, peak_bytes
from benchmarks.effort import Effort, Rows

SHAPES = {
    "1e2": (4, 5, 5),
    "1e3": (10, 10, 10),
    "3e3": (6, 10, 5, 10),
    "1e4": (10, 10, 10, 10),
    "adult": (9, 16, 5, 42),
    "1e5": (10,) * 5,
    "1e6": (10,) * 6,
    "1e7": (10,) * 7,
}
# Cells up to which the device's table is inverted.
DENSE = 3_000
# Cells up to which a second round is cheap.
REPEATED, ROUNDS = 200_000, 5
P, BITS, PEOPLE, SEED = 0.8, 52, 30_162, 20180926
# 30,240 cells, the paper's own cluster of four attributes: 50 ms and 100 MB.
TARGETS = {
    "1e3.ratio": ("<=", 0.2),
    "3e3.ratio": ("<=", 0.02),
    "adult.seconds": ("<=", 0.05),
    "adult.megabytes": ("<=", 100.0),
    "1e7.bytes_per_cell": ("<=", 200.0),
}


def rows(_effort: Effort) -> Rows:
    return {name: _measure(shape) for name, shape in SHAPES.items()}


def _measure(shape: tuple[int, ...]) -> dict[str, float]:
    cells = prod(shape)
    counts = np.random.default_rng(SEED).multinomial(PEOPLE, np.full(cells, 1 / cells))
    table, rounds = counts.reshape(shape), ROUNDS if cells <= REPEATED else 1
    ours = least_seconds(lambda: _structured(shape, table), rounds)
    peak = peak_bytes(lambda: _structured(shape, table))
    numbers = {
        "seconds": ours,
        "megabytes": peak / MEGABYTE,
        "bytes_per_cell": peak / cells,
    }
    if cells > DENSE:
        return numbers
    dense = least_seconds(lambda: _dense(shape, counts), ROUNDS if cells < DENSE else 1)
    return {**numbers, "dense_seconds": dense, "ratio": ours / dense}


def _structured(shape: tuple[int, ...], counts: np.ndarray) -> None:
    channel = rr_engine.channels.joint_design(shape, P, bits=BITS)
    joint = rr_engine.estimate_joint([channel], counts)
    # Read for what it takes to compute it.
    _ = joint.standard_errors
    for pair in combinations(range(len(shape)), 2):
        _ = joint.margin(pair).standard_errors


def _dense(shape: tuple[int, ...], counts: np.ndarray) -> None:
    table = rr_engine.channels.joint_design(shape, P, bits=BITS).matrix
    reported, inverse = counts / PEOPLE, np.linalg.inv(table)
    proportions = inverse @ reported
    np.sqrt(np.maximum(inverse**2 @ reported - proportions**2, 0) / (PEOPLE - 1))
