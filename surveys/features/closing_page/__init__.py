"""What stands at the end: an author's own thanks, and the way back to a panel with its own id."""
