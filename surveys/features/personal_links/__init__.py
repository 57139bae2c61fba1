"""Personal links: each member of a roster has one, and is asked about the others."""
