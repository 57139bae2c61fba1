"""Tiers: groups of readers, each of which reads a version of every answer of its own."""
