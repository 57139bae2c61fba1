"""Regressions in which a share of the respondents does not follow the device."""
