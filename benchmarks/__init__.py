"""Ratios measured in one run, so that a slow or busy machine changes both sides."""
