"""Samples of a population: weights, strata, clusters, calibration and replication."""

from rr_engine.sampling.survey_sample import SurveySample

__all__ = ["SurveySample"]
