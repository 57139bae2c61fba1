"""Regressions whose outcome or predictors are randomized, and tests and predictions of them."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
