"""Bounded numbers: one bit for a mean, bins for a distribution, which is better, and relaxation."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
