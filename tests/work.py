"""How much a computation does, counted: the same on every machine, however busy it is."""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


def calls(compute: Callable[..., Result], *arguments: Any) -> tuple[Result, int]:
    """Return what `compute` returns, and how many calls of functions it took, built-in ones too.

    Says nothing of how long a call takes: bound the memory as well where arrays may grow.
    """
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        result = compute(*arguments)
    finally:
        sys.setprofile(before)
    return result, counted
