"""`manage.py candor recount` as 0.1.0 called it: what runs it at night goes on."""

from surveys.management.candor.recount import Command

__all__ = ["Command"]
