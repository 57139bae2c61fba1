"""Which attributes belong together: their dependence from randomized pairs, and clusters."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
