"""Privacy: what a report reveals about one person, and how releases add up."""
