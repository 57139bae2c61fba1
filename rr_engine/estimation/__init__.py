"""From counts of reports to estimates of true proportions, with their intervals."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
