"""Which attributes belong together: their dependence from randomized pairs, and clusters."""
