"""SQLite for several writing processes: transactions take turns at a lock file.

SQLite sleeps up to 100 ms between two checks of its lock, so an unlucky writer can
wait for seconds while others proceed. Here a transaction checks, three times a millisecond,
a lock file, which is cheap, and then finds the database unlocked. The file only
orders the queue: SQLite's lock still decides, and the lock of a killed process is released.
Everything else is Django's backend.
"""

import fcntl
import os
import threading
import time

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

PAUSE = 0.0003


# Threads of one process queue here first, so that only one of them checks the file.
_threads = threading.Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    _turn: int | None = None
    _holds_threads = False

    def _start_transaction_under_autocommit(self) -> None:
        try:
            if not self.is_in_memory_db():
                self._take_turn()
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # private in the stubs
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]  # private in the stubs
        finally:
            self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # private in the stubs
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # private in the stubs
        finally:
            self._end_turn()

    def _take_turn(self) -> None:
        """Wait for the lock file, or until the time-out; then SQLite's own lock decides."""
        patience = self.settings_dict["OPTIONS"].get("timeout", 5)
        deadline = time.monotonic() + patience
        self._holds_threads = _threads.acquire(timeout=patience)
        path = f"{self.settings_dict['NAME']}-turn"
        try:
            self._turn = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            # The same error as SQLite's for a missing folder or a full disk.
            raise OperationalError("unable to open the lock file of the database") from error
        while not _try_lock(self._turn) and time.monotonic() < deadline:
            time.sleep(PAUSE)

    def _end_turn(self) -> None:
        if self._turn is not None:
            os.close(self._turn)
            self._turn = None
        if self._holds_threads:
            self._holds_threads = False
            _threads.release()


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
