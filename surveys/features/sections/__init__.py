"""Sections: titles and texts, several questions on a page, and pages on which nothing is asked."""
