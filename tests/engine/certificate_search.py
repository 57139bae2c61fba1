"""A random search for certificates that do not hold, up to the ends of the range.

`python -m tests.engine.certificate_search --cases 10000 --seed 1` prints what it counted and fails
if anything is wrong; the tests run a few cases. Sizes and constraints: `random_case`.
"""

import argparse
import math
import sys
import time
import warnings
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np

from rr_engine import EngineError
from rr_engine.optimisation import solve_bound, verify_certificate
from rr_engine.privacy.loss import exponential_bounds
from tests.engine.optimal_cases import inverse

# How often so many truths are drawn; verifying lists 2**truths rays or more in rationals.
TRUTHS = {2: 36, 3: 40, 4: 18, 5: 4, 6: 1, 7: 0.4, 8: 0.2, 9: 0.15, 10: 0.1, 11: 0.1, 12: 0.05}
# Both constraints at once list many times as many rays.
MOST_JOINT = 4
# Rays and weights are handed over as floats; the mechanism behind them is exact.
FLOATS = Fraction(1, 10**14)
# Inverting in rationals what floats say of it, up to so many truths.
MOST_INVERTED = 4


def random_case(rng):
    """Prior, n, privacy, delta, epsilon: from easy ones to the ends of every range."""
    truths = int(rng.choice(list(TRUTHS), p=np.array(list(TRUTHS.values())) / sum(TRUTHS.values())))
    prior = random_prior(rng, truths)
    n, largest = int(10 ** rng.uniform(0, 7)), float(prior.max())
    kind = rng.choice(["delta", "epsilon", "both", "privacy"], p=[0.5, 0.15, 0.25, 0.1])
    if truths > MOST_JOINT and kind in ("both", "privacy"):
        kind = "delta"
    # Where both count there are many rays: seldom so beyond three truths.
    if truths == MOST_JOINT and rng.random() < 0.7 and kind in ("both", "privacy"):
        kind = "delta"
    epsilon = None if kind == "delta" else random_epsilon(rng)
    if kind == "epsilon":
        return prior, n, None, None, epsilon
    delta = random_delta(rng, largest) if kind != "privacy" else None
    return prior, n, random_privacy(rng, largest, delta), delta, epsilon


def random_prior(rng, truths):
    way = rng.integers(4)
    if way == 0:
        shares = np.full(truths, 1.0)
    elif way == 1:
        shares = rng.dirichlet(np.full(truths, 10 ** rng.uniform(-1, 1.5))) + 1e-12
    elif way == 2:
        # As people write them.
        shares = np.round(rng.dirichlet(np.ones(truths)), 3) + 0.001
    else:
        shares = 10 ** rng.uniform(-rng.uniform(0, 10), 0, truths)
    return shares / shares.sum()


def random_epsilon(rng):
    return Decimal(repr(round(float(10 ** rng.uniform(-2, math.log10(20))), 6)))


def random_delta(rng, largest):
    distance = 0.0 if rng.random() < 0.03 else 10 ** rng.uniform(-12, 0)
    delta = largest + distance * (1 if rng.random() < 0.7 else 1 - largest)
    # Where the rays change: one over a whole number, or next to it.
    if rng.random() < 0.1:
        delta = 1 / rng.integers(1, 6) + rng.choice([0, 1e-16, -1e-16, 1e-12, -1e-12])
    return float(delta) if largest <= delta < 1 else float(rng.uniform(largest, 1))


def random_privacy(rng, largest, delta):
    most, way = 1 - largest, rng.integers(5)
    if way == 0:
        return 0.0 if delta is None else None
    if way == 1 and delta is not None:
        near = 1 - delta + rng.choice([-1, 0, 1]) * 10 ** rng.uniform(-16, -3)
    elif way == 2:
        near = most - 10 ** rng.uniform(-15, 0)
    else:
        near = rng.uniform(0, most)
    return float(near) if 0 <= near < most else float(rng.uniform(0, most) * 0.999)


