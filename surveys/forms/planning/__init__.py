"""What an author assumes before launch: to test, to compare, to search and to cluster."""
