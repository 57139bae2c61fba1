"""Results weighted to known margins of the population."""
