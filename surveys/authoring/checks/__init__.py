"""What is wrong, or doubtful, with a draft."""
