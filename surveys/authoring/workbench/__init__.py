"""The search for the best device of a question."""
