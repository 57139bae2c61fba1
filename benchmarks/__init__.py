"""Ratios measured within one run, so that a slow or busy machine affects both sides."""
