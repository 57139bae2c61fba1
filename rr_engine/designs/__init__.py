"""Randomizing devices: their constructors, what they cost in privacy, and draws from them."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
