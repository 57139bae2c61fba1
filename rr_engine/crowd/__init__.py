"""The pooled distribution: statistics of a crowd from the tables of clusters of attributes."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
