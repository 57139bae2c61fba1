"""Batteries: several items below one text, answered in one table and drawn for at once."""
