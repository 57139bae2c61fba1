"""A valid call of every public callable about samples of a population; see bad_inputs.py."""

import rr_engine as rr
from rr_engine import SurveySample, warner
from rr_engine.designs import direct
from rr_engine.sampling import ProbabilitySample
from tests.engine.bad_inputs import DEVICES, also, named_calls, valid

DEVICE = warner(0.8)
SAMPLE = SurveySample([1.5, 1, 2, 1], strata=[0, 0, 1, 1])
HALF = ProbabilitySample([0.5, 0.5])
RAKED = rr.sampling.post_stratify(SAMPLE, [0, 1, 0, 1], [0.5, 0.5])
SCORES = rr.sampling.report_scores(DEVICE, [0, 1, 1, 0])
GROUPS = rr.sampling.report_scores(direct(2), [0, 1, 0, 0])
FOUND = rr.estimate_weighted(DEVICE, [0, 1, 1, 0], SAMPLE)
MEAN = rr.sampling.estimate_mean(SCORES, SAMPLE)
TABLE = rr.sampling.estimate_weighted_table(SCORES, GROUPS, SAMPLE)
REPLICATES = rr.sampling.jackknife_weights(SAMPLE)

# Any labels, or none.
GROUPED = "None|list of minus|list of words|list of bool|object array of numbers"


def total(weights):
    return weights.sum()


REPLICATED = rr.sampling.replicate_covariance(total, REPLICATES)

SAMPLING_CALLS = named_calls(
    valid(
        SurveySample,
        weights=[1.5, 1],
        strata=also([0, 0], GROUPED),
        clusters=also(["a", "b"], GROUPED),
        single_clusters="centre",
    ),
    valid(SAMPLE.with_weights, weights=[1, 0, 2, 1]),
    valid(SAMPLE.covariance_of_total, contributions=[[1], [2], [3], [4]]),
    valid(
        ProbabilitySample,
        inclusion=[0.5, 0.5],
        strata=also(["a", "a"], GROUPED),
        clusters=also([1, 2], GROUPED),
    ),
    valid(HALF.covariance_of_total, contributions=also([[1], [2]], "list of lists")),
    valid(RAKED.covariance_of_total, contributions=[[1], [2], [3], [4]]),
    valid(rr.sampling.report_scores, also([DEVICE], f"a device|{DEVICES}"), [0, 1, -1], [0, 0, 0]),
    valid(
        rr.sampling.value_scores,
        also([1.5, 2], "list of minus|list of lists|too long|a hundred thousand"),
        also(None, "None|list of minus|list of lists"),
    ),
    valid(rr.sampling.estimate_mean, scores=SCORES, sample=SAMPLE),
    valid(rr.sampling.estimate_total, scores=SCORES, sample=SAMPLE, population=10),
    valid(
        rr.estimate_weighted,
        *(also(DEVICE, f"a device|{DEVICES}"), [0, 1, 1, 0], SAMPLE),
        method="mle",
    ),
    valid(MEAN.interval, level=0.9),
    valid(FOUND.interval, level=0.9, method="normal"),
    valid(FOUND.possible_interval, level=0.9, method="normal"),
    valid(rr.sampling.estimate_weighted_table, first=SCORES, second=GROUPS, sample=SAMPLE),
    valid(TABLE.margin, axis=1),
    valid(TABLE.interval, level=0.9, method="normal"),
    valid(TABLE.shares_within, axis=1, level=0.9),
    valid(
        rr.sampling.rake,
        *(SAMPLE, [[0, 1, 0, 1], [0, 0, 1, -1]], [[0.5, 0.5], [0.6, 0.4]]),
        names=also(None, "None|list of words"),
        max_rounds=10,
    ),
    valid(rr.sampling.post_stratify, SAMPLE, [0, 1, 0, 1], [0.5, 0.5]),
    valid(rr.sampling.jackknife_weights, sample=SAMPLE),
    valid(rr.sampling.bootstrap_weights, sample=SAMPLE, replicates=3, rng=1),
    valid(rr.sampling.half_sample_weights, sample=SAMPLE),
    valid(rr.sampling.replicate_covariance, statistic=total, replicate_weights=REPLICATES),
    valid(REPLICATED.interval, level=0.9),
)
