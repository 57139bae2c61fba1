"""Networks: ties of a closed group, reported through a device, and what follows."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
