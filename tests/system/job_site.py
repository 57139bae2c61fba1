"""A database, a broker and workers that know the jobs of tests/system/job_kinds.py."""

import itertools
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from config.stack.broker import with_broker
from tests import leftovers
from tests.system.answering_process import ROOT, AnsweringProcess
from tests.system.stack import wait_for

MODULE = "tests.system.job_kinds"
_hosts = itertools.count(1)


class Site:
    """A database, a broker, as many workers as a test starts, and somebody to ask."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.folder = Path(environment["CANDOR_DATA_DIR"])
        self.process = AnsweringProcess(MODULE, environment)
        self.workers: list[psutil.Process] = []

    def have_workers(self, count: int) -> list[psutil.Process]:
        """Exactly as many; those that the test before has left are taken over.

        The tests below stand in the order of what they need, because each start takes seconds.
        """
        self.workers = [worker for worker in self.workers if worker.is_running()]
        while len(self.workers) > count:
            kill_all_of(self.workers.pop())
        while len(self.workers) < count:
            self.workers.append(self._start_worker())
        return self.workers

    def _start_worker(self) -> psutil.Process:
        command = [sys.executable, "-m", "celery", "--quiet", "-A", MODULE, "worker", "--beat"]
        command += ["--scheduler", "celery.beat.Scheduler", "--queues", "testing"]
        command += ["--concurrency", "1", "--hostname", f"{next(_hosts)}@%h"]
        command += ["--loglevel", "WARNING"]
        with (self.folder / "worker.log").open("a") as log:
            return psutil.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )

    def open_gates(self, subject: int, *gates: int) -> None:
        for gate in gates:
            (self.folder / f"{subject}.gate{gate}").touch()

    def show(self, subject: int) -> dict[str, Any]:
        return self.process.ask("show", subject)

    def told(self) -> str:
        """What may explain why a test has waited in vain."""
        lines = [f"waiting at the broker: {self.process.ask('tasks')}"]
        for worker in filter(psutil.Process.is_running, self.workers):
            # Celery answers with what each of its threads is doing.
            worker.send_signal(signal.SIGUSR1)
            for process in (worker, *worker.children(recursive=True)):
                # Of one that has just ended there is nothing to tell.
                with suppress(OSError, psutil.Error):
                    at_work = Path(f"/proc/{process.pid}/wchan").read_text()
                    times = process.cpu_times()
                    lines.append(f"{process.pid} {process.status()} {at_work} {times}")
        time.sleep(1)
        log = (self.folder / "worker.log").read_text().splitlines()
        return "\n".join([*lines, *log[-200:]])

    def in_state(self, subject: int, state: str, attempt: int | None = None) -> dict[str, Any]:
        def reached() -> dict[str, Any] | None:
            job = self.show(subject)
            return job if job["state"] == state and attempt in (None, job["attempt"]) else None

        return wait_for(reached)


def kill_all_of(worker: psutil.Process) -> None:
    if worker.is_running():
        leftovers.kill({worker, *worker.children(recursive=True)})
    worker.wait(timeout=300)


@contextmanager
def broker(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    with_own_broker = with_broker(environment)
    conf = Path(environment["CANDOR_DATA_DIR"], "broker.conf")
    process = psutil.Popen(
        [with_own_broker["CANDOR_BROKER_SERVER"], str(conf)], stdout=subprocess.DEVNULL
    )
    try:
        yield {**environment, "REDIS_URL": with_own_broker["REDIS_URL"]}
    finally:
        leftovers.kill({process})
        process.wait(timeout=300)
