"""`make run` as a new user meets it: in a copy of the tree, by `make` itself.

What happens when `make` or the supervisor is killed: test_faults.py, test_without_supervisor.py.
"""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from config.stack.broker import with_broker
from tests import leftovers
from tests.system.answering_process import ROOT
from tests.system.documented import assignments, blocks
from tests.system.stack import free_port, plain_environment, wait_for

pytestmark = pytest.mark.system
OF_DEVELOPERS = ("benchmarks/", "docs/", "papers/", "scripts/", "tests/")
# The analyses that the demo survey declares.
DECLARED = 2
# The jobs that run or are to run, and the fits that have been asked for and are not there.
LEFT = """SELECT
    (SELECT count(*) FROM surveys_job WHERE state IN ('running', 'queued')),
    (SELECT count(*) FROM surveys_analysisfit WHERE asked > revision),
    (SELECT count(*) FROM surveys_weightedshares WHERE asked > revision)
"""
# The most bytes of all logs together, where all goes well.
MOST_BYTES = 1_000
WORRIES = ("warn", "error", "traceback", "critical", "exception", "deprecat")


@pytest.fixture(scope="module")
def tree() -> Iterator[Path]:
    """A copy of the tree without its data, with a link to the virtual environment.

    And without what no user runs, so that its thousand files need not be written and deleted.
    """
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory(prefix="candor-run-") as directory:
        copy = Path(directory)
        for name in filter(None, names.split("\0")):
            if (ROOT / name).is_file() and not name.startswith(OF_DEVELOPERS):
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        # Files that have been compiled before need not be again; other tests may be compiling one.
        unfinished = shutil.ignore_patterns("*.pyc.*")
        for package in ("config", "rr_engine", "surveys"):
            for compiled in (ROOT / package).rglob("__pycache__"):
                place = copy / compiled.relative_to(ROOT)
                shutil.copytree(compiled, place, ignore=unfinished)
        (copy / ".venv").symlink_to(ROOT / ".venv")
        for name in ("requirements.txt", "requirements-dev.txt"):
            os.utime(copy / name, (0, 0))
        yield copy


@pytest.fixture(autouse=True)
def no_instance_outlives_its_test() -> Iterator[None]:
    with leftovers.ended():
        yield


def told_to_ignore(signals: str, *command: str) -> list[str]:
    """The command as a shell starts it that has told it to ignore these."""
    return ["sh", "-c", f"trap '' {signals}; exec \"$@\"", "sh", *command]


