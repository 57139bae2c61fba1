"""Languages: a survey in several of them, between which respondents switch at any time."""
