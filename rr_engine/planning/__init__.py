"""Before the survey: precision, numbers of respondents, power, and trial runs."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
