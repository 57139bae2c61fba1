"""Devices in the respondent's own hands: a coin, dice, a harmless second question."""
