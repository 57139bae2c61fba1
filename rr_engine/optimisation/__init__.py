"""Designs chosen for accuracy: block designs, searched matrices, and the bound on both."""
