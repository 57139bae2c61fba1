"""The commands of docs/operating.md and of its page on backups, taken from there and run.

`make run` by itself and with the settings of a small server: test_make_run.py.
"""

import fcntl
import json
import os
import pty
import shutil
import signal
import socket
import sqlite3
import subprocess
import termios
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import redis

from config.stack.broker import with_broker
from tests.deploy.image import copy_of_the_image
from tests.system.answering_process import ROOT, AnsweringProcess
from tests.system.documented import blocks, program_of
from tests.system.stack import free_port, plain_environment, wait_for

pytestmark = pytest.mark.system
PROGRAMS = ("web", "worker", "searches", "clock")
COMMANDS = ("first-account", "prepare", "backup", "restore", "recount", "sign-in", "jobs")
COMMANDS += ("check", "check-deploy")
BACKUPS = ("backup-folder", "verify", "rotate-look", "rotate-step")
ELSEWHERE = ("one-machine", "small-server")
# root obeys permissions like anybody, once it has no capability.
WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.getuid() == 0 else ()
SECRET = "of this site alone, and long enough: 0123456789 abcdefghij"
PASSWORD = "a long enough passphrase"


def test_every_command_of_the_page_is_run():
    assert set(blocks()) == {*PROGRAMS, *COMMANDS, *BACKUPS, *ELSEWHERE, "environment"}


def code_of(folder: Path) -> list[Path]:
    """Folders and files of the code, but not of its environment and its data."""
    inside = [path for path in folder.iterdir() if path.name not in (".venv", "var")]
    return [folder, *inside, *(found for path in inside for found in path.rglob("*"))]


