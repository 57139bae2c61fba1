"""Randomized response to questions about quantities: scrambled numbers, and two cards a person."""
