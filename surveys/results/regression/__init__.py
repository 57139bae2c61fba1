"""Analyses: models of one answer given others, from the reports of a release."""
