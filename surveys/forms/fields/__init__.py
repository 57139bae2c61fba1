"""Fields that forms of authors have in common, and those of one part of a question."""
