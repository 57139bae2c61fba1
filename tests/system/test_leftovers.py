"""The tests' own promises: what they start ends with them, whatever happens to them."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.system.answering_process import ROOT
from tests.system.stack import plain_environment, wait_for

pytestmark = pytest.mark.system

# The parent of the sleeper has gone when the test ends, as of something that detaches itself.
LOST = """
import pathlib, subprocess, sys

STARTS = "from subprocess import *; print(Popen(['sleep', '600'], stdout=DEVNULL).pid)"

def test_loses_a_process():
    command = [sys.executable, "-c", STARTS]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    pathlib.Path("pid").write_text(done.stdout)
"""
HELD = """
import pathlib, subprocess, time
import pytest

@pytest.fixture(scope="session")
def held():
    with subprocess.Popen(["sleep", "600"]) as process:
        pathlib.Path("started").write_text(str(process.pid))
        yield
        process.terminate()
        pathlib.Path("ended in order").touch()

def test_takes_long(held):
    # Only now: an interrupt in pytest's own code can stop at a place without a line, which its
    # report of it cannot bear (Python 3.11).
    pathlib.Path("started").rename("pid")
    time.sleep(600)
"""


def run_tests(folder: Path, text: str, *options: str) -> subprocess.Popen[str]:
    """Run a file of tests under our own fixtures, in another process and another folder."""
    (folder / "test_it.py").write_text(text)
    arguments = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-p", "tests.conftest"]
    arguments += ["--ds", "tests.system.bare_settings"]
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            *arguments,
            *options,
            "test_it.py",
        ],
        cwd=folder,
        env=plain_environment(PYTHONPATH=str(ROOT)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def pid_in(folder: Path) -> int:
    wait_for((folder / "pid").exists)
    return int((folder / "pid").read_text())


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_a_run_that_leaves_a_process_fails_and_ends_it(tmp_path, options):
    run = run_tests(tmp_path, LOST, *options)
    output, _ = run.communicate(timeout=300)
    assert run.returncode == 1, output
    assert re.search(r"tests left processes behind: .*sleep 600", output)
    assert "1 passed, 1 error" in output
    assert not psutil.pid_exists(pid_in(tmp_path))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_told_to_end_ends_what_it_has_started(tmp_path, number):
    run = run_tests(tmp_path, HELD)
    pid = pid_in(tmp_path)
    run.send_signal(number)
    output, _ = run.communicate(timeout=300)
    assert run.returncode == pytest.ExitCode.INTERRUPTED, output
    assert (tmp_path / "ended in order").exists()
    assert not psutil.pid_exists(pid)
