"""One module for each table that can be downloaded; it knows no format."""
