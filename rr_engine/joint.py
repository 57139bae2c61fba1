"""Several questions at once: joint proportions from independent devices."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
