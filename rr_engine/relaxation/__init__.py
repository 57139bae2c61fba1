"""Gradual release: a later report of which the earlier one is a degraded copy."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
