"""Declared analyses: models that are declared before launch."""
