"""What a site takes of its machine, read every few seconds."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
import redis

from benchmarks.drills.site import Site

MEGABYTE = 1024 * 1024
CONNECTIONS = """
SELECT count(*) FROM pg_stat_activity
WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
INBOX = "SELECT count(*) FROM surveys_submission"


@dataclass(frozen=True)
class Taken:
    """By one process: megabytes, open files and threads.

    Memory that processes share counts for each in part (PSS), so that the sum of all is what they
    take; `own` is the part of it that is no file's, which nobody but the process can give back.
    """

    memory: float
    own: float
    files: int
    threads: int


@dataclass
class Sample:
    """One moment: by role what each of its processes takes, by its number; and what waits."""

    seconds: float
    roles: dict[str, dict[int, Taken]]
    connections: int
    inbox: int
    broker_mb: float
    broker_keys: int


def read(path: Path) -> list[Sample]:
    """The samples that a soak has written so far."""
    return [_read(json.loads(line)) for line in path.read_text().splitlines()]


def _read(row: dict[str, Any]) -> Sample:
    roles = {
        role: {int(pid): Taken(**taken) for pid, taken in processes.items()}
        for role, processes in row["roles"].items()
    }
    return Sample(**{**row, "roles": roles})


class Sampler(threading.Thread):
    """Reads until it is told to end."""

    def __init__(self, site: Site, every: float, out: Path) -> None:
        super().__init__(daemon=True)
        self.site, self.every, self.out = site, every, out
        self.samples: list[Sample] = []
        self.stopped = threading.Event()
        self._began = time.monotonic()

    def run(self) -> None:
        url = self.site.environment["REDIS_URL"]
        with (
            self.out.open("w") as out,
            psycopg.connect(self.site.engine.url, autocommit=True) as database,
            redis.Redis.from_url(url) as broker,
        ):
            while not self.stopped.wait(self.every):
                self.samples.append(self._sample(database, broker))
                out.write(json.dumps(asdict(self.samples[-1])) + "\n")
                out.flush()

    def _sample(self, database: "psycopg.Connection[Any]", broker: redis.Redis) -> Sample:
        (connections,) = database.execute(CONNECTIONS).fetchone() or (0,)
        (inbox,) = database.execute(INBOX).fetchone() or (0,)
        return Sample(
            time.monotonic() - self._began,
            {name: taken_by(processes) for name, processes in processes_of(self.site)},
            connections,
            inbox,
            broker.info("memory")["used_memory"] / MEGABYTE,
            broker.dbsize(),
        )

    def end(self) -> list[Sample]:
        self.stopped.set()
        self.join()
        return self.samples


def taken_by(processes: list[psutil.Process]) -> dict[int, Taken]:
    found = {}
    for process in processes:
        # Some end while they are looked at.
        with suppress(OSError, psutil.NoSuchProcess):
            found[process.pid] = taken(process)
    return found


def taken(process: psutil.Process) -> Taken:
    folder = Path("/proc", str(process.pid))
    lines = (folder / "smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    swapped = kilobytes.get("SwapPss", 0)
    return Taken(
        memory=(kilobytes["Pss"] + swapped) / 1024,
        own=(kilobytes["Pss_Anon"] + swapped) / 1024,
        files=len(list((folder / "fd").iterdir())),
        threads=process.num_threads(),
    )


def processes_of(site: Site) -> Iterator[tuple[str, list[psutil.Process]]]:
    """Each role with its processes and theirs."""
    yield "web", [each for web in site.webs for each in _family(web.process.pid)]
    for name, program in site.programs.items():
        yield name, _family(program.process.pid)
    yield "broker", _family(site.broker.pid)
    yield "nginx", _family(int((site.folder / "nginx.pid").read_text()))
    yield "database", site.engine.processes()


def _family(pid: int) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    return []
