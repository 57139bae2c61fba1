"""What web processes count, and how it gets to `manage.py candor metrics`: through the broker.

Requests of the desk are handed over every few seconds. Those of respondents are handed over when a
window of five minutes has ended, all that came in it together, so that not even the broker can tell
when in the window they came.
"""

import bisect
import json
import threading
import time
from collections import Counter

import redis
from django.conf import settings

from surveys.jobs.queue import broker

WINDOW_SECONDS = 300
LOOK_SECONDS = 5.0
# Upper bounds of the classes of durations, in seconds; the last class has none.
BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
TOO_MANY = 429
DESK, RESPONDENTS = "candor:metrics:desk", "candor:metrics:respondents"

# What is counted: ("requests", group, route, status), ("seconds", group, class of duration), and
# ("sum", group), which is in milliseconds.
Field = tuple[str, ...]


def window_of(moment: float) -> int:
    return int(moment // WINDOW_SECONDS)


class Counts:
    """The counts of one process that have not been handed over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._desk: Counter[Field] = Counter()
        # By the window in which they came.
        self._respondents: dict[int, Counter[Field]] = {}
        self._thread: threading.Thread | None = None

    def count_desk(self, group: str, route: str, status: int, seconds: float) -> None:
        with self._lock:
            self._desk.update(_fields(group, route, status, seconds))
            self._desk["sum", group] += round(seconds * 1000)
        self._start()

    def count_respondents(self, sort: str, status: int, seconds: float) -> None:
        with self._lock:
            counter = self._respondents.setdefault(window_of(time.time()), Counter())
            counter.update(_fields(sort, "", status, seconds))
        self._start()

    def hand_over(self, now: float) -> None:
        """Add to the broker's counts what may be told by now; without a broker it is kept."""
        for key, counter in self._take(now):
            try:
                _add(key, counter)
            except (redis.RedisError, OSError):
                self._put_back(key, counter)

    def _take(self, now: float) -> list[tuple[str, Counter[Field]]]:
        with self._lock:
            desk, self._desk = self._desk, Counter()
            ended = [window for window in self._respondents if window < window_of(now)]
            respondents: Counter[Field] = Counter()
            for window in ended:
                respondents.update(self._respondents.pop(window))
        taken = [(DESK, desk), (RESPONDENTS, respondents)]
        return [(key, counter) for key, counter in taken if counter]

    def _put_back(self, key: str, counter: Counter[Field]) -> None:
        with self._lock:
            if key == DESK:
                self._desk.update(counter)
            else:
                # Of a window that has ended: the next look tries again.
                self._respondents.setdefault(-1, Counter()).update(counter)

    def _start(self) -> None:
        """Start what hands over, in the process that counts: threads do not outlive a fork."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._keep_on, daemon=True)
                self._thread.start()

    def _keep_on(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            self.hand_over(time.time())


def _fields(group: str, route: str, status: int, seconds: float) -> tuple[Field, Field]:
    status_class = str(status) if status == TOO_MANY else f"{status // 100}xx"
    duration_class = str(bisect.bisect_left(BOUNDS, seconds))
    return ("requests", group, route, status_class), ("seconds", group, duration_class)


def _add(key: str, counter: Counter[Field]) -> None:
    with broker().pipeline(transaction=True) as pipe:
        for field, number in counter.items():
            pipe.hincrby(key, json.dumps(field), number)
        pipe.execute()


def handed_over(key: str) -> Counter[Field]:
    """Everything that web processes have handed over under a key."""
    rows = broker().hgetall(key)
    return Counter({tuple(json.loads(field)): int(number) for field, number in rows.items()})


def is_on() -> bool:
    return settings.METRICS_PORT > 0


COUNTS = Counts()
