"""What a piece of work costs: the least time of several rounds, and the peak of its memory."""

import time
import tracemalloc
from collections.abc import Callable

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
