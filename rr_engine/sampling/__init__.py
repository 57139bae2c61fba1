"""Samples of a population: weights, strata, clusters, calibration and replication."""

from rr_engine.sampling.estimating import estimate_mean, estimate_total, estimate_weighted
from rr_engine.sampling.probability_sample import ProbabilitySample
from rr_engine.sampling.report_scores import ReportScores, report_scores, value_scores
from rr_engine.sampling.survey_estimate import SurveyEstimate, WeightedProportions
from rr_engine.sampling.survey_sample import SurveySample

__all__ = [
    "ProbabilitySample",
    "ReportScores",
    "SurveyEstimate",
    "SurveySample",
    "WeightedProportions",
    "estimate_mean",
    "estimate_total",
    "estimate_weighted",
    "report_scores",
    "value_scores",
]
