"""`python -m benchmarks.optimal`: searches for optimal matrices, compared with pymoo's SPEA2.

Areas in the plane of privacy and efficiency (docs/methods/optimal.md), delta .75, priors of ten
categories, 10,000 respondents; seconds of processor time in one process. `--quick` leaves out OptRR
and pymoo, `--long` adds OptRR's own 20,000 generations. pymoo runs in a process of its own under
the Python of var/peers.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.stats import gamma, norm

import rr_engine
from benchmarks.effort import Effort, Rows
from rr_engine.optimisation import block_designs, rotations
from rr_engine.optimisation.front import efficiency, evaluate, hypervolume

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "var" / "peers" / "bin" / "python"
N, DELTA = 10_000, 0.75
GENERATIONS, LONG, SEEDS = 2_000, 20_000, (0, 1, 2)
EVALUATIONS = 200_000
DECK_EPSILONS = (0.1, 0.3, 0.5, 0.7, 1, 1.5, 2, 2.5, 3)
LEVELS = (0.3, 0.4, 0.5, 0.6, 0.7)
DELTAS = (0.6, 0.75, 0.9)
# Matrices of ten numbers a side: more threads than one only wait for each other.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# (number, relation, target for normal, gamma, uniform)
TARGETS = (
    ("local", ">=", (0.138, 0.121, 0.160)),
    ("local_seconds", "<=", (60.0, 60.0, 60.0)),
    ("local/pymoo", ">=", (1.20, 1.20, 1.20)),
    ("local/pymoo_our_start", ">=", (1.20, 1.20, 1.20)),
    ("optrr", ">=", (0.113, 0.085, 0.124)),
    ("optrr_20000", ">=", (0.120, 0.0, 0.0)),
    ("optrr_seconds", "<=", (15.0, 15.0, 15.0)),
    ("certificate_seconds", "<=", (3.0, 3.0, 3.0)),
    ("certificate_gap", "<=", (1e-4, 1e-4, 1e-4)),
    ("warner", ">=", (0.0703, 0.0336, 0.1134)),
)


def bin_masses(cdf: Callable, low: float, high: float) -> np.ndarray:
    masses = np.diff(cdf(np.linspace(low, high, 11)))
    return masses / masses.sum()


PRIORS = {
    "normal": bin_masses(norm.cdf, -3, 3),
    "gamma": bin_masses(gamma(1, scale=2).cdf, 0, 8),
    "uniform": np.full(10, 0.1),
}

BY_ROW = {
    f"{name}.{number}": (relation, values[index])
    for number, relation, values in TARGETS
    for index, name in enumerate(PRIORS)
}


def measure(name: str, *, quick: bool = False, long: bool = False) -> dict[str, float]:
    prior = PRIORS[name]
    numbers = {"warner": warner_area(prior)}
    for method in ("local", "certified"):
        numbers |= _time(method, lambda method=method: _area(prior, method, 0, GENERATIONS))
    numbers |= {} if quick else optrr(prior)
    if long:
        numbers |= _time("optrr_20000", lambda: _area(prior, "optrr", 0, LONG))
    return numbers | certificates(prior)


def optrr(prior: np.ndarray) -> dict[str, float]:
    """The mean of three runs, because OptRR draws its matrices."""
    runs = [_time("optrr", lambda s=seed: _area(prior, "optrr", s, GENERATIONS)) for seed in SEEDS]
    return {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}


def _area(prior: np.ndarray, method: str, seed: int, generations: int) -> float:
    return rr_engine.optimisation.search_designs(
        prior, N, DELTA, method, generations, seed
    ).hypervolume


def _time(name: str, run: Callable[[], float]) -> dict[str, float]:
    began = time.process_time()
    value = run()
    return {name: value, f"{name}_seconds": time.process_time() - began}


def certificates(prior: np.ndarray) -> dict[str, float]:
    """The largest gap and time of a certified bound; each certificate is verified in rationals."""
    gaps, seconds = [], []
    for delta in DELTAS:
        for privacy in LEVELS:
            if privacy < 1 - prior.max():
                began = time.process_time()
                certificate = rr_engine.optimisation.mse_lower_bound(prior, N, privacy, delta)
                seconds.append(time.process_time() - began)
                gaps.append(certificate.gap)
    verified = rr_engine.optimisation.verify_certificate(certificate)
    return {
        "certificate_gap": max(gaps),
        "certificate_seconds": max(seconds),
        "verified": float(verified),
    }


def warner_area(prior: np.ndarray) -> float:
    size = len(prior)
    retention = np.arange(1001)[:, None, None] / 1000
    matrices = (1 - retention) / (size - 1) * (1 - np.eye(size)) + retention * np.eye(size)
    return area_of(matrices, prior)


def area_of(matrices: np.ndarray, prior: np.ndarray) -> float:
    privacy, error, worst = evaluate(matrices, prior)
    allowed = worst <= DELTA + 1e-12
    return hypervolume(privacy[allowed], efficiency(error[allowed], prior), DELTA)


def spea2(name: str, start: str) -> float:
    """pymoo's SPEA2, 100 matrices by 2,000 generations; columns are normalised.

    `start` is "own", its random sampling, or "ours": the truth mixed with random columns.
    """
    from pymoo.algorithms.moo.spea2 import SPEA2  # only under var/peers
    from pymoo.core.problem import Problem
    from pymoo.optimize import minimize

    prior = PRIORS[name]
    size = len(prior)

    class Matrices(Problem):
        def __init__(self) -> None:
            super().__init__(n_var=size * size, n_obj=2, n_ieq_constr=1, xl=0.0, xu=1.0)

        def _evaluate(self, x: np.ndarray, out: dict, *_: object, **__: object) -> None:
            privacy, error, worst = evaluate(normalise_columns(x, size), prior)
            out["F"] = np.column_stack([-privacy, -efficiency(error, prior)])
            out["G"] = (worst - DELTA)[:, None]

    sampling = {"sampling": spread_start(size)} if start == "ours" else {}
    algorithm = SPEA2(pop_size=100, **sampling)
    result = minimize(Matrices(), algorithm, ("n_eval", EVALUATIONS), seed=0)
    return area_of(normalise_columns(result.X, size), prior)


def normalise_columns(x: np.ndarray, size: int) -> np.ndarray:
    weights = x.reshape(-1, size, size) + 1e-9
    return weights / weights.sum(axis=1, keepdims=True)


def spread_start(size: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    columns = np.swapaxes(rng.dirichlet(np.ones(size), size=(100, size)), 1, 2)
    share = rng.random(100)[:, None, None]
    return (share * np.eye(size) + (1 - share) * columns).reshape(100, -1)


def peers(name: str) -> dict[str, float]:
    """SPEA2 with its own start, and with the start that our port has."""
    numbers = _time("pymoo", lambda: spea2(name, "own"))
    return numbers | _time("pymoo_our_start", lambda: spea2(name, "ours"))


def print_decks() -> None:
    """Excess over the minimax value in percent, card size, cards; each computed without a cache."""
    print("| n |", " | ".join(f"{epsilon:g}" for epsilon in DECK_EPSILONS), "|")
    print("|---" * (len(DECK_EPSILONS) + 1) + "|")
    slowest = 0.0
    for size in range(4, 51):
        cells = []
        for epsilon in DECK_EPSILONS:
            for cached in (
                block_designs._catalogue,
                block_designs._search_blocks,
                rotations.catalogue,
            ):
                cached.cache_clear()
            began = time.process_time()
            deck = rr_engine.designs.card_deck(size, epsilon)
            slowest = max(slowest, time.process_time() - began)
            excess = 100 * max(0.0, deck.excess)
            cells.append(f"{excess:.1f} ({deck.subset_size}, {len(deck.subsets)})")
        print(f"| {size} |", " | ".join(cells), "|")
    print(f"slowest: {slowest:.3f} s of processor time")


def rows(effort: Effort) -> Rows:
    """All numbers by prior, each part in a process with one thread."""
    return compare(["--long"] if effort.full else ["--quick"], with_peers=effort.full)


def compare(options: list[str], *, with_peers: bool) -> Rows:
    parts: Rows = {}
    for name in PRIORS:
        parts[name] = _run_apart(sys.executable, ["--prior", name, *options])
        if with_peers:
            parts[name] |= _run_apart(str(PEERS), ["--spea2", name])
            for peer in ("pymoo", "pymoo_our_start"):
                parts[name][f"local/{peer}"] = parts[name]["local"] / parts[name][peer]
    return parts


def _run_apart(python: str, arguments: list[str]) -> dict[str, float]:
    command = [python, "-W", "ignore", "-m", "benchmarks.optimal", *arguments]
    environment = os.environ | ONE_THREAD
    process = subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True, env=environment
    )
    return json.loads(process.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.optimal", description=__doc__)
    parser.add_argument("--prior", choices=PRIORS, help="ours, for one prior")
    parser.add_argument("--quick", action="store_true", help="of ours, leave OptRR out")
    parser.add_argument("--long", action="store_true", help="of ours, 20,000 generations as well")
    parser.add_argument("--spea2", choices=PRIORS, help="pymoo, for one prior")
    parser.add_argument("--decks", action="store_true", help="decks of cards, 4 to 50 options")
    options = parser.parse_args()
    if options.decks:
        print_decks()
    elif options.spea2:
        print(json.dumps(peers(options.spea2)))
    elif options.prior:
        print(json.dumps(measure(options.prior, quick=options.quick, long=options.long)))
    else:
        print(json.dumps(compare(["--long"] if options.long else [], with_peers=True), indent=2))


if __name__ == "__main__":
    main()
