"""Means of bounded numbers: numbers of respondents, and one-bit reports released again."""
