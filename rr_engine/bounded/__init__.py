"""Bounded numbers: one bit for a mean, bins for a distribution, which is better, and relaxation."""
