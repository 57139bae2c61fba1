"""Networks: rosters of a hundred to all of a hundred thousand people, drawn, folded and estimated.

Ratios are to reading the same bits from a file with NumPy and adding them up. Memory is the peak
beyond the rosters and bits themselves. `everybody` is 185 people, each asked about all others.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import rr_engine
from benchmarks.costs import MEGABYTE, least_seconds, peak_bytes
from benchmarks.effort import Effort, Rows

SIZES = {"everybody": 185, "1e2": 100, "1e3": 1_000, "1e4": 10_000, "1e5": 100_000}
ROSTER, EPSILON, DEGREE, SEED = 100, 2, 7, 2016
# Bits up to which several rounds are cheap.
REPEATED = 200_000
TARGETS = {
    "everybody.estimate": ("<=", 0.05),
    "1e5.estimate": ("<=", 40.0),
    "1e5.megabytes": ("<=", 1000.0),
}


def rows(effort: Effort) -> Rows:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "bits.npy"
        return {name: _measure(name, n, path, effort.rounds) for name, n in SIZES.items()}


def _measure(name: str, n: int, path: Path, rounds: int) -> dict[str, float]:
    generator = np.random.default_rng(SEED)
    alters = _rosters(n, n - 1 if name == "everybody" else min(ROSTER, n - 1), generator)
    truths = (generator.random(alters.size) < DEGREE / alters.shape[1]).astype(np.int64)
    device = rr_engine.k_rr(2, EPSILON)
    bits = rr_engine.randomize(device, truths, generator.bytes).astype(np.uint8)
    np.save(path, bits)
    rounds = rounds if bits.size <= REPEATED else 1
    reports = _reports(alters, bits)

    def work() -> None:
        rr_engine.networks.estimate_network(reports, device, directed=False)

    numbers = {
        "read": least_seconds(lambda: np.load(path).sum(), max(rounds, 3)),
        "randomize": least_seconds(lambda: rr_engine.randomize(device, truths), rounds),
        "fold": least_seconds(lambda: _reports(alters, bits), rounds),
        "estimate": least_seconds(work, rounds),
        "megabytes": peak_bytes(work) / MEGABYTE,
    }
    steps = ("randomize", "fold", "estimate")
    return numbers | {f"{step}_ratio": numbers[step] / numbers["read"] for step in steps}


def _rosters(n: int, size: int, generator: np.random.Generator) -> np.ndarray:
    """Random others for each, one from each of as many stretches of the group."""
    step = (n - 1) // size
    starts = np.arange(size) * step + 1
    offsets = starts + generator.integers(0, step, (n, size), dtype=np.int32)
    return (np.arange(n)[:, None] + offsets) % n


def _reports(alters: np.ndarray, bits: np.ndarray) -> rr_engine.networks.NetworkReports:
    n, size = alters.shape
    ends = np.arange(n + 1) * size
    return rr_engine.networks.NetworkReports(n, np.arange(n), ends, alters.ravel(), bits)
