"""Posterior distributions where the border of the range bites."""
