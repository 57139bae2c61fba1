"""What arrives: the envelope of a response, the spaces of its reports, and their check."""
