"""The Django application of Candor."""
