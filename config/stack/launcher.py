"""Starting the stack, and watching the supervisor."""

import contextlib
import hashlib
import itertools
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from billiard.util import set_pdeathsig

from config.environment.environment import Environment
from config.stack import profile
from config.stack.broker import with_broker
from config.stack.errors import StackError
from config.stack.profile import ROOT

START_SECONDS = 120
_SIGINT_BIT = 1 << (signal.SIGINT - 1)


def run(given_environment: Mapping[str, str]) -> None:
    """Run until a signal, or until the parent process has ended."""
    parent = os.getppid()
    with contextlib.suppress(OSError):
        set_pdeathsig(signal.SIGTERM)
    environment = {**profile.local_environment(given_environment), "CANDOR_PYTHON": sys.executable}
    profile.check_port_is_free(environment)
    with profile.lock(environment):
        environment = with_broker(environment)
        _manage(environment, "migrate", "--verbosity", "0")
        _collect_static(environment)
        with _run_supervisor(environment) as supervisor:
            _wait_until_it_serves(environment, supervisor)
            _announce(environment)
            _watch(supervisor, parent)


@contextlib.contextmanager
def _run_supervisor(environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run the supervisor in its own session, so that Ctrl-C ends the processes in order."""
    command = [sys.executable, "-m", "config.stack.child", "-m", "supervisor.supervisord"]
    command += ["--configuration", "config/stack/supervisord.conf"]
    if os.geteuid() == 0:
        command += ["--user", "root"]
    supervisor = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
    try:
        yield supervisor
    finally:
        supervisor.terminate()
        supervisor.wait()


def _announce(environment: Mapping[str, str]) -> None:
    url = profile.site(environment)
    if not Environment(environment).CANDOR_DEMO:
        sys.stdout.write(f"Candor runs at {url}/\n")
    else:
        _manage(environment, "candor", "demo", "--url", url)
    sys.stdout.write(f"Logs: {environment['CANDOR_LOG_DIR']}\nCtrl-C ends all of it.\n")
    sys.stdout.flush()


def _collect_static(environment: Mapping[str, str]) -> None:
    """Collect the static files, unless none has changed: it takes seconds."""
    stamp = Path(environment["CANDOR_DATA_DIR"], "static.stamp")
    names = ("staticfiles.py", "groups.py", "group_files.py")
    others = [ROOT / "requirements.txt", *(ROOT / "config" / name for name in names)]
    texts = (ROOT / "surveys" / "locale").rglob("*.mo")
    fingerprint = _fingerprint([*(ROOT / "static").rglob("*.*"), *texts, *others])
    fingerprint += environment.get("CANDOR_STATIC_DIR", "")
    if stamp.exists() and stamp.read_text() == fingerprint:
        return
    _manage(environment, "collectstatic", "--noinput", "--verbosity", "0")
    stamp.write_text(fingerprint)


def _fingerprint(files: Iterable[Path]) -> str:
    """A hash of the names, sizes and times of the files."""
    stats = [(path.relative_to(ROOT), path.stat()) for path in sorted(files)]
    lines = [f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _manage(environment: Mapping[str, str], *arguments: str) -> None:
    """Run a management command; on failure its last line is the error message."""
    command = [sys.executable, "manage.py", *arguments]
    name = " ".join(itertools.takewhile(lambda word: not word.startswith("-"), arguments))
    if subprocess.run(
        command, cwd=ROOT, env=environment, start_new_session=True, check=False
    ).returncode:
        raise StackError(f"`manage.py {name}` failed; the lines above say why.")


def _wait_until_it_serves(
    environment: Mapping[str, str], supervisor: subprocess.Popen[bytes]
) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _serves(environment):
        if supervisor.poll() is not None or time.monotonic() > deadline:
            log = Path(environment["CANDOR_LOG_DIR"], "web.log")
            raise StackError(f"The web server did not start; {log} says why.")
        time.sleep(0.1)


def _serves(environment: Mapping[str, str]) -> bool:
    """Whether the server answers at its address under its canonical name."""
    headers = {"Host": profile.canonical_host(environment)}
    request = urllib.request.Request(f"{profile.origin(environment)}/healthz", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def _watch(supervisor: subprocess.Popen[bytes], parent: int) -> None:
    while supervisor.poll() is None:
        if os.getppid() != parent or _make_was_interrupted(parent):
            return
        time.sleep(0.3)
    raise StackError("The supervisor has ended, and everything with it.")


def _make_was_interrupted(parent: int) -> bool:
    """Whether the parent is a `make` that received SIGINT alone.

    It then waits silently with SIGINT blocked, which is the only visible sign.
    """
    with contextlib.suppress(OSError, StopIteration, ValueError):
        lines = Path(f"/proc/{parent}/status").read_text().splitlines()
        fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        return fields["Name"].strip() == "make" and bool(int(fields["SigBlk"], 16) & _SIGINT_BIT)
    return False
