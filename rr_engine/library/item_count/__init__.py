"""Counts of items: list experiments, and sums of several randomized items of one person."""
