"""What stops a start, told in one line."""


class StackError(Exception):
    """Trouble that the person at the keyboard can do something about."""
