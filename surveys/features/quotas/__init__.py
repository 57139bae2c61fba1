"""Quotas: how many responses of people with some direct answers are wanted."""
