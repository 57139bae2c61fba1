"""The reference of the library: a page for each public module, from its stub and its docstrings."""

from functools import cache
from inspect import getdoc, isclass, ismodule
from pathlib import Path
from types import ModuleType

import rr_engine
from scripts.documentation.pages import write_if_new

PACKAGE = "rr_engine"


def modules() -> list[ModuleType]:
    """The package itself, then the modules of its tasks."""
    members = (getattr(rr_engine, name) for name in rr_engine.__all__)
    return [rr_engine, *(member for member in members if ismodule(member))]


def stage(folder: Path) -> None:
    """Write the sources of the reference into `folder`/reference."""
    found = modules()
    pages = {f"{module.__name__}.rst": _page(module) for module in found}
    pages["index.rst"] = _index(found)
    for name, text in pages.items():
        write_if_new(folder / "reference" / name, text.encode())
    for path in (folder / "reference").iterdir():
        if path.name not in pages:
            path.unlink()


@cache
def homes() -> dict[str, str]:
    """In which module each public name is documented."""
    return {
        name: f"{module.__name__}.{name}"
        for module in modules()
        for name in module.__all__
        if not ismodule(getattr(module, name)) and module is not rr_engine
    }


def _index(found: list[ModuleType]) -> str:
    rows = "".join(f":doc:`{each.__name__}`\n   {_first(each)}\n\n" for each in found)
    names = "".join(f"   {each.__name__}\n" for each in found)
    return f"""{_title("Reference of the library")}
What each public module offers. Examples run in the tests; what a name needs, returns and raises,
and which paper it follows, stands below it.

{rows}
.. toctree::
   :hidden:

{names}"""


def _page(module: ModuleType) -> str:
    names = [name for name in module.__all__ if not ismodule(getattr(module, name))]
    elsewhere = homes()
    title = f"{_title(module.__name__)}\n.. currentmodule:: {module.__name__}\n\n{getdoc(module)}\n"
    rows = "".join(_row(module, name, elsewhere) for name in names)
    if module is rr_engine:
        return f"{title}\n{rows}"
    return f"{title}\n{rows}{''.join(_entry(module, name) for name in names)}"


def _row(module: ModuleType, name: str, elsewhere: dict[str, str]) -> str:
    target = elsewhere.get(name, f"{module.__name__}.{name}")
    return f":py:obj:`{name} <{target}>`\n   {_first(getattr(module, name))}\n\n"


def _entry(module: ModuleType, name: str) -> str:
    member = getattr(module, name)
    kind = "autoclass" if isclass(member) else "autofunction" if callable(member) else "autodata"
    members = "   :members:\n" if isclass(member) else ""
    heading = f"{name}\n{'-' * len(name)}\n"
    return f"\n{heading}\n.. {kind}:: {module.__name__}.{name}\n{members}"


def _title(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n"


def _first(member: object) -> str:
    """The first sentence of its docstring, on one line; a value has none."""
    if not (isclass(member) or callable(member) or ismodule(member)):
        return f"A {type(member).__name__}."
    return " ".join((getdoc(member) or "").partition("\n\n")[0].split())
