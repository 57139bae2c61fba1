"""How a budget is spent: a total epsilon split over questions, and the smallest total."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
