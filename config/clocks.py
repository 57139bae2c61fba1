"""The scheduler of Celery's clock, for several clocks of which one queues, and for any time of day.

All clocks ask the broker for one lock, which whoever has it renews with each tick; the others find
it free within LEASE_SECONDS of its holder's last sign. Two may tick for a moment, after a broker
was emptied or changed over: what they queue is safe to run twice, and an entry is queued once
while it waits. docs/decisions/0101-one-clock-of-several.md.
"""

import logging
import os
import secrets
import socket
import time
from datetime import timedelta
from typing import Any

import redis
from celery import beat
from redis.lock import Lock

from config import settings
from config.broker import waiting_key

logger = logging.getLogger(__name__)

LOCK = "candor:clock"
# The lock ends so long after the last tick of its holder, and every clock ticks so often at least.
LEASE_SECONDS, TICK_SECONDS = 10.0, 2.0
# By so much the time of day may drift from the passing of time, between two ticks, before it counts
# as set.
MOST_DRIFT = 1.0
# For so long an entry that waits at the broker is not queued a second time, and no more are queued
# where so many tasks wait: without a worker they would only accumulate.
WAITING_SECONDS, MOST_WAITING = 60, 5_000


class Scheduler(beat.Scheduler):
    """Ticks while it has the lock. Its entries follow the passing of time when the clock is set."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._broker = settings.BROKER.client(connect=1, answer=1)
        self._lock = Lock(self._broker, LOCK, timeout=LEASE_SECONDS, thread_local=False)
        self._leads = False
        self._offset = _offset()
        super().__init__(*arguments, **options)

    def tick(self, *arguments: Any, **options: Any) -> float:
        self._follow_a_set_clock()
        if not self._has_the_lock():
            return TICK_SECONDS
        return min(super().tick(*arguments, **options), TICK_SECONDS)

    def apply_entry(self, entry: beat.ScheduleEntry, producer: Any = None) -> None:
        """Queue an entry, unless an earlier one has not been taken by a worker yet."""
        try:
            if self._broker.llen(settings.QUEUE) >= MOST_WAITING:
                return
            waiting = waiting_key(str(entry.task))
            self._forget_from_before(waiting, WAITING_SECONDS)
            if not self._broker.set(waiting, 1, nx=True, ex=WAITING_SECONDS):
                return
        except redis.RedisError:
            return
        super().apply_entry(entry, producer=producer)

    def close(self) -> None:
        """Give the lock back, so that another clock need not wait for its end."""
        try:
            if self._leads:
                self._lock.release()
        except redis.RedisError:
            logger.warning("The lock of this clock ends by itself.")
        self._leads = False
        super().close()

    def _has_the_lock(self) -> bool:
        try:
            leads = self._renew() or self._take()
        except redis.RedisError:
            leads = False
        if leads and not self._leads:
            logger.info("This clock ticks.")
        if self._leads and not leads:
            logger.info("This clock no longer ticks: another one does, or there is no broker.")
        self._leads = leads
        return leads

    def _renew(self) -> bool:
        try:
            return self._lock.local.token is not None and bool(self._lock.reacquire())
        except redis.exceptions.LockError:
            # Ended, or the broker was emptied; perhaps another clock has it.
            self._lock.local.token = None
            return False

    def _take(self) -> bool:
        self._forget_from_before(LOCK, LEASE_SECONDS)
        return bool(self._lock.acquire(blocking=False, token=_token()))

    def _forget_from_before(self, key: str, seconds: float) -> None:
        """Delete a key of so many seconds that has more left: it was set before the broker's clock,
        by which it ends, was set back.
        """
        if self._broker.pttl(key) > seconds * 1000:
            self._broker.delete(key)

    def _follow_a_set_clock(self) -> None:
        """Move the last runs along with a clock that was set.

        Celery compares times of day: set back by an hour, it would queue nothing for an hour.
        """
        offset = _offset()
        jump = offset - self._offset
        self._offset = offset
        if abs(jump) > MOST_DRIFT:
            for entry in self.schedule.values():
                if entry.last_run_at is not None:
                    entry.last_run_at += timedelta(seconds=jump)
            self._heap = None


def _token() -> str:
    """Says in the lock whose it is, to whoever looks."""
    return f"{socket.gethostname()} {os.getpid()} {secrets.token_hex(8)}"


def _offset() -> float:
    """The time of day less the passing of time: it changes when the clock is set, or the machine
    slept.
    """
    return time.time() - time.monotonic()
