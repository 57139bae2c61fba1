"""Wake-ups of jobs through the broker: one for each job, no more often than its kind allows.

No guarantee depends on the broker. The work to do is in the database; a broker that is down or
was emptied only costs time, because `surveys.jobs.lost_jobs` wakes waiting jobs.
"""

import contextlib
import functools
import logging
import math
import threading
import time

import redis
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from surveys.jobs.kinds import JobKind

logger = logging.getLogger(__name__)

# The task that runs jobs, sent by name so that it need not be imported here.
TASK = "surveys.tasks.run_job"
# Seconds without requests to the broker after a failure, so that submissions do not wait for it.
BACK_OFF_SECONDS = 2.0
# The most tasks in one queue: without a worker, wake-ups would only accumulate.
MOST_WAITING = 10_000
# Seconds after its kind's `longest` at which a run is interrupted, and at which it is killed.
INTERRUPTED_AFTER, KILLED_AFTER = 30, 60
# One process asks the broker at most twice in this time: for the first request at once, and for
# all others together at the end.
GATHER_SECONDS = 0.2

_backing_off_until = 0.0
_gathering: set[tuple[str, int]] = set()
_asked: dict[tuple[str, int], float] = {}
_gather_lock = threading.Lock()


def gather(kind: JobKind, subject: int) -> None:
    """Wake a job soon. A caller during a running timer has committed before the timer ends."""
    job, now = (kind.name, subject), time.monotonic()
    with _gather_lock:
        if job in _gathering:
            return
        at_once = now - _asked.get(job, -math.inf) >= GATHER_SECONDS
        if at_once:
            _asked[job] = now
        else:
            _gathering.add(job)
    if at_once:
        wake(kind, subject)
        return
    timer = threading.Timer(GATHER_SECONDS, _end_gathering, (kind, subject))
    timer.daemon = True
    timer.start()


def _end_gathering(kind: JobKind, subject: int) -> None:
    with _gather_lock:
        _gathering.discard((kind.name, subject))
        _asked[kind.name, subject] = time.monotonic()
    wake(kind, subject)


def wake(kind: JobKind, subject: int, *, delay: float = 0.0) -> None:
    """Send a worker to this job after a delay or its pause, unless one has been sent already.

    The worker clears the pending flag *before* it looks for work: a later request sends the
    next one, so no request is lost.
    """

    global _backing_off_until
    if time.monotonic() < _backing_off_until:
        return
    try:
        # If the queue is full, recovery asks again later: the work to do is in the database.
        flag = _pending_key(kind, subject)
        if (
            not _left(flag)
            and _mark(flag, kind.pending_seconds, nx=True)
            and broker().llen(kind.queue) < MOST_WAITING
        ):
            _send(kind, subject, max(delay, _left(_pause(kind, subject))))
    except (redis.RedisError, OperationalError, OSError) as error:
        _backing_off_until = time.monotonic() + BACK_OFF_SECONDS
        logger.warning("No broker, so %s: %s", kind.without_broker, type(error).__name__)


def _send(kind: JobKind, subject: int, wait: float) -> None:
    if wait > 0:
        _mark(_pending_key(kind, subject), kind.pending_seconds + wait, xx=True)
    current_app.send_task(
        TASK,
        (kind.name, subject),
        queue=kind.queue,
        countdown=max(wait, 0),
        soft_time_limit=kind.longest + INTERRUPTED_AFTER,
        time_limit=kind.longest + KILLED_AFTER,
        retry=False,
    )


def clear_pending(kind: JobKind, subject: int) -> None:
    """Clear the flag, so that a request sends a new wake-up. Without a broker there is no flag."""
    with contextlib.suppress(redis.RedisError):
        broker().delete(_pending_key(kind, subject))


def pause(kind: JobKind, subject: int, seconds: float) -> None:
    """Let this job pause. The pause is kept at the broker: the database stores no such times."""
    if seconds > 0:
        with contextlib.suppress(redis.RedisError):
            _mark(_pause(kind, subject), seconds)


def pause_left(kind: JobKind, subject: int) -> float:
    """The rest of a job's pause in seconds; 0 if none is known."""
    with contextlib.suppress(redis.RedisError):
        return _left(_pause(kind, subject))
    return 0.0


def _mark(key: str, seconds: float, *, nx: bool = False, xx: bool = False) -> bool:
    """Let the broker keep a mark so long, which says how long that is. Whether it was set."""
    length = math.ceil(seconds * 1000)
    return bool(broker().set(key, length, px=length, nx=nx, xx=xx))


def _left(key: str) -> float:
    """Seconds until a mark ends; 0 if there is none.

    The broker ends marks by its time of day. One that has more left than its whole length was set
    before that was set back: it is deleted, or the job would wait for as long.
    """
    with broker().pipeline() as pipeline:
        pipeline.get(key)
        pipeline.pttl(key)
        length, left = pipeline.execute()
    if left > int(length or 0):
        broker().delete(key)
        return 0.0
    return max(left, 0) / 1000


@functools.cache
def broker() -> redis.Redis:
    return settings.BROKER.client(connect=0.5, answer=1.0)


def _pending_key(kind: JobKind, subject: int) -> str:
    return f"candor:pending:{kind.name}:{subject}"


def _pause(kind: JobKind, subject: int) -> str:
    return f"candor:pause:{kind.name}:{subject}"
