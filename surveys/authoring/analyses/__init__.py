"""Analyses that an author declares: on which questions, and what they would find."""
