"""Return codes: people come back for later waves under a code that only they have."""
