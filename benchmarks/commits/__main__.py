"""`python -m benchmarks.commits [--rounds 5] [--seconds 4] [--disks 0 2 5]`: ways to group commits.

In turns on one PostgreSQL, whose disk is made slower by so many milliseconds a write, responses
come over as many connections as keep all threads of the web processes busy. Each row is a way to
store them: as it is, with PostgreSQL's `commit_delay`, with threads that commit together
(batched.py), and with twice as many web processes. Ratios are to the first row, round by round.

As good on a busy machine as on a quiet one are `a_write`, the responses that one write to the disk
has made permanent by the server's own count, and `web_ms` and `database_ms`, the milliseconds of a
processor that a response takes in either.
"""

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import psycopg

from benchmarks.submit import OURS, load, our_order, serving
from tests import postgresql
from tests.system.stack import running_stack

BATCHED = "benchmarks.commits.batched"
CONNECTIONS = 32
# The ways: server, web processes, microseconds of commit_delay.
DISKS = (0, 2, 5)
WAYS = {
    "as it is": (OURS, 2, 0),
    "commit_delay 200": (OURS, 2, 200),
    "commit_delay 1000": (OURS, 2, 1_000),
    "threads together": (BATCHED, 2, 0),
    "4 processes": (OURS, 4, 0),
    "4, threads together": (BATCHED, 4, 0),
}
COMPARED = ("per_second", "p50_ms", "p99_ms")
COUNTED = ("a_write", "web_ms", "database_ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--disks", type=int, nargs="+", default=DISKS, metavar="MILLISECONDS")
    chosen = parser.parse_args()
    with (
        _slow_disk() as disk,
        postgresql.running() as url,
        _only_there(),
        running_stack(database_url=url) as stack,
        ExitStack() as servers,
    ):
        ports = {
            server: servers.enter_context(serving(stack, server[0], processes=server[1]))
            for server in dict.fromkeys((name, number) for name, number, _ in WAYS.values())
        }
        document = stack.ledger("launch", "commits")
        # What recomputes take of the processor and the database is no part of this.
        worker = stack.role("worker")
        for process in (worker, *worker.children(recursive=True)):
            process.suspend()
        for slower in chosen.disks:
            disk.write_bytes(struct.pack("q", slower * 1_000))
            _measure(slower, url, ports, document, chosen.rounds, chosen.seconds)


def _measure(
    slower: int,
    url: str,
    ports: dict[tuple[str, int], int],
    document: dict[str, Any],
    rounds: int,
    seconds: float,
) -> None:
    for port in ports.values():
        load(our_order(port, document, 1))  # warms up
    turns: list[dict[str, dict[str, float]]] = []
    for _ in range(rounds):
        turn = {}
        for name, (server, number, delay) in WAYS.items():
            order = our_order(ports[server, number], document, seconds)
            turn[name] = _one(url, {**order, "connections": CONNECTIONS}, delay)
        turns.append(turn)
    for name in WAYS:
        _print(slower, name, [turn[name] for turn in turns], [turn["as it is"] for turn in turns])


def _one(url: str, order: dict[str, Any], delay: int) -> dict[str, float]:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET commit_delay = {delay}")
        connection.execute("SELECT pg_reload_conf()")
        server = _server_of(connection)
        before = _writes(connection), _web_seconds(), _seconds_of(server)
        run = load(order)
        after = _writes(connection), _web_seconds(), _seconds_of(server)
    assert set(run["statuses"]) == {"201"}, run["statuses"]
    responses = run["statuses"]["201"]
    writes, web, database = (late - early for early, late in zip(before, after, strict=True))
    return {
        **run,
        "a_write": responses / max(writes, 1),
        "web_ms": 1000 * web / responses,
        "database_ms": 1000 * database / responses,
    }


def _server_of(connection: psycopg.Connection) -> psutil.Process:
    found = connection.execute("SHOW data_directory").fetchone()
    assert found
    return psutil.Process(int(Path(found[0], "postmaster.pid").read_text().split()[0]))


def _web_seconds() -> float:
    """Processor time of all web servers, of which one at a time has something to do."""
    ours = psutil.Process().children(recursive=True)
    return sum(_seconds_of(each) for each in ours if _is_a_master(each))


def _is_a_master(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        parent = process.parent()
        above = parent.cmdline() if parent else []
        return "gunicorn" in process.cmdline() and "gunicorn" not in above
    return False


def _seconds_of(master: psutil.Process) -> float:
    family = [master, *master.children(recursive=True)]
    ended = master.cpu_times()
    times = []
    for process in family:
        with suppress(psutil.NoSuchProcess):
            times.append(process.cpu_times())
    spent = sum(each.user + each.system for each in times)
    return spent + ended.children_user + ended.children_system


def _writes(connection: psycopg.Connection) -> int:
    """How often the log was written through to the disk."""
    connection.execute("SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()")
    found = connection.execute("SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal'").fetchone()
    assert found
    return int(found[0] or 0)


def _print(
    slower: int, name: str, runs: list[dict[str, float]], firsts: list[dict[str, float]]
) -> None:
    cells = [f"{number}={median(run[number] for run in runs):.4g}" for number in COMPARED + COUNTED]
    for number in COMPARED:
        ratios = sorted(
            run[number] / first[number] for run, first in zip(runs, firsts, strict=True)
        )
        cells.append(f"{number}/={median(ratios):.3f} ({ratios[0]:.2f}-{ratios[-1]:.2f})")
    print(f"disk +{slower} ms  {name:20}", *cells, flush=True)


@contextmanager
def _slow_disk() -> Iterator[Path]:
    """Let what is started now have the slow disk, and yield the file of its microseconds."""
    compiler = shutil.which("cc")
    if not compiler:
        sys.exit("There is no C compiler; on Debian: apt-get install gcc libc6-dev")
    with tempfile.TemporaryDirectory(prefix="candor-disk-") as name:
        folder = Path(name)
        # PostgreSQL may run as a user of its own.
        folder.chmod(0o755)
        source, library, file = (
            Path(__file__).with_name("disk.c"),
            folder / "disk.so",
            folder / "slower",
        )
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(source), "-ldl"],
            check=True,
        )
        file.write_bytes(struct.pack("q", 0))
        os.environ |= {"LD_PRELOAD": str(library), "SLOW_DISK": str(file)}
        yield file


@contextmanager
def _only_there() -> Iterator[None]:
    """Nothing that is started from now on has it."""
    del os.environ["LD_PRELOAD"], os.environ["SLOW_DISK"]
    yield


if __name__ == "__main__":
    main()
