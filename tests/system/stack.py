"""The stack that `make run` starts, with a data directory and a database of its own."""

import fcntl
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any, TypeVar

import psutil
import psycopg

from tests import leftovers
from tests.system.answering_process import ROOT, AnsweringProcess

T = TypeVar("T")
KEPT = ("PATH", "HOME", "LANG", "TMPDIR")
# The folders that a first start collects, and by what the next one sees that it is collected.
COLLECTED = ("static", "static.stamp")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def plain_environment(**values: str) -> dict[str, str]:
    """The environment without the variables of the test settings."""
    return {**{name: os.environ[name] for name in KEPT if name in os.environ}, **values}


def wait_for(condition: Callable[[], T], *, seconds: float = 120, every: float = 0.2) -> T:
    """Poll until `condition()` is true; returns its value."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"still not after {seconds} s: {condition}"
        time.sleep(every)
    return value


class Stack:
    """One supervisor with all that it runs; it may be started again after its end."""

    def __init__(
        self, data: Path, *, database_url: str = "", static_files: Path | None = None
    ) -> None:
        """`static_files` is where stacks with databases of their own share the static files."""
        self.data = data
        self.static_files = static_files
        self.port = free_port()
        self.environment = plain_environment(
            PORT=str(self.port),
            CANDOR_DATA_DIR=str(data),
            CANDOR_DEMO="0",
            CANDOR_SWEEP_SECONDS="4",
            DJANGO_SETTINGS_MODULE="config.settings",
            **({"DATABASE_URL": database_url} if database_url else {}),
        )
        # The address of the site, where it is not that of its web server.
        self.site = ""
        self.parent: subprocess.Popen[str] | None = None
        self._asked: dict[str, AnsweringProcess] = {}
        self._said_before: dict[str, int] = {}

    @property
    def url(self) -> str:
        path = self.environment.get("CANDOR_PATH", "")
        return self.site or f"http://127.0.0.1:{self.port}{path}"

    def start(self) -> None:
        with self._alone_until_collected():
            self._take_static_files()
            self._start()
            self._share_static_files()

    def _start(self) -> None:
        # Started by a shell that waits for it, as `make` does.
        waits = ["sh", "-c", '"$@"; exit $?', "sh"]
        self.parent = subprocess.Popen(
            [*waits, sys.executable, "-m", "config.stack"],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        lines = []
        for line in self.parent.stdout:
            lines.append(line)
            if line.startswith("Ctrl-C"):
                return
        raise AssertionError("the stack did not start:\n" + "".join(lines))

    @contextmanager
    def _alone_until_collected(self) -> Iterator[None]:
        """Let one of several starts at the same time collect; the others take it over."""
        if not self.static_files or self.static_files.exists():
            yield
            return
        with self.static_files.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self.static_files.exists():
                yield
                return
        yield

    def _take_static_files(self) -> None:
        if self.static_files and self.static_files.exists() and not self.data.exists():
            shutil.copytree(self.static_files, self.data)

    def _share_static_files(self) -> None:
        if not self.static_files or self.static_files.exists():
            return
        with tempfile.TemporaryDirectory(dir=self.static_files.parent) as directory:
            storage = Path(directory, "whole")
            shutil.copytree(self.data / COLLECTED[0], storage / COLLECTED[0])
            shutil.copy2(self.data / COLLECTED[1], storage)
            storage.rename(self.static_files)

    def end_by(self, deed: Callable[[], None]) -> str:
        """Let the stack end by itself after this; no process may remain. Returns its last words."""
        processes = self.processes()
        deed()
        words, _ = self.parent.communicate(timeout=300)
        _, left = psutil.wait_procs(processes, timeout=300)
        assert not left
        return words

    def kill_everything(self) -> None:
        """Kill all processes at once, as a power cut does."""
        leftovers.kill({psutil.Process(self.parent.pid), *self.processes()})
        self.parent.wait(timeout=300)
        self.parent.stdout.close()

    def close(self) -> None:
        """End the stack at once, in any state; an orderly end has tests of its own."""
        while self._asked:
            self._asked.popitem()[1].close()
        if self._is_up():
            self.kill_everything()

    def _is_up(self) -> bool:
        return self.parent is not None and self.parent.poll() is None

    def processes(self) -> list[psutil.Process]:
        return psutil.Process(self.parent.pid).children(recursive=True)

    def supervisor(self) -> psutil.Process:
        return psutil.Process(int((self.data / "supervisor.pid").read_text()))

    def role(self, name: str) -> psutil.Process:
        """The process that the supervisor started for `name`, once it runs its program."""
        return wait_for(lambda: self._find(name))

    def _find(self, name: str) -> psutil.Process | None:
        marks = {
            "web": "-m gunicorn",
            "worker": "config worker --loglevel WARNING --concurrency",
            "searches": "--queues searches",
            "beat": "config.clock beat",
            "broker": "broker.conf",
        }
        for process in self.supervisor().children():
            with suppress(psutil.NoSuchProcess):
                line = " ".join(process.cmdline())
                retitled = name == "broker" and re.search(r"-server 127\.0\.0\.1", line)
                if (marks[name] in line or retitled) and "config.stack.child" not in line:
                    return process
        return None

    def broker_url(self) -> str:
        lines = (self.data / "broker.conf").read_text().splitlines()
        conf = dict(line.split(" ", 1) for line in lines)
        return f"redis://:{conf['requirepass']}@127.0.0.1:{conf['port']}/0"

    def get_json(self, path: str) -> dict[str, Any]:
        """A page's JSON; waits out a server that is just being restarted."""
        return wait_for(lambda: self._json(path), every=0.1)

    def _json(self, path: str) -> dict[str, Any] | None:
        try:
            with urllib.request.urlopen(self.url + path, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            refusal.close()
            if refusal.code != 503:
                raise
        except (OSError, HTTPException):
            pass  # nobody listens yet, or who listened has been killed
        return None

    def in_results(self, slug: str) -> int:
        return self.get_json(f"/s/{slug}/results/status.json")["in_results"]

    def aggregated(self, slug: str) -> int:
        """Responses in the tallies, read from the database itself: quick enough to be polled."""
        return self._of_launch(slug, "aggregated")

    def launch_id(self, slug: str) -> int:
        """The key of the only launch of a survey."""
        return self._of_launch(slug, "surveys_launch.id")

    def _of_launch(self, slug: str, column: str) -> int:
        question = (
            f"SELECT {column} FROM surveys_launch JOIN surveys_survey"
            f" ON surveys_survey.id = survey_id WHERE slug = '{slug}'"
        )
        with closing(self._connect()) as connection:
            return connection.execute(question).fetchone()[0]

    def _connect(self) -> sqlite3.Connection | psycopg.Connection:
        if url := self.environment.get("DATABASE_URL"):
            return psycopg.connect(url)
        return sqlite3.connect(self.data / "candor.sqlite3")

    def ledger(self, *words: Any) -> dict[str, Any]:
        """Ask tests/system/ledger.py about the database."""
        return self._asking("tests.system.ledger", self.environment).ask(*words)

    def searcher(self) -> AnsweringProcess:
        """Start the one that is asked for searches, with the broker of the latest start."""
        environment = {**self.environment, "REDIS_URL": self.broker_url()}
        return self._asking("tests.system.searcher", environment)

    def _asking(self, module: str, environment: Mapping[str, str]) -> AnsweringProcess:
        """One for all tests, as long as its surroundings are the same."""
        asked = self._asked.get(module)
        if asked is None or asked.environment != environment:
            if asked:
                asked.close()
            asked = self._asked[module] = AnsweringProcess(module, environment)
        return asked

    def logs(self, *, whole: bool = False) -> dict[str, str]:
        """Return what has been logged since `forget_logs`, or since the first start."""
        said_before = {} if whole else self._said_before
        return {
            path.name: path.read_bytes()[said_before.get(path.name, 0) :].decode()
            for path in (self.data / "log").glob("*.log")
        }

    def forget_logs(self) -> None:
        """Ignore the logs so far, which belong to other tests."""
        logs = (self.data / "log").glob("*.log")
        self._said_before = {path.name: path.stat().st_size for path in logs}


@contextmanager
def running_stack(
    *,
    database_url: str = "",
    static_files: Path | None = None,
    settings: Mapping[str, str] | None = None,
) -> Iterator[Stack]:
    # A short path: the tests' own directories can be too long for a socket's name.
    with tempfile.TemporaryDirectory(prefix="candor-stack-") as directory:
        stack = Stack(Path(directory, "var"), database_url=database_url, static_files=static_files)
        stack.environment |= settings or {}
        try:
            stack.start()
            yield stack
        finally:
            stack.close()
