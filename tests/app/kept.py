"""Rows that all tests of a module begin with, stored once.

They lie in a transaction around those of the tests, which take back what each of them changes: so
each reads its rows again (`launch` in `tests/app/conftest.py`), and a module with tests that commit
has nothing kept.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction


def kept_once(make: Callable[[], Any]) -> Any:
    """Return a fixture of a module, which is what `make` stores."""

    @pytest.fixture(scope="module")
    def kept(django_db_setup: None, django_db_blocker: Any) -> Iterator[Any]:
        with _around_the_tests(django_db_blocker):
            with django_db_blocker.unblock():
                stored = make()
            yield stored

    return kept


@contextmanager
def _around_the_tests(blocker: Any) -> Iterator[None]:
    around = transaction.atomic()
    # As Django's own around the tests of a class: a durable block may begin within it.
    around._from_testcase = True
    with blocker.unblock():
        around.__enter__()
    try:
        yield
    finally:
        with blocker.unblock():
            transaction.set_rollback(True)
            around.__exit__(None, None, None)
