"""Analyses and weights that are declared before anybody answers."""
