"""Declared cross-tables: shares within groups, their differences, and rare answers put together."""
