"""Processes that tests have started, and their end.

On Linux this process adopts what its descendants leave behind, so that a process whose parent has
gone is still found among ours.
"""

import contextlib
import ctypes
import sys
from collections.abc import Iterable, Iterator

import psutil

_SET_CHILD_SUBREAPER = 36
GRACE_SECONDS = 5


def adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def running(*, but: Iterable[psutil.Process] = ()) -> set[psutil.Process]:
    """All that descends from this process and lives, without `but` and what descends from it."""
    found: set[psutil.Process] = set()
    for child in set(psutil.Process().children()) - set(but):
        with contextlib.suppress(psutil.NoSuchProcess):
            found |= {child, *child.children(recursive=True)}
    return {process for process in found if _lives(process)}


def _lives(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


def words(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.NoSuchProcess):
        return f"{process.pid} {' '.join(process.cmdline()) or process.name()}"
    return f"{process.pid}"


def kill(processes: set[psutil.Process]) -> None:
    """At once; nothing of it is waited for longer than a moment."""
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=GRACE_SECONDS)


@contextlib.contextmanager
def ended() -> Iterator[None]:
    """Whatever is started in the block ends with it, and so does what that has started."""
    before = psutil.Process().children()
    try:
        yield
    finally:
        kill(running(but=before))


@contextlib.contextmanager
def none_left() -> Iterator[None]:
    """Fail if something that was started in the block is still there; it is ended all the same."""
    before = psutil.Process().children()
    yield
    psutil.wait_procs(running(but=before), timeout=GRACE_SECONDS)
    left = running(but=before)
    told = sorted(map(words, left))
    kill(left)
    assert not told, f"tests left processes behind: {'; '.join(told)}"
