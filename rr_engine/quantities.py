"""Scrambled numbers: devices for quantities, their privacy, and what the reports are worth."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
