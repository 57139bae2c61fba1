"""Questions that are answered in one's own words, sent as they are and kept apart."""
