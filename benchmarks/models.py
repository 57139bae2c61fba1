"""`python -m benchmarks.models`: models of randomized answers compared with statsmodels.

Runs under the Python of var/peers. The ratio is to the same model of direct answers by statsmodels
on the same rows, which costs one Newton ascent without a device. Times are the least of several
rounds in turns.
"""

import json
from collections.abc import Callable

import numpy as np
import statsmodels.api as sm

import rr_engine
from benchmarks.costs import MEGABYTE, peak_bytes, seconds

SEED, ROUNDS = 20261123, 5
N, COVARIATES = 100_000, 3
SLOPES = np.array([-1.0, 0.5, -0.5, 0.8])


def measure() -> dict[str, dict[str, float]]:
    """Seconds and megabytes by model, and our ratio to statsmodels' logit of direct answers."""
    generator = np.random.default_rng(SEED)
    x = generator.normal(size=(N, COVARIATES))
    truths = (generator.random(N) < 1 / (1 + np.exp(-(SLOPES[0] + x @ SLOPES[1:])))).astype(int)
    device = rr_engine.forced_response(2 / 3, 1 / 6)
    reports = (generator.random(N) < device.matrix[1, truths]).astype(int)
    trait = generator.integers(0, 2, N)
    traits = (generator.random(N) < device.matrix[1, trait]).astype(int)
    codes = generator.integers(0, 4, N)
    columns = sm.add_constant(x)
    rounded = x.round()

    def plain() -> object:
        return sm.Logit(truths, columns).fit(disp=0)

    works: dict[str, Callable[[], object]] = {
        "logit": lambda: rr_engine.RRLogit(device).fit(x, reports),
        "logit, few patterns": lambda: rr_engine.RRLogit(device).fit(rounded, reports),
        "logit, direct answers": lambda: rr_engine.RRLogit(rr_engine.designs.direct(2)).fit(
            x, truths
        ),
        "probit": lambda: rr_engine.RRLogit(device, "probit").fit(x, reports),
        "multinomial, 4 categories": lambda: rr_engine.RRLogit(rr_engine.k_rr(4, 1.5)).fit(
            x, codes
        ),
        "randomized predictor": lambda: rr_engine.RRRegression("logit").fit(
            rr_engine.models.ReportLikelihoods(device, reports),
            x,
            [rr_engine.models.ReportLikelihoods(device, traits)],
        ),
    }
    return {name: _row(work, plain) for name, work in works.items()}


def _row(work: Callable[[], object], plain: Callable[[], object]) -> dict[str, float]:
    pairs = [(seconds(work), seconds(plain)) for _ in range(ROUNDS)]
    own, other = (min(each) for each in zip(*pairs, strict=True))
    return {
        "seconds": own,
        "statsmodels": other,
        "ratio": own / other,
        "megabytes": peak_bytes(work) / MEGABYTE,
    }


if __name__ == "__main__":
    print(json.dumps(measure()))
