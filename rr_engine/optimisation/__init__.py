"""Designs chosen for accuracy: block designs, searched matrices, and the bound on both."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
