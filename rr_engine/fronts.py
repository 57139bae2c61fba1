"""Public modules: what each offers is written in the stub beside it, and loaded on demand.

A stub (``.pyi``) is nothing but imports, so type checkers, editors and this module read one list.
The parts of a public module may lie in rooms above its own, and whoever imports it waits for none.
"""

import ast
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple


class Renamed(NamedTuple):
    """What became of a public name: where it is now, since which version, and until which.

    Attributes
    ----------
    module, name : str
        Where it is now.
    since : str
        The first version in which the old name warns.
    until : str
        The version that has it no more.
    """

    module: str
    name: str
    since: str
    until: str


def attach(
    front: str, renamed: Mapping[str, Renamed] | None = None, *, with_modules: bool = False
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a public module: the names of its stub, when asked for.

    Parameters
    ----------
    front : str
        Full name of the module.
    renamed : mapping of str to Renamed, optional
        Its old names. They still work, with a DeprecationWarning that says what to write instead.
    with_modules : bool, default False
        Whether the names of its public modules are found here as well, without being listed.

    References
    ----------
    Ours: module attributes of PEP 562; the stub as the list of names follows SPEC 1 of
    Scientific Python.
    """
    old = renamed or {}

    @cache
    def homes() -> dict[str, str]:
        return _homes_in_stub(front)

    def load(name: str) -> Any:
        if name == "__all__":
            return sorted(homes())
        if name in old:
            return _warned(f"{front}.{name}", old[name])
        home = homes().get(name) or (_module_with(name, front, homes()) if with_modules else "")
        if not home:
            message = f"module {front!r} has no attribute {name!r}"
            # With the name and the module Python proposes what was perhaps meant.
            raise AttributeError(message, name=name, obj=sys.modules[front])
        # A public module of the package itself is a member of it as soon as it is loaded.
        value = import_module(f"{front}.{name}") if home == front else _member(home, name)
        setattr(sys.modules[front], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[front]), *homes()})

    return load, names


def _module_with(name: str, front: str, homes: Mapping[str, str]) -> str:
    """Return the public module of a front that offers a name; empty where none does."""
    if name.startswith("_"):
        return ""
    modules = (f"{front}.{each}" for each, home in homes.items() if home == front)
    return next((each for each in modules if name in import_module(each).__all__), "")


def _member(module: str, name: str) -> Any:
    home = import_module(module)
    # A front has its names when they are asked for; what it has not is a module of its room.
    offered = name in vars(home) or name in getattr(home, "__all__", ())
    return getattr(home, name) if offered else import_module(f"{module}.{name}")


def _warned(old: str, new: Renamed) -> Any:
    warnings.warn(
        f"{old} is called {new.module}.{new.name} since version {new.since}; "
        f"version {new.until} no longer has the old name.",
        DeprecationWarning,
        stacklevel=3,
    )
    return getattr(import_module(new.module), new.name)


def _homes_in_stub(front: str) -> dict[str, str]:
    """Return the modules from which a stub takes its names, by name."""
    spec: Any = sys.modules[front].__spec__
    # The loader reads it from wherever the package lies, which may be an archive.
    stub = spec.loader.get_data(str(Path(spec.origin).with_suffix(".pyi")))
    return {
        member.name: node.module or ""
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom)
        for member in node.names
    }
