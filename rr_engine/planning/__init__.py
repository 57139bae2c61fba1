"""Before the survey: precision, numbers of respondents, power, and trial runs."""

from rr_engine.planning.equivalent import equivalent_n
from rr_engine.planning.margins import effective_sample_share, margin_of_error, sample_size

__all__ = ["effective_sample_share", "equivalent_n", "margin_of_error", "sample_size"]
