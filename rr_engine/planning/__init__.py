"""Before the survey: precision, numbers of respondents, power, and trial runs."""
