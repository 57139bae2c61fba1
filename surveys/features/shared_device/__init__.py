"""Shared devices: after one person nothing of a response is left, and the next can answer."""
