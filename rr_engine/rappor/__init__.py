"""Strings through RAPPOR: Bloom filters, noisy bits, and their decoding by a list of candidates."""
