"""Samples of a population: weights, strata, clusters, calibration and replication."""

from rr_engine.sampling.calibrated_sample import CalibratedSample, post_stratify, rake
from rr_engine.sampling.estimating import estimate_mean, estimate_total, estimate_weighted
from rr_engine.sampling.probability_sample import ProbabilitySample
from rr_engine.sampling.replicates import (
    ReplicateWeights,
    bootstrap_weights,
    half_sample_weights,
    jackknife_weights,
)
from rr_engine.sampling.replication import ReplicatedEstimate, replicate_covariance
from rr_engine.sampling.report_scores import ReportScores, report_scores, value_scores
from rr_engine.sampling.survey_estimate import SurveyEstimate, WeightedProportions
from rr_engine.sampling.survey_sample import SurveySample
from rr_engine.sampling.weighted_sample import WeightedSample
from rr_engine.sampling.weighted_table import (
    IndependenceWald,
    WeightedShares,
    WeightedTable,
    estimate_weighted_table,
)

__all__ = [
    "CalibratedSample",
    "IndependenceWald",
    "ProbabilitySample",
    "ReplicateWeights",
    "ReplicatedEstimate",
    "ReportScores",
    "SurveyEstimate",
    "SurveySample",
    "WeightedProportions",
    "WeightedSample",
    "WeightedShares",
    "WeightedTable",
    "bootstrap_weights",
    "estimate_mean",
    "estimate_total",
    "estimate_weighted",
    "estimate_weighted_table",
    "half_sample_weights",
    "jackknife_weights",
    "post_stratify",
    "rake",
    "replicate_covariance",
    "report_scores",
    "value_scores",
]
