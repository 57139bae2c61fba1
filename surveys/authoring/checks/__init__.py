"""Checks of a draft: errors and warnings."""
