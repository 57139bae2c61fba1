"""Queueing work on commit. The only module between services and tasks.

Many submissions make one pending task: the first sets a mark at the broker, the task clears it
before it looks at the inbox. A broker that is down costs freshness and nothing else: the sweep of
`surveys.tasks` finds what lags.
"""

import contextlib
import functools
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator

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
# A search may wait behind others; a lost task of one is queued anew after this.
SEARCH_MARK_SECONDS = 30
# Without a worker the sweep knocks in vain: no more tasks than these wait in one queue.
MOST_WAITING = 10_000
# Between two recomputes of one survey: under load the workers leave the processor to submissions.
# Four times what the last one took, so that they are at most a fifth of one worker's time.
PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, PAUSE_SHARE = 1.0, 10.0, 4.0
_resting_until = 0.0
# Of many submissions in so many seconds one process asks the broker twice: for the first at once,
# for all others together at the end.
GATHER_SECONDS = 0.2
_gathering: set[int] = set()
_asked: dict[int, float] = {}
_gather_lock = threading.Lock()


def request_recompute(*, launch_id: int) -> None:
    """Queue one recompute of this launch once the current transaction is committed."""
    transaction.on_commit(functools.partial(_gather, launch_id), robust=True)


def _gather(launch_id: int) -> None:
    """Whoever comes while a timer waits has committed before that timer asks."""
    now = time.monotonic()
    with _gather_lock:
        if launch_id in _gathering:
            return
        at_once = now - _asked.get(launch_id, -math.inf) >= GATHER_SECONDS
        if at_once:
            _asked[launch_id] = now
        else:
            _gathering.add(launch_id)
    if at_once:
        queue_recompute(launch_id)
        return
    timer = threading.Timer(GATHER_SECONDS, _end_gathering, (launch_id,))
    timer.daemon = True
    timer.start()


def _end_gathering(launch_id: int) -> None:
    with _gather_lock:
        _gathering.discard(launch_id)
        _asked[launch_id] = time.monotonic()
    queue_recompute(launch_id)


def queue_recompute(launch_id: int, *, countdown: float = 0) -> None:
    from surveys.tasks import recompute_results

    def queue(mark: str) -> None:
        wait = max(countdown, broker().pttl(_pause(launch_id)) / 1000)
        if wait:
            broker().expire(mark, MARK_SECONDS + math.ceil(wait))
        recompute_results.apply_async((launch_id,), countdown=wait, retry=False)

    _queue_once(_mark(launch_id), MARK_SECONDS, queue, settings.QUEUE, "results will lag")


def request_search(*, search_id: int) -> None:
    """Queue a search for designs once the current transaction is committed."""
    transaction.on_commit(functools.partial(queue_search, search_id), robust=True)


def queue_search(search_id: int) -> None:
    from surveys.tasks import run_search

    def queue(_mark: str) -> None:
        run_search.apply_async((search_id,), retry=False)

    mark = _search_mark(search_id)
    _queue_once(mark, SEARCH_MARK_SECONDS, queue, settings.SEARCH_QUEUE, "searches will wait")


def _queue_once(
    mark: str, seconds: int, queue: Callable[[str], None], name: str, cost: str
) -> None:
    """Queue a task unless one is pending; not at all while the broker is left alone or is full."""
    global _resting_until
    if time.monotonic() < _resting_until:
        return
    try:
        # Where the queue is full the sweep will ask again: what is to be done is in the database.
        if broker().set(mark, 1, nx=True, ex=seconds) and broker().llen(name) < MOST_WAITING:
            queue(mark)
    except (redis.RedisError, OperationalError, OSError) as error:
        _resting_until = time.monotonic() + REST_SECONDS
        logger.warning("No broker, so %s: %s", cost, type(error).__name__)


def clear_mark(launch_id: int) -> None:
    """From here on a new submission queues a new task."""
    broker().delete(_mark(launch_id))


def clear_search_mark(search_id: int) -> None:
    """From here on the search can be queued again. Without a broker the mark is gone anyway."""
    with contextlib.suppress(redis.RedisError):
        broker().delete(_search_mark(search_id))


def pause_after(seconds: float) -> float:
    """How long a survey rests after a recompute that took so many seconds."""
    return min(max(PAUSE_SECONDS, PAUSE_SHARE * seconds), LONGEST_PAUSE_SECONDS)


@functools.cache
def broker() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=1.0)


def _mark(launch_id: int) -> str:
    return f"candor:recompute:{launch_id}"


def _pause(launch_id: int) -> str:
    return f"candor:pause:{launch_id}"


def _search_mark(search_id: int) -> str:
    return f"candor:search:{search_id}"


@contextlib.contextmanager
def running_alone(launch_id: int) -> Iterator[bool]:
    """Whether no other worker recomputes this launch now. Only saves work: folding is exact
    under any number of workers, because the inbox is emptied in a locked transaction.
    """
    lock = broker().lock(f"candor:running:{launch_id}", timeout=LOCK_SECONDS, blocking=False)
    alone = lock.acquire()
    began = time.monotonic()
    try:
        yield alone
    finally:
        if alone:
            with contextlib.suppress(redis.RedisError):
                rest = pause_after(time.monotonic() - began)
                broker().set(_pause(launch_id), 1, px=int(rest * 1000))
                lock.release()
