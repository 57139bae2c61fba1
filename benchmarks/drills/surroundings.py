"""Sites with a disk that can be filled, and with a clock that can be moved, and what happens there.

The disk is one in memory, which root alone can make. The clock is that of the site's programs only,
by a library that is loaded into them (clock.c); the machine's own is left alone.
"""

import os
import shutil
import struct
import subprocess
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
CLOCK = "DRILL_CLOCK"


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


def library(folder: Path) -> Path:
    """The clock of clock.c. libfaketime 0.9.10 would break Python's `time.sleep`."""
    compiler = shutil.which("cc")
    if not compiler:
        raise MissingError("there is no C compiler; on Debian: apt-get install gcc libc6-dev")
    made, source = folder / "clock.so", Path(__file__).with_name("clock.c")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O2", "-o", str(made), str(source), "-ldl"], check=True
    )
    return made


@contextmanager
def with_a_clock() -> Iterator[Site]:
    with tempfile.TemporaryDirectory(prefix="candor-clock-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        clock = {"LD_PRELOAD": str(library(folder)), CLOCK: str(folder / "moved_by")}
        move(clock[CLOCK], 0)
        with site(clock=clock) as running:
            yield running


def move(path: str, seconds: int) -> None:
    """Let the time of day be by so much another, from now on: programs have the file mapped."""
    with open(path, "r+b" if Path(path).exists() else "wb") as file:
        file.write(struct.pack("q", seconds))


def _move(seconds: int) -> "Drill":
    def event(site: Site, load: Load) -> None:
        move(site.environment[CLOCK], seconds)
        load.wait_for_more(100)

    direction = "forward" if seconds > 0 else "back"
    return Drill(f"clock moved {direction} by an hour", event)


FULL = Drill("disk of the database full", fill_the_disk, may_be_away=True)
MOVED = [_move(HOUR), _move(-HOUR)]
