"""One module for each table that can be downloaded, independent of the format."""
