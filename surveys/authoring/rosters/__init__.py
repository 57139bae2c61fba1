"""The roster of a survey, and what a question about it tells and reveals."""
