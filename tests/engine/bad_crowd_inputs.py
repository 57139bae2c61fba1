"""A valid call of every public callable of the pooled distribution; see bad_inputs.py."""

import rr_engine
from rr_engine import ClusterReports, CrowdAttribute, joint_design, k_rr, library
from tests.engine.bad_inputs import call

BOTH = joint_design([2, 3], 0.8)
SMOKES = CrowdAttribute("smokes", 2, (0, 1))
DRINKS = CrowdAttribute("drinks", 3, (0, 1, 2))
REPORTS = ClusterReports(["smokes", "drinks"], [BOTH], [[400, 100, 100, 100, 100, 200]])
CROWD = rr_engine.pooled_distribution([SMOKES, DRINKS], [REPORTS])
SIMULATED = {"where": {"drinks": [0, 1]}, "repetitions": 19, "seed": 1}
# Nothing at all, or a condition that nobody fails to meet.
ANYBODY = {"where": "None|empty dict", "repetitions": "", "seed": "huge|endless"}

CROWD_CALLS = {
    "iterative_proportional_fitting": call(
        library.iterative_proportional_fitting,
        {"margins": [[0.5, 0.5]], "axes": [[0]], "sizes": [2, 2], "max_rounds": 10},
    ),
    "pooled_distribution": call(
        rr_engine.pooled_distribution,
        {"attributes": [SMOKES, DRINKS], "clusters": [REPORTS], "pairs": ()},
        pairs="empty list|empty array|generator|no rows",
    ),
    "CrowdAttribute": call(
        CrowdAttribute,
        {"name": "x", "categories": 2, "scores": (1, 2), "boundaries": None},
        name="word",
        scores="None|list of minus|object array of numbers",
        boundaries="None",
    ),
    "ClusterReports": call(
        ClusterReports,
        {
            "attributes": ["x"],
            "channels": [k_rr(2, 1)],
            "counts": [[70, 30]],
            "prior": None,
        },
        channels="devices",
        prior="None",
    ),
    "PooledDistribution.margin": call(
        CROWD.margin, {"names": ["drinks"], "where": {}}, where="None|empty dict"
    ),
    "PooledDistribution.mean": call(CROWD.mean, {"name": "smokes", **SIMULATED}, **ANYBODY),
    "PooledDistribution.variance": call(CROWD.variance, {"name": "smokes", **SIMULATED}, **ANYBODY),
    "PooledDistribution.quantile": call(
        CROWD.quantile, {"name": "smokes", "chance": 0.3, **SIMULATED}, **ANYBODY
    ),
    "PooledDistribution.correlation": call(
        CROWD.correlation, {"names": ["smokes", "drinks"], **SIMULATED}, **ANYBODY
    ),
    "PooledDistribution.regression": call(
        CROWD.regression, {"outcome": "smokes", "predictors": ["drinks"], **SIMULATED}, **ANYBODY
    ),
    "PooledDistribution.conditional_table": call(
        CROWD.conditional_table, {"outcome": "smokes", "given": "drinks", **SIMULATED}, **ANYBODY
    ),
    "PooledDistribution.share": call(
        CROWD.share, {"condition": {"smokes": [1]}, **SIMULATED}, **ANYBODY
    ),
    "PooledDistribution.synthetic": call(
        CROWD.synthetic,
        {"n": 5, "seed": 1, "names": ["smokes"]},
        seed="huge|endless",
        names="None",
    ),
    "ComputedStatistic.interval": call(
        CROWD.mean("smokes", repetitions=19).interval, {"level": 0.9}
    ),
}
