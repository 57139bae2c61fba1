"""Correlations of randomized answers, and of these with numbers."""
