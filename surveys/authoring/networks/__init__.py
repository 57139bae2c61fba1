"""What a question about the members of a survey tells of their network, and reveals."""
