"""Randomized response of quantities: scrambled numbers and what is estimated from them."""
