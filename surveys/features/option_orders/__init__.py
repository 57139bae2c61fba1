"""The order in which the answers to a question stand on a page, where chance picks it."""
