"""Measures of tables of several questions, with their errors, and tests of independence."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
