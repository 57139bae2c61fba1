"""One stack per database for all tests of a process: on SQLite, and on a real PostgreSQL.

A test that takes `stack` is run on both, or on the one that it asks for:
`@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)`.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import postgresql
from tests.system.stack import Stack, running_stack

DATABASES = ("sqlite", "postgresql")
# Stalled clients are cut off as soon as those whose request has not begun (test_stalled.py).
SETTINGS = dict.fromkeys(("CANDOR_BODY_SECONDS", "CANDOR_IDLE_SECONDS"), "10")
FAILED = pytest.StashKey[bool]()
HERE = Path(__file__).parent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


class Stacks:
    """Stacks, started when the first test needs one; none is reused after a failed test."""

    def __init__(self, static_files: Path) -> None:
        self.static_files = static_files
        self._running: dict[str, tuple[Stack, ExitStack]] = {}
        self.postgresql: postgresql.Server | None = None

    def on(self, database: str) -> Stack:
        if database not in self._running:
            with ExitStack() as resources:
                url = ""
                if database == "postgresql":
                    self.postgresql = resources.enter_context(postgresql.server())
                    url = self.postgresql.url
                new = running_stack(
                    database_url=url, static_files=self.static_files, settings=SETTINGS
                )
                self._running[database] = (resources.enter_context(new), resources.pop_all())
        return self._running[database][0]

    def end(self, database: str) -> None:
        if database in self._running:
            self._running.pop(database)[1].close()

    def end_all(self) -> None:
        with ExitStack() as ends:
            for database in DATABASES:
                ends.callback(self.end, database)


STACKS = pytest.StashKey[Stacks]()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """No stack runs beside the tests of other folders: it takes of a processor when idle, too."""
    if STACKS in item.config.stash and (nextitem is None or HERE not in nextitem.path.parents):
        item.config.stash[STACKS].end_all()


@pytest.fixture(scope="session")
def static_files(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The directory in which the first stack stores the static files for later ones."""
    base = tmp_path_factory.getbasetemp()
    return (base if worker_id == "master" else base.parent) / "collected"


@pytest.fixture(scope="session")
def stacks(static_files: Path, pytestconfig: pytest.Config) -> Iterator[Stacks]:
    running = pytestconfig.stash[STACKS] = Stacks(static_files)
    yield running
    running.end_all()


@pytest.fixture(params=DATABASES)
def stack(request: pytest.FixtureRequest, stacks: Stacks) -> Iterator[Stack]:
    running = stacks.on(request.param)
    running.forget_logs()
    yield running
    if request.node.stash.get(FAILED, False):
        stacks.end(request.param)
