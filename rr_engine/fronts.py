"""The names of a front: what its file imports for others."""

from collections.abc import Mapping
from types import ModuleType


def public_names(members: Mapping[str, object]) -> list[str]:
    """Return the names of a front in order; modules become members of it as they are loaded."""
    return [
        name
        for name, member in sorted(members.items())
        if not (name.startswith("_") or isinstance(member, ModuleType))
    ]
