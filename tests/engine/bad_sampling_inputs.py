"""A valid call of every public callable about samples of a population; see bad_inputs.py."""

import rr_engine
from rr_engine import SurveySample, direct, library, warner
from rr_engine.library import ProbabilitySample
from tests.engine.bad_inputs import call

DEVICE = warner(0.8)
SAMPLE = SurveySample([1.5, 1, 2, 1], strata=[0, 0, 1, 1])
HALF = ProbabilitySample([0.5, 0.5])
RAKED = rr_engine.post_stratify(SAMPLE, [0, 1, 0, 1], [0.5, 0.5])
SCORES = rr_engine.report_scores(DEVICE, [0, 1, 1, 0])
GROUPS = rr_engine.report_scores(direct(2), [0, 1, 0, 0])
FOUND = rr_engine.estimate_weighted(DEVICE, [0, 1, 1, 0], SAMPLE)
MEAN = rr_engine.estimate_mean(SCORES, SAMPLE)
TABLE = rr_engine.estimate_weighted_table(SCORES, GROUPS, SAMPLE)
REPLICATES = library.jackknife_weights(SAMPLE)


def total(weights):
    return weights.sum()


REPLICATED = library.replicate_covariance(total, REPLICATES)

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
        strata="None|list of minus|list of words|list of bool|object array of numbers",
        clusters="None|list of minus|list of words|list of bool|object array of numbers",
        population="None",
        n="None",
    ),
    "SurveySample.with_weights": call(SAMPLE.with_weights, {"weights": [1, 0, 2, 1]}),
    "SurveySample.covariance_of_total": call(
        SAMPLE.covariance_of_total, {"contributions": [[1], [2], [3], [4]]}
    ),
    "ProbabilitySample": call(
        ProbabilitySample,
        {
            "inclusion": [0.5, 0.5],
            "joint": None,
            "strata": ["a", "a"],
            "clusters": [1, 2],
            "variance": None,
        },
        joint="None",
        strata="None|list of minus|list of words|list of bool|object array of numbers",
        clusters="None|list of minus|list of words|list of bool|object array of numbers",
        variance="None",
    ),
    "ProbabilitySample.covariance_of_total": call(
        HALF.covariance_of_total, {"contributions": [[1], [2]]}, contributions="list of lists"
    ),
    "CalibratedSample.covariance_of_total": call(
        RAKED.covariance_of_total, {"contributions": [[1], [2], [3], [4]]}
    ),
    "report_scores": call(
        rr_engine.report_scores,
        {"designs": [DEVICE], "reports": [0, 1, -1], "which": [0, 0, 0]},
        designs="a device|devices|three devices",
        which="None",
    ),
    "value_scores": call(
        rr_engine.value_scores,
        {"values": [1.5, 2], "variances": None},
        values="list of minus|list of lists|too long|a hundred thousand",
        variances="None|list of minus|list of lists",
    ),
    "estimate_mean": call(rr_engine.estimate_mean, {"scores": SCORES, "sample": SAMPLE}),
    "estimate_total": call(
        rr_engine.estimate_total,
        {"scores": SCORES, "sample": SAMPLE, "population": 10},
        population="None",
    ),
    "estimate_weighted": call(
        rr_engine.estimate_weighted,
        {
            "designs": DEVICE,
            "reports": [0, 1, 1, 0],
            "sample": SAMPLE,
            "which": None,
            "method": "mle",
        },
        designs="a device|devices|three devices",
        which="None",
    ),
    "SurveyEstimate.interval": call(MEAN.interval, {"level": 0.9}),
    "WeightedProportions.interval": call(FOUND.interval, {"level": 0.9, "method": "normal"}),
    "WeightedProportions.possible_interval": call(
        FOUND.possible_interval, {"level": 0.9, "method": "normal"}
    ),
    "estimate_weighted_table": call(
        rr_engine.estimate_weighted_table, {"first": SCORES, "second": GROUPS, "sample": SAMPLE}
    ),
    "WeightedTable.margin": call(TABLE.margin, {"axis": 1}),
    "WeightedTable.interval": call(TABLE.interval, {"level": 0.9, "method": "normal"}),
    "WeightedTable.shares_within": call(TABLE.shares_within, {"axis": 1, "level": 0.9}),
    "rake": call(
        rr_engine.rake,
        {
            "sample": SAMPLE,
            "answers": [[0, 1, 0, 1], [0, 0, 1, -1]],
            "shares": [[0.5, 0.5], [0.6, 0.4]],
            "total": None,
            "limits": None,
            "names": None,
            "max_rounds": 10,
        },
        total="None",
        limits="None",
        names="None|list of words",
    ),
    "post_stratify": call(
        rr_engine.post_stratify,
        {
            "sample": SAMPLE,
            "cells": [0, 1, 0, 1],
            "shares": [0.5, 0.5],
            "total": None,
            "limits": None,
        },
        total="None",
        limits="None",
    ),
    "jackknife_weights": call(library.jackknife_weights, {"sample": SAMPLE}),
    "bootstrap_weights": call(
        library.bootstrap_weights, {"sample": SAMPLE, "replicates": 3, "rng": 1}
    ),
    "half_sample_weights": call(library.half_sample_weights, {"sample": SAMPLE}),
    "replicate_covariance": call(
        library.replicate_covariance, {"statistic": total, "replicate_weights": REPLICATES}
    ),
    "ReplicatedEstimate.interval": call(REPLICATED.interval, {"level": 0.9}),
}
