"""A plugin of pytest: a suite of `tests/verified.py` opens no file of the repository but its own.

What a test opens is seen in this process. Programs that it starts are not; what these read of the
repository stands in the suite's `reads` by hand.
"""

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.verified import LEFT, ROOT, SUITES

SUITE = SUITES[os.environ["SUITE"]]
TESTING: list[str] = []
FOREIGN: dict[str, str] = {}
# What stands in the folder and is not of the repository: the packages, and what programs make.
MADE = (".venv", "var", ".git")


def _see(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open" or not TESTING or not isinstance(arguments[0], str):
        return
    path = Path(os.path.abspath(arguments[0]))
    # What is looked for and is not there, such as .pdbrc, is nothing that could change.
    if not path.is_relative_to(ROOT) or not path.is_file() or LEFT & set(path.parts):
        return
    if path.relative_to(ROOT).parts[0] not in MADE and not SUITE.has(path):
        # A thread may open it when its test has just ended.
        FOREIGN.setdefault(path.relative_to(ROOT).as_posix(), " ".join(TESTING))


sys.addaudithook(_see)


@contextmanager
def _seen(node: pytest.Collector | pytest.Item) -> Iterator[None]:
    """What this node opens is its own doing; but what runs every time may read what it likes."""
    name, _, _ = node.nodeid.partition("::")
    TESTING[:] = [] if name in SUITE.always else [node.nodeid]
    try:
        yield
    finally:
        TESTING.clear()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, object, object]:
    with _seen(collector) if isinstance(collector, pytest.Module) else nullcontext():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    with _seen(item):
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def only_what_is_declared() -> Iterator[None]:
    yield
    assert not FOREIGN, f"opened beside what tests/verified.py says: {FOREIGN}"
