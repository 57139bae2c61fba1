"""The settings that Candor reads from the environment: one declaration of each.

From it come the values (config/settings.py, config/stack/), the tables in docs/operating.md and
what `manage.py candor check` prints. A new one is an attribute of a group, such as `Limits` in
limits.py.
"""

import os

from config.environment.environment import Environment

_collects = False


def collect_problems() -> None:
    """From now on an invalid value stops nothing; `manage.py candor check` names them all."""
    global _collects
    _collects = True


def environment() -> Environment:
    """The environment of this process, read anew."""
    return Environment(os.environ, collect_problems=_collects)
