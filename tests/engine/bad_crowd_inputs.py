"""A valid call of every public callable of the pooled distribution; see bad_inputs.py."""

import rr_engine as rr
from rr_engine import k_rr
from rr_engine.channels import joint_design
from rr_engine.crowd import ClusterReports, CrowdAttribute
from tests.engine.bad_inputs import NOTHING, also, named_calls, valid

BOTH = joint_design([2, 3], 0.8)
SMOKES = CrowdAttribute("smokes", 2, (0, 1))
DRINKS = CrowdAttribute("drinks", 3, (0, 1, 2))
REPORTS = ClusterReports(["smokes", "drinks"], [BOTH], [[400, 100, 100, 100, 100, 200]])
CROWD = rr.crowd.pooled_distribution([SMOKES, DRINKS], [REPORTS])
# Nothing at all, or a condition that nobody fails to meet.
WHERE = also({"drinks": [0, 1]}, "None|empty dict")
SIMULATED = {"where": WHERE, "repetitions": 19, "seed": 1}

CROWD_CALLS = named_calls(
    valid(rr.crowd.iterative_proportional_fitting, [[0.5, 0.5]], [[0]], [2, 2], 10),
    valid(rr.crowd.pooled_distribution, [SMOKES, DRINKS], [REPORTS], also((), NOTHING)),
    valid(
        CrowdAttribute,
        also("x", "word"),
        2,
        also((1, 2), "None|list of minus|object array of numbers"),
    ),
    valid(ClusterReports, ["x"], also([k_rr(2, 1)], "devices"), [[70, 30]]),
    valid(CROWD.margin, names=["drinks"], where=also({}, "None|empty dict")),
    valid(CROWD.mean, name="smokes", **SIMULATED),
    valid(CROWD.variance, name="smokes", **SIMULATED),
    valid(CROWD.quantile, name="smokes", chance=0.3, **SIMULATED),
    valid(CROWD.correlation, names=["smokes", "drinks"], **SIMULATED),
    valid(CROWD.regression, outcome="smokes", predictors=["drinks"], **SIMULATED),
    valid(CROWD.conditional_table, outcome="smokes", given="drinks", **SIMULATED),
    valid(CROWD.share, condition={"smokes": [1]}, **SIMULATED),
    valid(CROWD.synthetic, n=5, seed=also(1, "huge|endless"), names=["smokes"]),
    valid(CROWD.mean("smokes", repetitions=19).interval, level=0.9),
)
