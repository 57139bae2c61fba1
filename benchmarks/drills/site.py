"""A site as docs/operating.md has it: two web servers behind nginx, workers, searches and a clock.

All programs are started by the page's own commands, in the folder of the code; whoever ends one
here starts it again, as systemd or an orchestrator does.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import redis

from benchmarks.drills.engine import Database, database
from config.stack.broker import with_broker
from tests.system.answering_process import ROOT, AnsweringProcess
from tests.system.documented import blocks, program_of
from tests.system.nginx import answers, nginx_before
from tests.system.stack import free_port, plain_environment, wait_for

WORKERS = ("worker", "searches", "clock")
# As in tests/system/answering_process.py: links and receipts follow from it.
SECRET = "x" * 50
# Where commands find `python`.
PROGRAMS = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"


class Program:
    """One program of the site and its processes."""

    def __init__(
        self, name: str, code: Path, environment: Mapping[str, str], log: Path, command: str = ""
    ) -> None:
        self.name, self.code, self.log, self.command = name, code, log, command
        self.environment = dict(environment)
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                ["sh", "-ec", self.command or program_of(self.name, self.code)],
                cwd=self.code,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def end(self, sign: signal.Signals = signal.SIGTERM) -> None:
        """Tell it to end, and wait until it has."""
        with suppress(ProcessLookupError):
            self.process.send_signal(sign)
        self.process.wait(timeout=120)

    def kill(self) -> None:
        """All of its processes at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=120)

    def children(self) -> list[psutil.Process]:
        return wait_for(lambda: psutil.Process(self.process.pid).children())


class Web(Program):
    """A web server, which has started once it answers."""

    def __init__(self, name: str, code: Path, environment: Mapping[str, str], log: Path) -> None:
        self.port = free_port()
        own = {"HOST": "127.0.0.1", "PORT": str(self.port)}
        super().__init__(name, code, {**environment, **own}, log, program_of("web", code))

    def start(self) -> None:
        super().start()
        self.wait()

    def wait(self) -> None:
        wait_for(lambda: answers(self.port), every=0.05)

    def restart(self) -> None:
        self.end()
        self.start()


class Site:
    """Everything that runs, and an answering process that makes surveys and audits them."""

    # Whether static files are collected, which takes most of a start; responses need none.
    has_pages = True

    def __init__(self, folder: Path, engine: Database, code: Path = ROOT, **more: str) -> None:
        self.folder, self.engine, self.code = folder, engine, code
        (folder / "data").mkdir()
        own = with_broker({"CANDOR_DATA_DIR": str(folder / "data")})
        self._broker = [own["CANDOR_BROKER_SERVER"], str(folder / "data" / "broker.conf")]
        self.environment = plain_environment(
            CANDOR_DATA_DIR=str(folder / "data"),
            CANDOR_SECRET_KEY=SECRET,
            CANDOR_PLAIN_HTTP="1",
            CANDOR_ALLOWED_HOSTS="127.0.0.1",
            CANDOR_TRUSTED_PROXIES="1",
            CANDOR_THROTTLE_EXEMPT="127.0.0.1",
            CANDOR_SWEEP_SECONDS="5",
            CANDOR_WEB_WORKERS="2",
            HOST="127.0.0.1",
            PORT="8000",
            DATABASE_URL=engine.url,
            REDIS_URL=own["REDIS_URL"],
            DJANGO_SETTINGS_MODULE="config.settings",
        )
        self.environment |= {**more, "PATH": PROGRAMS}

    @contextmanager
    def running(self) -> Iterator["Site"]:
        with ExitStack() as ends:
            self.start_broker()
            ends.callback(self.kill_broker)
            self.run("prepare", self.code, lines=None if self.has_pages else 1)
            self.webs = [self._start(ends, f"web{number}", Web) for number in (1, 2)]
            self.programs = {name: self._start(ends, name, Program) for name in WORKERS}
            ports = [each.port for each in self.webs]
            self.port = ends.enter_context(nginx_before(ports, self.folder))
            self.books = self.open_books(self.code)
            ends.callback(lambda: self.books.close())
            yield self

    def _start(self, ends: ExitStack, name: str, kind: Callable[..., Any]) -> Any:
        log = self.folder / f"{name}.log"
        program = kind(name, self.code, self.environment, log)
        ends.callback(program.kill)
        return program

    def open_books(self, code: Path) -> AnsweringProcess:
        """Books that the code of a version keeps, by the real time."""
        plain = {name: value for name, value in self.environment.items() if name != "LD_PRELOAD"}
        return AnsweringProcess("benchmarks.drills.books", plain, code)

    def start_broker(self) -> None:
        self.broker = psutil.Popen(self._broker, env=self.environment, stdout=subprocess.DEVNULL)

    def kill_broker(self) -> None:
        self.broker.kill()
        self.broker.wait()

    def empty_broker(self) -> None:
        with redis.Redis.from_url(self.environment["REDIS_URL"]) as broker:
            broker.flushall()

    def run(self, block: str, code: Path, *, lines: int | None = None) -> None:
        """A block of the page or its first lines, in the folder of its code."""
        text = "\n".join(blocks(code)[block].splitlines()[:lines])
        with (self.folder / f"{block}.log").open("ab") as log:
            subprocess.run(
                ["sh", "-ec", text],
                cwd=code,
                env=self.environment,
                stdout=log,
                stderr=log,
                check=True,
            )

    def start_from(self, program: Program, code: Path) -> None:
        """Start a program that has ended as another version of the code has it."""
        program.code = code
        program.command = program_of("web" if isinstance(program, Web) else program.name, code)
        program.start()

    def logs(self) -> str:
        texts = {path.name: path.read_text(errors="replace") for path in self.folder.glob("*.log")}
        return "\n".join(f"--- {name}\n{text[-4000:]}" for name, text in texts.items() if text)


@contextmanager
def site(
    *,
    code: Path = ROOT,
    data: Path | None = None,
    settings: str = "",
    clock: Mapping[str, str] | None = None,
    has_pages: bool = True,
    more: Mapping[str, str] | None = None,
) -> Iterator[Site]:
    """A site of its own; its database is in `data`, where that is given, with these settings.

    `clock` are the variables by which all of its programs have a clock of their own; `more` are
    settings of Candor.
    """
    settings_of_site = {**(clock or {}), **(more or {})}
    with tempfile.TemporaryDirectory(prefix="candor-drill-") as name:
        folder = Path(name)
        # nginx and PostgreSQL have users of their own where they are started by root.
        folder.chmod(0o755)
        with (
            database((data or folder) / "database", settings=settings, environment=clock) as engine,
            _made(folder, engine, code, settings_of_site, has_pages).running() as started,
        ):
            try:
                yield started
            except Exception:
                sys.stderr.write(started.logs())
                raise


def _made(
    folder: Path, engine: Database, code: Path, more: Mapping[str, str], has_pages: bool
) -> Site:
    made = Site(folder, engine, code, **more)
    made.has_pages = has_pages
    return made
