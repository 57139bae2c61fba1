"""A valid call of every public callable about samples of a population; see bad_inputs.py."""

from rr_engine import SurveySample
from tests.engine.bad_inputs import call

SAMPLE = SurveySample([1.5, 1, 2, 1], strata=[0, 0, 1, 1])

SAMPLING_CALLS = {
    "SurveySample": call(
        SurveySample,
        {
            "weights": [1.5, 1],
            "strata": [0, 0],
            "clusters": ["a", "b"],
            "population": None,
            "n": None,
            "single_clusters": "centre",
        },
        weights="None",
        strata="None|list of minus|list of words",
        clusters="None|list of minus|list of words",
        population="None",
        n="None",
    ),
    "SurveySample.with_weights": call(SAMPLE.with_weights, {"weights": [1, 0, 2, 1]}),
    "SurveySample.covariance_of_total": call(
        SAMPLE.covariance_of_total, {"contributions": [[1], [2], [3], [4]]}
    ),
}
