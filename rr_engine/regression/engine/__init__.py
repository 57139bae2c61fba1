"""The parts of every model: rows, covariates, outcomes, ascents, and the fit that follows."""
