"""The cost of a piece of work: the least time of several rounds, and the peak of its memory."""

import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

MEGABYTE = 2**20

Work = Callable[[], object]


def least_seconds(work: Work, rounds: int) -> float:
    """Return the least time: what is above it, others on the machine took."""
    return min(seconds(work) for _ in range(rounds))


def seconds(work: Work) -> float:
    """Return the time of one round."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def peak_bytes(work: Work) -> int:
    """Return the most memory that Python and NumPy hold at a time; it slows the work down."""
    tracemalloc.start()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def anonymous_bytes(process: int | str = "self") -> int:
    """Return what a process holds now that is no part of a file, in bytes; on Linux.

    Resident memory counts the mapped pages of SQLite's file, which the system takes back whenever
    it likes; and its peak as the kernel keeps it (`ru_maxrss`) is a child's from its parent.
    """
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    (kilobytes,) = (int(line.split()[1]) for line in lines if line.startswith("RssAnon:"))
    return kilobytes * 1024
