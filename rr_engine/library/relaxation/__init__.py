"""Chains of releases, and attacks on all reports of one person."""
