"""Gradual release: a later report of which the earlier one is a degraded copy."""
