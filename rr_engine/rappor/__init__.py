"""Strings through RAPPOR: Bloom filters, noisy bits, and their decoding by a list of candidates."""

from rr_engine.fronts import attach

__getattr__, __dir__ = attach(__name__)
