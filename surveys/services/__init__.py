"""Writes: one file per noun, one verb per function, keywords only."""
