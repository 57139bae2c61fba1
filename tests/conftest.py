"""Fixtures for every suite."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def thawed_for_the_flush(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let SQLite's flush after a transactional test delete what the triggers hold frozen."""
    marker = request.node.get_closest_marker("django_db")
    transactional = marker is not None and marker.kwargs.get("transaction", False)
    if not transactional and not {"transactional_db", "live_server"} & set(request.fixturenames):
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    from surveys.models import Survey

    Survey.objects.update(state=Survey.State.DELETED)
