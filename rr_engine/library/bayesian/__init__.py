"""Posterior distributions: proportions under a Dirichlet prior, coefficients under a weak one."""
