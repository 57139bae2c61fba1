"""Sites with a disk that can be filled, and with a clock that can be moved, and what happens there.

The disk is one in memory, which root alone can make. The clock is that of the site's programs only,
by Debian's libfaketime; the machine's own is left alone.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.drills.drill import Drill, Load
from benchmarks.drills.engine import SMALL_LOG, fill, small_disk
from benchmarks.drills.site import Site, site

FULL_SECONDS = 10
HOUR = 3600
CLOCK = "FAKETIME_TIMESTAMP_FILE"


class MissingError(Exception):
    """What a drill needs and the machine has not."""


@contextmanager
def on_a_small_disk() -> Iterator[Site]:
    if os.geteuid() != 0:
        raise MissingError("only root can make a disk to be filled")
    with (
        tempfile.TemporaryDirectory(prefix="candor-disk-") as name,
        small_disk(Path(name, "disk")) as disk,
    ):
        Path(name).chmod(0o755)
        with site(data=disk, settings=SMALL_LOG) as running:
            yield running


def fill_the_disk(site: Site, load: Load) -> None:
    filled = fill(site.engine.folder.parent)
    time.sleep(FULL_SECONDS)
    filled.unlink()
    site.engine.start()


def library() -> str:
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        raise MissingError("there is no libfaketime; on Debian: apt-get install libfaketime")
    return str(found[0])


@contextmanager
def with_a_clock() -> Iterator[Site]:
    with tempfile.TemporaryDirectory(prefix="candor-clock-") as name:
        Path(name).chmod(0o755)
        clock = {
            "LD_PRELOAD": library(),
            CLOCK: str(Path(name, "clock")),
            "FAKETIME_CACHE_DURATION": "1",
            # A real clock that is set moves the time of day only.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        Path(clock[CLOCK]).write_text("+0\n")
        with site(clock=clock) as running:
            yield running


def _move(seconds: int) -> "Drill":
    def event(site: Site, load: Load) -> None:
        Path(site.environment[CLOCK]).write_text(f"{seconds:+}\n")
        load.wait_for_more(100)

    direction = "forward" if seconds > 0 else "back"
    return Drill(f"clock moved {direction} by an hour", event)


FULL = Drill("disk of the database full", fill_the_disk, may_be_away=True)
MOVED = [_move(HOUR), _move(-HOUR)]
