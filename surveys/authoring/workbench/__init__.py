"""Searching the best device of a question."""
