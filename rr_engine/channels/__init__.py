"""Mechanisms as linear maps: what estimation, planning and simulation ask of any device."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
