"""Item counts (list experiments): prevalence, regression, checks, power and privacy."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
