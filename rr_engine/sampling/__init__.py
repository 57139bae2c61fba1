"""Samples of a population: weights, strata, clusters, calibration and replication."""
