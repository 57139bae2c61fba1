"""Measures computed from estimated tables, with their errors, and the test of independence."""
