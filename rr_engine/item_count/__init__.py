"""Counts of items: list experiments and sum scores of sensitive items."""
