"""One module for each format; it knows tables and nothing of surveys."""
