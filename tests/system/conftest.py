"""One stack per database for all tests of a module: SQLite, and a real PostgreSQL."""

from collections.abc import Iterator

import pytest

from tests import postgresql
from tests.system.stack import Stack, running_stack


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def stack(request: pytest.FixtureRequest) -> Iterator[Stack]:
    if request.param == "sqlite":
        with running_stack() as running:
            yield running
        return
    with postgresql.running() as url, running_stack(database_url=url) as running:
        yield running
