"""Privacy: what a report reveals about one person, and how releases add up."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