def fault_of(case):
    """Return the fault of the answer to one case, None or its name, and the certificate's gap."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            solution = solve_bound(*case)
    except EngineError as error:
        return (
            f"refused: {error.argument} must {error.rule.split('(')[0].split(' as small')[0]}",
            None,
        )
    except Exception as error:
        return f"FAILED: {type(error).__name__} {error}", None
    certificate = solution.certificate
    if not certificate.gap >= 0 or not certificate.value >= certificate.bound > 0:
        return "FAILED: gap below zero", certificate.gap
    broken = broken_by(solution)
    if broken is not None:
        return f"FAILED: {broken}", certificate.gap
    if not verify_certificate(certificate):
        return "FAILED: not verified", certificate.gap
    return None, certificate.gap


def broken_by(solution):
    """Which constraint of the certificate the mechanism that attains its value does not keep."""
    certificate = solution.certificate
    shares = [Fraction(share) for share in certificate.prior.tolist()]
    shares = [share / sum(shares) for share in shares]
    rays = [[Fraction(entry) for entry in ray] for ray in solution.rays.tolist()]
    weights = [Fraction(weight) for weight in solution.weights.tolist()]
    rows = [[w * q for q in ray] for w, ray in zip(weights, rays, strict=True)]
    for column, share in zip(zip(*rows, strict=True), shares, strict=True):
        if abs(sum(column) - share) > FLOATS * share * len(rows):
            return "columns do not sum to one"
    if certificate.delta is not None:
        if any(max(row) > Fraction(certificate.delta) * sum(row) * (1 + FLOATS) for row in rows):
            return "a posterior is above delta"
        most = 1 - max(Fraction(certificate.privacy), 1 - Fraction(certificate.delta))
        if sum(map(max, rows)) > most * (1 + FLOATS):
            return "guessed more often than privacy allows"
    if certificate.epsilon is not None:
        grown = Fraction(exponential_bounds(certificate.epsilon)[1]) * (1 + FLOATS)
        for row in rows:
            chances = [entry / share for entry, share in zip(row, shares, strict=True)]
            if max(chances) > grown * min(chances):
                return "a ratio is above e**epsilon"
    return error_differs(certificate, rows, shares)


def error_differs(certificate, rows, shares):
    """Tell whether the value is not the error of the mechanism, by other means."""
    size = len(shares)
    if size > MOST_INVERTED:
        return None
    matrix = np.array([[float(p / s) for p, s in zip(r, shares, strict=True)] for r in rows])
    reported = np.array([float(sum(row)) for row in rows])
    information = (matrix / reported[:, None]).T @ matrix
    if np.linalg.cond(information) > 1e9:
        return None
    exact = inverse([[Fraction(entry) for entry in row] for row in information.tolist()])
    trace = float(sum(exact[i][i] for i in range(size)) - sum(share**2 for share in shares))
    value = certificate.value * size * certificate.n
    return None if math.isclose(trace, value, rel_tol=1e-5) else "the value is another mechanism's"


def search(cases, seed):
    """Counts of what was found in so many cases, and the gaps of the certificates."""
    rng, counted, gaps, faults = np.random.default_rng(seed), Counter(), [], []
    for _ in range(cases):
        case = random_case(rng)
        fault, gap = fault_of(case)
        counted[fault or "verified"] += 1
        if gap is not None:
            gaps.append(gap)
        if fault and fault.startswith("FAILED"):
            faults.append((fault, case))
    return counted, gaps, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    counted, gaps, faults = search(options.cases, options.seed)
    lines = [f"{count:6} {what}" for what, count in counted.most_common()]
    for limit in (1e-6, 1e-3, 1.0):
        lines.append(f"{sum(gap > limit for gap in gaps):6} gaps above {limit:g}")
    lines += [f"{fault}: {case}" for fault, case in faults]
    lines.append(f"{time.monotonic() - began:.0f} seconds")
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
