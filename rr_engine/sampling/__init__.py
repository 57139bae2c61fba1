"""Survey samples: weights, strata, clusters, calibration and replication of randomized answers."""