class Site:
    """The code, a data directory in it, a broker and an environment, as the page asks for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "var"
        self.data.mkdir(0o700)
        # The files that the image has are enough, and nobody may write them.
        copy_of_the_image(folder)
        (folder / ".venv").symlink_to(ROOT / ".venv")
        for name in ("secret", "secret-key"):
            (self.data / name).write_text(SECRET)
        for path in code_of(folder):
            path.chmod(path.stat().st_mode & 0o555)
        self.port = free_port()
        self.database = self.data / "candor.sqlite3"
        own = with_broker({"CANDOR_DATA_DIR": str(self.data)})
        path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self.bare = {**plain_environment(), "PATH": path, "CANDOR_DATA_DIR": str(self.data)}
        self.environment = {
            **self.bare,
            "CANDOR_SECRET_KEY_FILE": str(self.data / "secret"),
            "CANDOR_ALLOWED_HOSTS": "survey.example.org",
            "CANDOR_TRUSTED_PROXIES": "1",
            "DATABASE_URL": f"sqlite:///{self.database}",
            "REDIS_URL": own["REDIS_URL"],
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
        }
        self.broker_command = [own["CANDOR_BROKER_SERVER"], str(self.data / "broker.conf")]
        self.files = set(code_of(folder))

    def run(self, name: str, **changes: str) -> str:
        done = subprocess.run(
            [*WITHOUT_RIGHTS, "sh", "-ec", blocks()[name]],
            cwd=self.folder,
            env={**self.environment, **changes},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    @contextmanager
    def program(self, name: str) -> Iterator[subprocess.Popen[bytes]]:
        # The clock is not waited for longer than a test may.
        quick = {"CANDOR_SWEEP_SECONDS": "1"}
        with (self.data / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [*WITHOUT_RIGHTS, "sh", "-ec", program_of(name)],
                cwd=self.folder,
                env={**self.environment, **quick},
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def ask(self, path: str, body: Any = None, **headers: str) -> Any:
        """A request as the proxy passes it on."""
        about = {"Host": "survey.example.org", "X-Forwarded-Proto": "https", **headers}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data,
            {**about, "Content-Type": "application/json"},
        )
        return urllib.request.urlopen(request, timeout=30)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(statement).fetchall()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("site"))
    with subprocess.Popen(site.broker_command) as broker:
        try:
            site.run("prepare")
            shutil.copy(site.database, site.data / "empty.sqlite3")
            yield site
        finally:
            broker.terminate()
            for path in code_of(site.folder):
                path.chmod(path.stat().st_mode | 0o200)


def is_up(site: Site, process: subprocess.Popen[bytes], name: str) -> bool:
    assert process.poll() is None, (site.data / f"{name}.log").read_text()
    with suppress(OSError), site.ask("/healthz", Host="192.0.2.7") as answer:
        # As a balancer asks: by an address that nobody has listed.
        return answer.read() == b"ok"
    return False


def test_the_parts_on_several_machines_take_a_response_and_close_on_time(site):
    with ExitStack() as ends:
        programs = {name: ends.enter_context(site.program(name)) for name in PROGRAMS}
        environment = {**site.environment, "DJANGO_SETTINGS_MODULE": "config.settings"}
        # It is given a secret of its own, and one may not be set in two ways.
        environment |= {"CANDOR_SECRET_KEY_FILE": ""}
        ledger = AnsweringProcess("tests.system.ledger", environment)
        ends.callback(ledger.close)
        document = ledger.ask("launch", "documented")
        ledger.ask("launch", "due", "10")
        wait_for(lambda: is_up(site, programs["web"], "web"))
        body = {"digest": document["digest"], "submission": str(uuid.uuid4())}
        reports = {"q1": 0, "q2": 1}
        with site.ask("/s/documented/responses/", {**body, "reports": reports}) as answer:
            assert answer.status == 201
        taken = "SELECT aggregated FROM surveys_launch WHERE aggregated > 0"
        wait_for(lambda: site.rows(taken) == [(1,)])
        # The clock asks the worker to close what is due.
        states = "SELECT slug FROM surveys_survey WHERE state = 'closed'"
        wait_for(lambda: site.rows(states) == [("due",)])
        with redis.Redis.from_url(site.environment["REDIS_URL"]) as broker:
            bindings = wait_for(lambda: b" ".join(broker.smembers("_kombu.binding.celery.pidbox")))
            wait_for(
                lambda: b"searches@" in b" ".join(broker.smembers("_kombu.binding.celery.pidbox"))
            )
        assert socket.gethostname().encode() in bindings
        assert all(process.poll() is None for process in programs.values())
        assert site.rows(blocks()["jobs"])
    assert set(code_of(site.folder)) == site.files


def typed(site: Site, name: str, *answers: str) -> str:
    """Run a command that asks at a terminal, and nothing but the data directory is named to it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*WITHOUT_RIGHTS, "sh", "-ec", blocks()[name]],
        cwd=site.folder,
        env=site.bare,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    said = b""
    for answer in answers:
        before = len(said)
        while not said[before:].rstrip().endswith((b":", b"]:")):
            said += os.read(ours, 1024)
        os.write(ours, answer.encode() + b"\n")
    with suppress(OSError):
        while piece := os.read(ours, 1024):
            said += piece
    os.close(ours)
    assert process.wait() == 0, said
    return said.decode()


def test_the_commands_do_what_the_page_says(site):
    assert "Superuser created" in typed(site, "first-account", "NAME", "", PASSWORD, PASSWORD)
    assert "https://survey.example.org/account/login/?browser=" in site.run("sign-in")
    assert "no issues" in site.run("check-deploy")
    assert "Nothing unsafe was found." in site.run("check")
    launches = site.rows("SELECT count(*) FROM surveys_launch")[0][0]
    assert site.run("recount").count("all tallies agree") == launches
    assert "The secret is not in it" in site.run("backup")
    assert "can be restored" in site.run("verify")
    assert "restored and verified" in site.run("backup-folder")
    assert (site.data / "backups" / "last-good").exists()
    assert "No rotation is under way" in site.run("rotate-look")
    # As where the files have the secrets, not the environment.
    own = {"CANDOR_SECRET_KEY": "", "CANDOR_SECRET_KEY_FILE": ""}
    assert "are written" in site.run("rotate-step", **own)
    assert (site.data / "secret-key").read_text() == SECRET
    assert (site.data / "secret-key-fallbacks").stat().st_mode & 0o777 == 0o600
    other = site.data / "empty.sqlite3"
    assert "agree as they did" in site.run("restore", DATABASE_URL=f"sqlite:///{other}")
    with closing(sqlite3.connect(other)) as restored:
        names = restored.execute("SELECT username FROM auth_user").fetchall()
    assert names == site.rows("SELECT username FROM auth_user")
    assert ("NAME",) in names
    assert set(code_of(site.folder)) == site.files
