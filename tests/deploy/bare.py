"""A bare Debian in a folder, in which somebody types what a page says.

debootstrap makes it from the mirror of this machine. It has processes, mounts and a network of its
own: whatever ends its first process (`tests/deploy/standin.py`) ends all of them, and its ports are
nobody else's. Blocks that install something are typed in a shell with this machine's network.
"""

import fcntl
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.deploy.standin import CLIENT
from tests.deploy.support import PATH, ROOT, program, run, said

# A block that takes longer will not end.
LIMIT = 1800
# Mounts and processes that end with whoever has started them.
APART = ("setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child")
# A shell in which one block after the other is typed, as long as they end well.
SHELL = """
set -e
cd
while IFS= read -r block <&3; do
    . "/srv/blocks/$block" 3<&-
    printf '\036%s\036' "$block"
done
"""
# What this machine needs to reach a mirror or an index of packages.
REACHING = re.compile(r"(https?|no)_proxy|PIP_(INDEX_URL|CERT|DEFAULT_TIMEOUT|TRUSTED_HOST)", re.I)


def sources() -> str:
    """The mirror of Debian that apt takes here."""
    places = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    text = "\n".join(path.read_text() for path in places if path.is_file())
    found = re.findall(r"^(?:URIs:|deb(?: \[.*\])?) *(https?://\S+/debian)/?(?:\s|$)", text, re.M)
    return found[0] if found else "http://deb.debian.org/debian"


def install() -> None:
    """debootstrap, if this machine has none."""
    if os.getuid():
        sys.exit("A bare Debian is made by root: sudo make bare-debian")
    command = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", "debootstrap")
    if not shutil.which("debootstrap", path=PATH) and run(*command).returncode:
        sys.exit(f"A bare Debian is made by debootstrap, which is missing: {' '.join(command)}")


class Shell:
    """A terminal with a shell behind it; what it shows is kept."""

    def __init__(self, machine: "Machine", *namespaces: str) -> None:
        self.machine, self.shown = machine, bytearray()
        self._terminal, theirs = pty.openpty()
        asked, self._asks = os.pipe()
        enter = ("nsenter", "--target", str(machine.first), "--mount", "--pid", *namespaces)
        environment = {key: value for key, value in os.environ.items() if REACHING.fullmatch(key)}
        environment |= {"HOME": "/root", "USER": "root", "LANG": "C.UTF-8", "TERM": "dumb"}
        environment["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environment["DEBIAN_FRONTEND"] = "noninteractive"
        redirected = f'exec 3<&{asked}; exec "$@"'
        shell = ("chroot", str(machine.root), "bash", "-c", SHELL)
        self._process = subprocess.Popen(
            ["bash", "-c", redirected, "bash", *enter, *shell],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            pass_fds=(asked,),
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        for each in (theirs, asked):
            os.close(each)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with suppress(OSError):
            while piece := os.read(self._terminal, 65536):
                self.shown += piece

    def type(self, name: str, text: str, *answers: str) -> str:
        """Run a block; `answers` go to whatever ends with a colon. Returns what it shows."""
        self.machine.write(f"srv/blocks/{name}", text)
        begun, start = time.monotonic(), len(self.shown)
        os.write(self._asks, name.encode() + b"\n")
        end, asked, pending = f"\036{name}\036".encode(), start, list(answers)
        while not self.shown.endswith(end):
            assert self._process.poll() is None, self._told(name, start)
            assert time.monotonic() < begun + LIMIT, self._told(name, start)
            if pending and self.shown[asked:].rstrip().endswith(b":"):
                asked = len(self.shown)
                os.write(self._terminal, pending.pop(0).encode() + b"\n")
            time.sleep(0.02)
        self.machine.took(name, begun)
        del self.shown[-len(end) :]
        return self._after(start)

    def _told(self, name: str, start: int) -> str:
        # What it showed last may still be on its way.
        self._reader.join(1)
        return f"The block {name!r} failed:\n{self._after(start)[-6000:]}"

    def _after(self, start: int) -> str:
        return self.shown[start:].decode(errors="replace").replace("\r\n", "\n")

    def close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(5)
        for each in (self._terminal, self._asks):
            os.close(each)


class Machine:
    def __init__(self, folder: Path) -> None:
        self.root, self.logs = folder / "root", folder / "logs"
        self.logs.mkdir()
        self._ends = ExitStack()

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        place.chmod(mode)

    @staticmethod
    def took(name: str, begun: float) -> None:
        """What takes long is said as it ends."""
        if (seconds := time.monotonic() - begun) >= 1:
            sys.stdout.write(f"{name}: {seconds:.0f} s\n")
            sys.stdout.flush()

    def make(self, suite: str) -> None:
        begun = time.monotonic()
        made = (*APART, "--mount-proc", program("debootstrap"), "--variant=minbase", suite)
        said(*made, self.root, sources())
        self.took("debootstrap", begun)
        # Of a machine without systemd, on which nothing starts as it is installed.
        self.write("usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n", 0o755)
        self.write("usr/local/bin/systemctl", CLIENT, 0o755)
        # It lasts for minutes: nothing has to be safe on the disk.
        self.write("etc/dpkg/dpkg.cfg.d/unsafe", "force-unsafe-io\n")
        for path in ("/etc/resolv.conf", "/etc/pip.conf"):
            if Path(path).exists():
                self.write(path[1:], Path(path).read_text())
        for path in Path("/usr/local/share/ca-certificates").glob("*.crt"):
            self.write(str(path)[1:], path.read_text())

    def start(self) -> None:
        standin = ("-m", "tests.deploy.standin", str(self.root), str(self.logs))
        process = subprocess.Popen(
            [*APART, "--net", sys.executable, *standin],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._ends.callback(process.communicate)
        self._ends.callback(process.kill)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        self.first = int(children.read_text())
        # Its processes are seen as its first process sees them.
        self.processes = Path(f"/proc/{self.first}/root{self.root}/proc")

    def shell(self, *namespaces: str) -> Shell:
        shell = Shell(self, *namespaces)
        self._ends.callback(shell.close)
        return shell

    def close(self) -> None:
        self._ends.close()
        # Never what was mounted, if anything still were.
        said("rm", "--recursive", "--force", "--one-file-system", self.root)


@contextmanager
def bare_machine(suite: str) -> Iterator[Machine]:
    """One that runs, and of which nothing is left."""
    install()
    with tempfile.TemporaryDirectory(prefix="bare-") as place:
        machine = Machine(Path(place))
        try:
            machine.make(suite)
            machine.start()
            yield machine
        finally:
            machine.close()
