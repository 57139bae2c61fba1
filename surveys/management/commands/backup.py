"""`manage.py candor backup` as 0.1.0 called it: what runs it at night goes on."""

from surveys.management.candor.backup import Command

__all__ = ["Command"]
