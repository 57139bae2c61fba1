"""Models of one randomized answer: fits, predictions, comparisons and diagnostics."""
