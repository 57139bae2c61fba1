"""What all tests of the app share."""

import pytest

# By these a test reaches the database, whichever mark or fixture it asks for it with.
REACHES = {"db", "transactional_db", "django_db_setup", "live_server"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for no database tells the same on any."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if not (item.get_closest_marker("django_db") or fixtures & REACHES):
            item.add_marker("any_database")
