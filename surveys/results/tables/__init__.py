"""Tables of two questions: shares within groups, their differences, and rare answers together."""
