"""`python -m tests.deploy.standin ROOT LOGS`: as the first process of a Debian in a folder, what
systemd is on a whole machine.

It reads the units that have been installed there, when it is told to start one, and starts them as
they say: user, folder, environment, credentials, what may be written, and no right but the user's.
Debian's own services are started by Debian's own scripts. What it does not know of a unit it leaves
out: limits of memory and of calls to the kernel (`systemd-analyze` reads these in another test),
timers, and starting anew what has failed, so that a failure is seen.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.deploy.service import ENVIRONMENT, Refused, Service
from tests.deploy.support import seconds, unit

# The command `systemctl` of that Debian: it asks the first process.
CLIENT = """#!/usr/bin/python3
import json, socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect("/run/stand-in")
    asked.sendall(json.dumps(sys.argv[1:]).encode() + b"\\n")
    status, said = json.loads(asked.makefile().read())
sys.stdout.write(said)
sys.exit(status)
"""
MACHINE = """
set -eu
root=$1
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mkdir -m 1777 "$root/run/lock"
ip link set lo up
"""


class Running(NamedTuple):
    pid: int
    # Everything that a service has started is in this namespace, wherever else it has gone.
    namespace: int


class Manager:
    def __init__(self, root: Path, logs: Path) -> None:
        self.root, self.logs = root, logs
        self.ended: dict[int, int] = {}
        self.running: dict[str, Running] = {}
        self.listening = socket.socket(socket.AF_UNIX)

    # The first process: it also gathers whoever's parent is gone.

    def serve(self) -> None:
        subprocess.run(["sh", "-c", MACHINE, "sh", self.root], check=True)
        self.listening.bind(str(self.root / "run" / "stand-in"))
        self.listening.listen()
        self.listening.settimeout(0.2)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            self._gather()
            with suppress(TimeoutError):
                asking, _ = self.listening.accept()
                self._answer(asking)

    def _answer(self, asking: socket.socket) -> None:
        with asking, asking.makefile("rw") as words:
            try:
                answer = (0, self.ask(*json.loads(words.readline())))
            except Refused as refused:
                answer = (refused.status, f"{refused}\n")
            except OSError as error:
                # A file that a unit names is not there.
                answer = (1, f"{error}\n")
            # Whoever asked may have gone.
            with suppress(BrokenPipeError):
                words.write(json.dumps(answer))
                words.flush()

    def _gather(self) -> None:
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                self.ended[found[0]] = os.waitstatus_to_exitcode(found[1])

    def _wait(self, is_so: Callable[[], bool], limit: float = 900) -> bool:
        end = time.monotonic() + limit
        while not is_so():
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
            self._gather()
        return True

    # What is asked for.

    def ask(self, *words: str) -> str:
        verb, *names = [word for word in words if word not in ("--now", "--quiet")]
        if verb == "is-active":
            states = [self.state(name) for name in names]
            if set(states) != {"active"}:
                raise Refused("\n".join(states), 3)
            return "".join(f"{state}\n" for state in states)
        if verb == "daemon-reload":
            return ""
        verbs = {"start": self.start, "stop": self.stop, "restart": self.restart}
        verbs |= {"reload": self.reload, "enable": self.enable}
        if verb not in verbs:
            raise Refused(f"Unknown command verb {verb}.")
        for name in names:
            verbs[verb](self._full(name))
            if verb == "enable" and "--now" in words:
                self.start(self._full(name))
        return ""

    def state(self, name: str) -> str:
        kept = self.running.get(self._full(name))
        if kept is None:
            return "inactive"
        return "failed" if kept.pid in self.ended else "active"

    @staticmethod
    def _full(name: str) -> str:
        return name if re.search(r"\.(service|timer|target)$", name) else f"{name}.service"

    def _file(self, name: str) -> Path | None:
        """The unit's, or none for a service of Debian's own."""
        path = self.root / "etc/systemd/system" / re.sub(r"@[^.]*", "@", name)
        return path if path.exists() else None

    def _script(self, name: str, verb: str) -> None:
        script = f"/etc/init.d/{name.removesuffix('.service')}"
        if not (self.root / script[1:]).exists():
            raise Refused(f"Failed to {verb} {name}: Unit {name} not found.", 5)
        place = ["unshare", "--mount", "chroot", str(self.root), script, verb]
        if self._run(name, place, dict(ENVIRONMENT)):
            raise self._failed(name)

    def enable(self, name: str) -> None:
        path = self._file(name)
        if path is None or "WantedBy" not in unit(path):
            raise Refused(f"The unit {name} is not meant to be enabled.")

    def reload(self, name: str) -> None:
        if self._file(name):
            raise Refused(f"Job type reload is not applicable for unit {name}.")
        self._script(name, "reload")

    def restart(self, name: str) -> None:
        if self._file(name):
            self.stop(name)
            self.start(name)
        else:
            self._script(name, "restart")

    def start(self, name: str) -> None:
        path = self._file(name)
        if path is None:
            return self._script(name, "start")
        service = Service(self.root, path, name)
        if name.endswith(".target"):
            for each in " ".join(service.all("Wants")).split():
                self.start(each)
        elif name.endswith(".service") and self.state(name) != "active":
            self._start(name, service)
        return None

    def stop(self, name: str) -> None:
        file = self._file(name)
        if file is None:
            return self._script(name, "stop")
        for each in list(self.running):
            path = self._file(each)
            if path and name in unit(path)["PartOf"]:
                self.stop(each)
        if name in self.running:
            self._end(self.running.pop(name), Service(self.root, file, name))
        return None

    # A service.

    def _start(self, name: str, service: Service) -> None:
        kind = service.last("Type", "simple")
        environment = service.environment()
        before, starts, after = map(
            service.commands, ("ExecStartPre", "ExecStart", "ExecStartPost")
        )
        for command in [*before, *starts, *after] if kind == "oneshot" else before:
            if self._run(name, command, environment):
                raise self._failed(name)
        if kind == "oneshot":
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            if kind == "notify":
                place = self.root / "run" / f"notify-{name}"
                place.unlink(missing_ok=True)
                notified.bind(str(place))
                place.chmod(0o777)
                notified.setblocking(False)
                environment["NOTIFY_SOCKET"] = f"/run/{place.name}"
            pid = self._spawn(name, starts[0], environment)
            self.running[name] = Running(pid, self._namespace(pid))
            limit = seconds(service.last("TimeoutStartSec", "90"))
            ready = kind == "simple" or self._wait(lambda: self._ready(notified, pid), limit)
        if not ready or pid in self.ended:
            raise self._failed(name)

    def _failed(self, name: str) -> Refused:
        path = self.logs / f"{name}.log"
        log = path.read_text(errors="replace")[-4000:] if path.exists() else ""
        return Refused(f"Job for {name} failed.\n{log}")

    def _ready(self, notified: socket.socket, pid: int) -> bool:
        with suppress(BlockingIOError):
            return b"READY=1" in notified.recv(4096).splitlines()
        return pid in self.ended

    def _spawn(self, name: str, command: list[str], environment: dict[str, str]) -> int:
        with (self.logs / f"{name}.log").open("ab") as log:
            started = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        # Its end is gathered with all others'.
        started.returncode = 0
        return started.pid

    def _run(self, name: str, command: list[str], environment: dict[str, str]) -> int:
        pid = self._spawn(name, command, environment)
        self._wait(lambda: pid in self.ended)
        return self.ended.get(pid, 1)

    def _namespace(self, pid: int) -> int:
        def its(process: int) -> int:
            with suppress(OSError):
                return (self.root / f"proc/{process}/ns/mnt").stat().st_ino
            return 0

        own = its(os.getpid())
        self._wait(lambda: pid in self.ended or its(pid) not in (0, own))
        return its(pid)

    def _inside(self, kept: Running) -> Iterator[int]:
        for path in (self.root / "proc").glob("[0-9]*"):
            with suppress(OSError):
                if (path / "ns/mnt").stat().st_ino == kept.namespace:
                    yield int(path.name)

    def _end(self, kept: Running, service: Service) -> None:
        """As KillMode=mixed: the main process is asked, and what is left is killed."""
        asks = getattr(signal, service.last("KillSignal", "SIGTERM"))
        if kept.pid not in self.ended:
            os.kill(kept.pid, asks)
        limit = seconds(service.last("TimeoutStopSec", "90"))
        if not self._wait(lambda: kept.pid in self.ended, limit):
            sys.stderr.write(f"{kept.pid} did not end in {limit} s\n")
        for pid in self._inside(kept):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._wait(lambda: not any(True for _ in self._inside(kept)))


if __name__ == "__main__":
    Manager(Path(sys.argv[1]), Path(sys.argv[2])).serve()
