"""How often the intervals of a crowd's statistics cover, where the clusters are independent.

docs/methods/pooled.md has more surveys of more crowds.
"""

import numpy as np
import pytest

from rr_engine import k_rr
from rr_engine.channels import joint_design
from rr_engine.crowd import ClusterReports, CrowdAttribute, pooled_distribution

pytestmark = pytest.mark.slow

SURVEYS, PEOPLE, REPETITIONS, SEED = 200, 2000, 99, 20181
NUMBERS = np.array([1, 2, 3, 4])
A, B = CrowdAttribute("a", 2, (0, 1)), CrowdAttribute("b", 4, NUMBERS)
C = CrowdAttribute("c", 3, (1, 2, None))
# A Yes is rare, and goes with high numbers.
PAIR = np.array([[0.36, 0.27, 0.18, 0.09], [0.01, 0.02, 0.03, 0.04]])
SINGLE = np.array([0.5, 0.3, 0.2])
BOTH, ALONE = joint_design([2, 4], 0.45), k_rr(3, 1)
# Four standard errors of a share of SURVEYS.
LEAST = 0.95 - 4 * np.sqrt(0.95 * 0.05 / SURVEYS)

MEAN, SQUARE = PAIR.sum(axis=0) @ NUMBERS, PAIR.sum(axis=0) @ NUMBERS**2
YES = PAIR[1].sum()
COVARIANCE = PAIR[1] @ NUMBERS - YES * MEAN
STATISTICS = {
    "mean": (lambda crowd, **how: crowd.mean("b", **how), MEAN),
    "variance": (lambda crowd, **how: crowd.variance("b", **how), SQUARE - MEAN**2),
    "mean of those who answered": (lambda crowd, **how: crowd.mean("c", **how), 11 / 8),
    "mean in a small group": (
        lambda crowd, **how: crowd.mean("b", where={"a": [1]}, **how),
        PAIR[1] @ NUMBERS / YES,
    ),
    "rare share": (lambda crowd, **how: crowd.share({"a": [1], "b": [0]}, **how), 0.01),
    "share across clusters": (lambda crowd, **how: crowd.share({"a": [1], "c": [0]}, **how), 0.05),
    "conditional share": (
        lambda crowd, **how: crowd.share({"a": [1]}, where={"b": [3]}, **how),
        0.04 / 0.13,
    ),
    "correlation": (
        lambda crowd, **how: crowd.correlation(["a", "b"], **how),
        COVARIANCE / np.sqrt(YES * (1 - YES) * (SQUARE - MEAN**2)),
    ),
    "slope": (
        lambda crowd, **how: crowd.regression("b", ["a"], **how),
        COVARIANCE / (YES * (1 - YES)),
    ),
    "median": (lambda crowd, **how: crowd.quantile("b", **how), 2),
}


def test_intervals_cover_where_the_cluster_model_is_true():
    generator = np.random.default_rng(SEED)
    covered = dict.fromkeys(STATISTICS, 0)
    for survey in range(SURVEYS):
        clusters = [
            ClusterReports(names, [device], [generator.multinomial(PEOPLE, device.apply(truth))])
            for names, device, truth in ((["a", "b"], BOTH, PAIR.ravel()), (["c"], ALONE, SINGLE))
        ]
        crowd = pooled_distribution([A, B, C], clusters)
        for name, (statistic, truth) in STATISTICS.items():
            found = statistic(crowd, repetitions=REPETITIONS, seed=survey)
            low, high = found.interval()[-1]
            covered[name] += low - 1e-9 <= truth <= high + 1e-9
    shares = {name: count / SURVEYS for name, count in covered.items()}
    assert min(shares.values()) >= LEAST, shares
    # No wider than they have to be, but for a median among few numbers.
    exact = [share for name, share in shares.items() if name != "median"]
    assert np.mean(exact) <= 0.975, shares
