"""Samples of a population: weights, strata, clusters, calibration and replication."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
