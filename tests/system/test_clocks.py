"""Several clocks at one broker: one ticks, and another one does when it cannot."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import redis

from config import clocks
from config.broker import waiting_key
from config.clock import app
from tests import leftovers
from tests.system.answering_process import ROOT
from tests.system.brokers import Server, server
from tests.system.stack import plain_environment, wait_for

pytestmark = pytest.mark.system
SWEEP = "surveys.tasks.recover_jobs"
HOUR = 3600


class Clocks:
    def __init__(self, folder: Path, broker: Server) -> None:
        self.folder, self.broker = folder, broker
        self.running: dict[int, psutil.Popen] = {}

    def start(self) -> None:
        environment = plain_environment(
            CANDOR_DEBUG="1", REDIS_URL=self.broker.url, CANDOR_SWEEP_SECONDS="1"
        )
        command = [sys.executable, "-m", "celery", "--quiet", "-A", "config.clock", "beat"]
        with (self.folder / f"clock{len(self.running)}.log").open("wb") as log:
            process = psutil.Popen(
                [*command, "--pidfile="], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
        self.running[process.pid] = process

    def leader(self) -> int:
        """The process that has the lock, 0 if none."""
        with suppress(redis.RedisError), self.broker.client() as client:
            return int((client.get(clocks.LOCK) or "- 0").split()[1])
        return 0

    def another_than(self, *former: int) -> psutil.Popen:
        wait_for(lambda: self.leader() not in (0, *former))
        return self.running[self.leader()]

    def sweeps_come(self) -> bool:
        """Whether a sweep is queued once an earlier one is taken."""
        with self.broker.client() as client:
            client.delete(waiting_key(SWEEP), "celery")
            return wait_for(lambda: client.llen("celery")) > 0

    def end(self) -> None:
        leftovers.kill(set(self.running.values()))
        for process in self.running.values():
            process.wait(timeout=300)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clocks]:
    folder = tmp_path_factory.mktemp("clocks")
    with server(folder) as broker:
        running = Clocks(folder, broker)
        try:
            for _ in range(3):
                running.start()
            yield running
        finally:
            running.end()
            broker.kill()


def test_one_of_three_ticks_and_another_one_when_it_ends_stands_still_or_is_cut_off(three):
    first = three.another_than()
    assert three.sweeps_come()
    # A worker is away: nothing piles up.
    time.sleep(2.5)
    with three.broker.client() as client:
        queued = client.lrange("celery", 0, -1)
    assert len(queued) == len({entry["task"] for entry in app.conf.beat_schedule.values()}) - 2
    # Stopped, it loses the lock, and does not take it back.
    first.suspend()
    second = three.another_than(first.pid)
    first.resume()
    assert three.sweeps_come()
    wait_for(lambda: b"no longer ticks" in b"".join(log.read_bytes() for log in logs(three)))
    assert three.leader() == second.pid
    # Killed, it has no time to give the lock back.
    second.kill()
    # The broker's clock is set back meanwhile: what it keeps would end an hour later.
    with three.broker.client() as client:
        client.expire(clocks.LOCK, HOUR)
        client.set(waiting_key(SWEEP), 1, ex=HOUR)
        three.another_than(second.pid)
        wait_for(lambda: 0 < client.ttl(waiting_key(SWEEP)) <= clocks.WAITING_SECONDS)
    assert three.sweeps_come()
    # The broker forgets everything, and is away for a while.
    with three.broker.client() as client:
        client.flushall()
    three.another_than()
    assert three.sweeps_come()
    three.broker.kill()
    three.broker.start()
    last = three.another_than()
    assert three.sweeps_come()
    # An orderly end gives the lock back.
    (left,) = set(three.running) - {second.pid, last.pid}
    last.send_signal(signal.SIGTERM)
    last.wait(timeout=300)
    assert three.leader() in (0, left)
    three.another_than(last.pid)
    assert three.sweeps_come()
    last_words = b"".join(log.read_bytes() for log in logs(three))
    assert b"Traceback" not in last_words, last_words


def logs(three: Clocks) -> list[Path]:
    return sorted(three.folder.glob("*.log"))


class Watch:
    """A time of day that can be set, beside time that passes."""

    def __init__(self) -> None:
        self.passed = 1_000.0
        self.set_by = 1_800_000_000.0

    def monotonic(self) -> float:
        return self.passed

    def time(self) -> float:
        return self.passed + self.set_by


@pytest.mark.parametrize("jump", [HOUR, -HOUR, -10 * 365 * 24 * HOUR])
def test_a_clock_that_is_set_neither_stops_nor_floods(jump, monkeypatch):
    watch, queued = Watch(), []
    broker = SimpleNamespace(
        set=lambda *_, **__: True,
        llen=lambda _: 0,
        pttl=lambda _: -2,
        register_script=lambda _: None,
    )
    at_hand = SimpleNamespace(BROKER=SimpleNamespace(client=lambda **_: broker), QUEUE="celery")
    monkeypatch.setattr(clocks, "settings", at_hand)
    monkeypatch.setattr(clocks, "time", watch)
    monkeypatch.setattr(clocks.Scheduler, "_has_the_lock", lambda _self: True)
    monkeypatch.setattr(clocks.Scheduler, "producer", None)
    monkeypatch.setattr(app, "now", lambda: datetime.fromtimestamp(watch.time(), UTC))
    queue = lambda _self, entry, **_: queued.append(entry.name)  # noqa: E731
    monkeypatch.setattr(clocks.beat.Scheduler, "apply_entry", queue)
    scheduler = clocks.Scheduler(app)

    def two_hours() -> dict[str, int]:
        queued.clear()
        end = watch.passed + 2 * HOUR
        while watch.passed < end:
            watch.passed += max(scheduler.tick(), 0.001)
        return {name: queued.count(name) for name in app.conf.beat_schedule}

    before = two_hours()
    watch.set_by += jump
    after = two_hours()
    every = round(2 * HOUR / app.conf.beat_schedule["recover-jobs"]["schedule"])
    for counted in (before, after):
        assert abs(counted["recover-jobs"] - every) <= 10
        assert 1 <= counted["clear-old-sessions"] <= 3
