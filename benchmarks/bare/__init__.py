"""The yardstick: a Django view that validates CSRF and inserts one row, and nothing else."""
