"""Queueing work on commit. The only module between services and tasks.

Many submissions make one pending task: the first sets a mark at the broker, the task clears it
before it looks at the inbox. A broker that is down costs freshness and nothing else: the sweep of
`surveys.tasks` finds what lags.
"""

import contextlib
import functools
import logging
import time
from collections.abc import Iterator

import redis
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

# Longer than a task waits normally; after that a lost mark or task is queued anew.
MARK_SECONDS = 10
# After a failure the broker is left alone for a moment, so that submissions do not wait for it.
REST_SECONDS = 2.0
# A recompute that outlives its lock (its worker was killed) stops counting as running.
LOCK_SECONDS = 10
# Between two recomputes of one survey: under load the workers leave the processor to submissions.
PAUSE_SECONDS = 1.0
_resting_until = 0.0


def request_recompute(*, launch_id: int) -> None:
    """Queue one recompute of this launch once the current transaction is committed."""
    transaction.on_commit(functools.partial(queue_recompute, launch_id), robust=True)


def queue_recompute(launch_id: int, *, countdown: float = 0) -> None:
    global _resting_until
    if time.monotonic() < _resting_until:
        return
    from surveys.tasks import recompute_results

    try:
        if broker().set(_mark(launch_id), 1, nx=True, ex=MARK_SECONDS):
            wait = max(countdown, broker().pttl(_pause(launch_id)) / 1000)
            recompute_results.apply_async((launch_id,), countdown=wait, retry=False)
    except (redis.RedisError, OperationalError, OSError) as error:
        _resting_until = time.monotonic() + REST_SECONDS
        logger.warning("No broker, so results will lag: %s", type(error).__name__)


def clear_mark(launch_id: int) -> None:
    """From here on a new submission queues a new task."""
    broker().delete(_mark(launch_id))


@functools.cache
def broker() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=1.0)


def _mark(launch_id: int) -> str:
    return f"candor:recompute:{launch_id}"


def _pause(launch_id: int) -> str:
    return f"candor:pause:{launch_id}"


@contextlib.contextmanager
def running_alone(launch_id: int) -> Iterator[bool]:
    """Whether no other worker recomputes this launch now. Only saves work: folding is exact
    under any number of workers, because the inbox is emptied in a locked transaction.
    """
    lock = broker().lock(f"candor:running:{launch_id}", timeout=LOCK_SECONDS, blocking=False)
    alone = lock.acquire()
    try:
        yield alone
    finally:
        if alone:
            with contextlib.suppress(redis.RedisError):
                broker().set(_pause(launch_id), 1, px=int(PAUSE_SECONDS * 1000))
                lock.release()
