"""Dates that respondents give in parts: which bin a date is in."""
