"""The application with one change: the threads of a web process commit their responses together.

One thread a process takes all that wait, stores them in one transaction, in one round trip, and
only then lets those who sent them be answered. A prototype, to be measured: a batch that fails
fails for all of it, and only the short way (`insert_response`) has it.
"""

import threading
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any

from django.db import connection

from config.wsgi import application
from surveys.models import insert

__all__ = ["application"]

# The most responses in one transaction.
MOST = 50
Values = tuple[Any, ...]


class _Committer:
    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[Values, Future[int | None]]] = SimpleQueue()
        self._started = threading.Lock()
        self._thread: threading.Thread | None = None

    def store(self, slug: str, digest: str, values: Values) -> int | None:
        """In place of `insert._insert_prepared`; returns after the commit."""
        key, submission, repeated_key, text = values
        stored: Future[int | None] = Future()
        in_order = (*insert._in_force_values(slug), key, submission, digest, repeated_key, text)
        self._waiting.put((in_order, stored))
        # Processes are forked from one that has loaded the application.
        with self._started:
            if self._thread is None:
                self._thread = threading.Thread(target=self._commit_all, daemon=True)
                self._thread.start()
        return stored.result()

    def _commit_all(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while len(batch) < MOST:
                try:
                    batch.append(self._waiting.get_nowait())
                except Empty:
                    break
            try:
                launches = _commit([values for values, _ in batch])
            except Exception as error:
                connection.close()
                for _, stored in batch:
                    stored.set_exception(error)
            else:
                for (_, stored), launch in zip(batch, launches, strict=True):
                    stored.set_result(launch)


def _commit(rows: list[Values]) -> list[int | None]:
    backend: Any = connection
    connection.ensure_connection()
    driver = backend.connection
    statement = insert._response_statements()[0]
    with connection.wrap_database_errors:
        if len(rows) == 1:
            cursors = [backend.Database.Cursor(driver).execute(statement, rows[0], prepare=True)]
        else:
            with driver.pipeline(), driver.transaction():
                cursors = [
                    backend.Database.Cursor(driver).execute(statement, row, prepare=True)
                    for row in rows
                ]
        return [found[0] if (found := cursor.fetchone()) else None for cursor in cursors]


insert._insert_prepared = _Committer().store
