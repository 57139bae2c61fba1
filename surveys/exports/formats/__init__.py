"""One module for each format, which knows tables but no surveys."""
