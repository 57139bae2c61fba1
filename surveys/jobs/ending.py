"""The end of a worker, as the jobs in its processes see it.

A worker that is told to end takes nothing more and waits for what runs. Jobs of minutes would keep
it longer than an orchestrator waits before it kills, so they are asked for an end after a moment,
and are given back: another worker takes them at once, and no attempt is counted.
"""

import mmap
import struct
import time
from typing import Any

from celery.signals import worker_init, worker_shutting_down

# Seconds in which what is nearly done may come to its end.
GRACE = 5.0
_MOMENT = struct.Struct("d")
# Shared with the worker's processes, which are forked later; the clock is one for all of them.
_ends_at = mmap.mmap(-1, _MOMENT.size)


@worker_init.connect
def begin(**_: Any) -> None:
    _MOMENT.pack_into(_ends_at, 0, 0.0)


@worker_shutting_down.connect
def end(**_: Any) -> None:
    """Called in the worker's first process, once for each signal."""
    if not _MOMENT.unpack_from(_ends_at)[0]:
        _MOMENT.pack_into(_ends_at, 0, time.monotonic() + GRACE)


def is_near() -> bool:
    """Whether jobs in this worker should be given back now."""
    (moment,) = _MOMENT.unpack_from(_ends_at)
    return 0.0 < moment <= time.monotonic()
