"""The design workbench: searches for the best device of a question."""
