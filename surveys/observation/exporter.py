"""`manage.py candor metrics`: the one process of a site that Prometheus asks.

It has a registry of its own: the metrics that the library adds by itself, such as processor time
and open files, would move with what the process reads. What it decided last is kept at the broker,
so that after a restart nothing is told between two batches.
"""

import json
import logging
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import redis
from django.db import DatabaseError, connection
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.registry import Collector

from surveys.jobs.queue import broker
from surveys.observation import exposition, site, windows
from surveys.observation.counting import DESK, WINDOW_SECONDS, handed_over, window_of
from surveys.observation.windows import State

logger = logging.getLogger(__name__)

STATE = "candor:metrics:state"
# Held while somebody looks at the end of a window, so that of two exporters one does.
LOOKING = "candor:metrics:looking"
LIVE_SECONDS = 5.0
# How long after its end a window may still be looked at.
PUNCTUAL_SECONDS = 10.0


class Exporter(Collector):
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state: State | None = None
        # The window in which this process last looked.
        self._looked: int | None = None
        # What web processes had counted of respondents at the last snapshot.
        self._counts: dict[str, int] = {}
        self._live: tuple[float, dict[str, Any]] | None = None

    # --- the end of a window ---

    def look(self, now: float) -> None:
        """Take a sample if a window has just ended, unless another process has done so.

        One that has begun within a window, or has stood still, waits for the end of the next: at
        any other moment a sample would tell more than at the ends of windows.
        """
        window = window_of(now)
        try:
            if window == self._looked:
                return
            is_end = self._looked is not None and now % WINDOW_SECONDS <= PUNCTUAL_SECONDS
            self._looked = window
            self._take_over()
            if is_end and self._is_first(window):
                self._decide(window)
        except (redis.RedisError, DatabaseError, OSError) as error:
            # What was told stands: nothing is decided that could not be kept.
            logger.warning("No new metrics: %s", type(error).__name__)
        finally:
            _close_connection()

    def _is_first(self, window: int) -> bool:
        key = f"{LOOKING}:{window}"
        return bool(broker().set(key, 1, nx=True, ex=2 * WINDOW_SECONDS))

    def _decide(self, window: int) -> None:
        before = self._state
        counted = {tuple(json.loads(field)): number for field, number in self._counts.items()}
        seconds = (window - before.taken) * WINDOW_SECONDS if before else 0
        sample, counts = site.read_sample(counted, seconds)
        if before is None:
            state = windows.first_state(window, sample)
        else:
            state = windows.next_state(before, window, sample)
        if before is None or state.taken != before.taken:
            self._counts = counts
        with self._lock:
            self._state = state
        content = {"state": windows.to_json(state), "counts": self._counts}
        broker().set(STATE, json.dumps(content))

    def _take_over(self) -> None:
        """Go on from what is at the broker, if that is newer."""
        stored = broker().get(STATE)
        if stored is None:
            return
        content = json.loads(stored)
        state = windows.from_json(content["state"])
        if self._state is None or state.window > self._state.window:
            with self._lock:
                self._state, self._counts = state, content["counts"]

    # --- what Prometheus gets ---

    def collect(self) -> Iterator[Metric]:
        try:
            yield from exposition.gauges(exposition.LIVE, self._live_values())
            yield from self._of_desk()
            yield from self._of_windows()
        finally:
            # Each scrape has a thread of its own.
            _close_connection()

    def _of_windows(self) -> Iterator[Metric]:
        with self._lock:
            state = self._state
        if state is None:
            return
        lasting = {**state.lasting, "candor_recompute_late_seconds": state.seconds_late}
        yield from exposition.gauges(exposition.LASTING, lasting)
        if state.snapshot is not None:
            yield from exposition.gauges(exposition.SNAPSHOT, state.snapshot)

    def _live_values(self) -> Mapping[str, Any]:
        with self._lock:
            if self._live is None or time.monotonic() - self._live[0] >= LIVE_SECONDS:
                self._live = (time.monotonic(), _with_sweep(site.read_live()))
            return self._live[1]

    def _of_desk(self) -> Iterator[Metric]:
        try:
            counts = handed_over(DESK)
        except redis.RedisError:
            return
        yield from exposition.of_desk(counts)


def _with_sweep(live: dict[str, Any]) -> dict[str, Any]:
    try:
        age = site.sweep_age()
    except redis.RedisError:
        return live
    return live if age is None else {**live, "candor_sweep_age_seconds": age}


def _close_connection() -> None:
    if not connection.in_atomic_block:
        connection.close()


def registry_of(exporter: Exporter) -> CollectorRegistry:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(exporter)
    return registry
