"""Whether respondents follow the device: estimates and tests where the design allows one."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
