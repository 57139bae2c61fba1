"""Errors that stop a start, reported in one line."""


class StackError(Exception):
    """A problem that the operator can solve."""
