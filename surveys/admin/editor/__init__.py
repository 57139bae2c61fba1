"""The draft of a survey while its author writes it: its questions, and its settings."""