class Run:
    """One `make run` in a process group of its own, as a terminal would give it."""

    def __init__(self, tree: Path, *, ignoring: str = "", **variables: str) -> None:
        """`ignoring` names signals that a shell has told it to ignore from the start."""
        self.process = subprocess.Popen(
            told_to_ignore(ignoring, "make", "run") if ignoring else ["make", "run"],
            cwd=tree,
            env=plain_environment(**variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.output_lines: list[str] = []

    def wait_until_ready(self) -> "Run":
        for line in self.process.stdout:
            self.output_lines.append(line.rstrip())
            if line.startswith("Ctrl-C"):
                return self
        raise AssertionError("\n".join([*self.output_lines, *self.finish()]))

    def everything(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def finish(self) -> tuple[str, str]:
        return self.process.communicate(timeout=300)

    def end_by(self, ending: str) -> None:
        """End it and see that nothing is left."""
        processes = self.everything()
        if ending == "ctrl-c":
            os.killpg(self.process.pid, signal.SIGINT)
        else:
            self.process.send_signal(getattr(signal, ending))
        self.finish()
        _, left = psutil.wait_procs(processes, timeout=300)
        assert not left


def results(port: str, slug: str = "workplace-health") -> dict:
    url = f"http://127.0.0.1:{port}/s/{slug}/results/results.json"
    with urllib.request.urlopen(url, timeout=300) as answer:
        return json.load(answer)


def is_fitted(tree: Path) -> bool:
    """Whether the workers have nothing left to do: a fit that is cut off is an error in a log."""
    with closing(sqlite3.connect(tree / "var" / "candor.sqlite3")) as connection:
        return connection.execute(LEFT).fetchone() == (0, 0, 0)


def assert_of_every_response(port: str) -> None:
    """The results are, and what workers have fitted to them, and not of an earlier release."""
    weighted, fits = (page_of(port, name) for name in ("", "analyses/"))
    assert "Weighted to the declared margins" in weighted
    assert "Computed from the first" not in weighted
    assert fits.count("Fitted to ") == DECLARED
    assert "Newer responses are in the results" not in fits
    assert "Waiting for a worker" not in fits


def logs_of(tree: Path) -> list[Path]:
    return list((tree / "var" / "log").glob("*.log"))


def page_of(port: str, name: str) -> str:
    url = f"http://127.0.0.1:{port}/s/workplace-health/results/{name}"
    with urllib.request.urlopen(url, timeout=300) as answer:
        return answer.read().decode()


def codes_in(text: str) -> list[str]:
    return re.findall("(?:[0-9A-Z]{4}-){4}[0-9A-Z]{4}", text)


def personal_links_in(text: str) -> list[str]:
    return re.findall("/s/talk-of-leaving/#([0-9A-Z]{28})", text)


def test_first_run_fills_the_demo_and_the_second_keeps_it(tree):
    port = str(free_port())
    first = Run(tree, PORT=port).wait_until_ready()
    before = results(port)
    network = results(port, "talk-of-leaving")
    questionnaire = results(port, "exams")
    # The longer a fit takes, the longer is the pause before the next.
    wait_for(lambda: is_fitted(tree), seconds=600)
    assert_of_every_response(port)
    assert sum(log.stat().st_size for log in logs_of(tree)) < MOST_BYTES
    first.end_by("ctrl-c")
    second = Run(tree, PORT=port).wait_until_ready()
    after = results(port)
    second.end_by("SIGINT")
    assert before["responses"] == 1500
    waves = {
        stratum["source"] for question in before["questions"] for stratum in question["devices"]
    }
    assert len(waves) == 2
    # While a survey is open a batch waits: here those who can still answer, so two of 38.
    assert network["responses"] == 36
    assert questionnaire["responses"] == 1500 - 5
    assert after == before
    assert any("simulated responses" in line for line in first.output_lines)
    assert not any("simulated responses" in line for line in second.output_lines)
    for output in (first.output_lines, second.output_lines):
        text = "\n".join(output)
        for slug in ("workplace-health", "talk-of-leaving", "exams"):
            assert f"http://127.0.0.1:{port}/s/{slug}/results/" in text
        for link in ("/s/workplace-health/", "/admin/"):
            assert f"http://127.0.0.1:{port}{link}" in text
        assert "author / " in text
        assert len(codes_in(text)) == len(personal_links_in(text)) == 2
    for found_in in (codes_in, personal_links_in):
        assert found_in("\n".join(first.output_lines)) == found_in("\n".join(second.output_lines))
    logs = logs_of(tree)
    assert {"web.log", "worker.log", "searches.log", "beat.log"} <= {log.name for log in logs}
    for log in logs:
        assert not [word for word in WORRIES if word in log.read_text().lower()], log
    assert stat.S_IMODE((tree / "var").stat().st_mode) == 0o700
    for name in (
        "secret-key",
        "demo-logins.json",
        "demo-codes.json",
        "demo-links.json",
        "candor.sqlite3",
        "broker.conf",
    ):
        assert stat.S_IMODE((tree / "var" / name).stat().st_mode) == 0o600


def settings_of_a_small_server() -> dict[str, str]:
    """Those that docs/operating.md sets, without the machines of the database and the broker."""
    settings = dict(word.split("=", 1) for word in assignments(blocks()["small-server"]))
    return {name: value for name, value in settings.items() if not name.endswith("_URL")}


def test_the_page_starts_it_by_make_run():
    assert blocks()["one-machine"] == "make run\n"
    assert blocks()["small-server"].endswith(" make run\n")
    assert {"CANDOR_PLAIN_HTTP", "CANDOR_DEMO"} <= settings_of_a_small_server().keys()


def ignored(process: psutil.Process) -> set[int]:
    """The signals that a process ignores, as listed by the kernel."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    (bits,) = (line.split()[1] for line in status.splitlines() if line.startswith("SigIgn"))
    return {number for number in signal.valid_signals() if int(bits, 16) >> (number - 1) & 1}


def test_a_background_job_under_nohup_ends_when_it_is_told_to(tree):
    """A shell starts its background jobs with SIGINT ignored, `nohup` its own with SIGHUP.

    With the settings of a small server.
    """
    settings = {"PORT": str(free_port()), **settings_of_a_small_server()}
    run = Run(tree, ignoring="INT HUP", **settings).wait_until_ready()
    assert {signal.SIGINT, signal.SIGHUP} <= ignored(psutil.Process(run.process.pid))
    (stack,) = psutil.Process(run.process.pid).children()
    # The terminal closes: that is what nohup is for.
    os.killpg(run.process.pid, signal.SIGHUP)
    with pytest.raises(psutil.TimeoutExpired):
        stack.wait(1)
    # The stack has a handler of its own for SIGINT, and what it starts inherits nothing.
    assert ignored(stack) & {signal.SIGINT, signal.SIGHUP} == {signal.SIGHUP}
    run.end_by("SIGTERM")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_stack_ends_by_a_signal_that_was_ignored_from_the_start(tmp_path, number):
    """By itself, without a `make` that ignores it too."""
    command = told_to_ignore("INT TERM", sys.executable, "-m", "config.stack")
    variables = {"PORT": str(free_port()), "CANDOR_DATA_DIR": str(tmp_path / "var")}
    with subprocess.Popen(
        command, cwd=ROOT, env=plain_environment(**variables), start_new_session=True
    ) as stack:
        wait_for((tmp_path / "var" / "run.lock").exists)
        stack.send_signal(number)
        assert stack.wait(timeout=300) == 0


INTERRUPTED_IMPORT = """
import signal, sys
from config.stack import __main__ as stack

class Field:
    def __set_name__(self, owner, name):
        signal.raise_signal(signal.SIGTERM)

stack.run = lambda environment: type("Imported", (), {"field": Field()})
sys.exit(stack.main())
"""


def test_the_stack_ends_by_a_signal_in_the_middle_of_an_import():
    """Python 3.11 makes a RuntimeError of what is raised while a class is made."""
    command = [sys.executable, "-c", INTERRUPTED_IMPORT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_the_supervisor_starts_has_every_signal_at_its_default():
    """Whatever the shell before it ignored, and whatever Python ignores itself."""
    child = [sys.executable, "-m", "config.stack.child"]
    program = [shutil.which("grep"), "-E", "^Sig(Ign|Blk)", "/proc/self/status"]
    command = told_to_ignore("INT HUP TERM QUIT", *child, *program)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    # The C library keeps 32 and 33 to itself, and its posix_spawn, by which make starts what it
    # runs, leaves them ignored; no program can send or change them through it.
    usable = sum(1 << (number - 1) for number in signal.valid_signals())
    masks = [int(line.split()[1], 16) for line in done.stdout.splitlines()]
    assert [mask & usable for mask in masks] == [0, 0]


@pytest.mark.parametrize("of_this_process", [True, False])
def test_what_lost_its_supervisor_before_it_began_does_nothing(tmp_path, of_this_process):
    """The kernel cannot end it with a parent that is gone already."""
    (tmp_path / "supervisor.pid").write_text(
        f"{os.getpid() if of_this_process else os.getppid()}\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "config.stack.child", "--supervised", "-m", "this"],
        cwd=ROOT,
        env=plain_environment(CANDOR_DATA_DIR=str(tmp_path)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("Zen of Python" in done.stdout, done.stderr) == (of_this_process, "")


def test_what_needs_a_broker_elsewhere_waits_until_it_answers(tmp_path):
    broker = with_broker({"CANDOR_DATA_DIR": str(tmp_path)})
    command = [sys.executable, "-m", "config.stack.child", "--after-broker", "-m", "this"]
    (tmp_path / "address").write_text(broker["REDIS_URL"] + "\n")
    named = {"REDIS_URL_FILE": str(tmp_path / "address")}
    assert with_broker(named)["CANDOR_OWN_BROKER"] == "false"
    environment = plain_environment(**named)
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as waiting:
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(1)
        server = [broker["CANDOR_BROKER_SERVER"], str(tmp_path / "broker.conf")]
        with subprocess.Popen(server) as started:
            assert waiting.wait(timeout=300) == 0
            started.kill()


def only_error_line(run: Run) -> str:
    """The only line of the error output, without the line that `make` adds."""
    _, complaint = run.finish()
    lines = [line for line in complaint.splitlines() if not line.startswith("make")]
    assert run.process.returncode != 0
    assert len(lines) == 1, complaint
    return lines[0]


def test_taken_port_is_one_line(tree):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = str(holder.getsockname()[1])
        assert f"Port {port} on 127.0.0.1 is taken" in only_error_line(Run(tree, PORT=port))


def test_bad_port_is_one_line(tree):
    assert "PORT is 'web'" in only_error_line(Run(tree, PORT="web"))


def test_missing_write_permission_is_one_line(tree):
    assert "Cannot write to /proc/candor" in only_error_line(
        Run(tree, CANDOR_DATA_DIR="/proc/candor")
    )


def test_old_python_is_one_line(tree, tmp_path):
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" && exit 0\nexit 1\n')
    old.chmod(0o755)
    copy = tmp_path / "tree"
    copy.mkdir()
    for name in ("Makefile", "requirements.txt"):
        shutil.copy2(tree / name, copy / name)
    line = only_error_line(Run(copy, PYTHON=str(old)))
    assert "needs Python 3.11 or newer" in line
    assert "Python 3.9.2" in line
