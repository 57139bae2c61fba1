"""Digests of what surveys of every sort publish: a refactoring can be shown to change nothing."""
