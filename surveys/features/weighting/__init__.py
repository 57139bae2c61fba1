"""Weights: margins of the population to which the results are weighted."""
