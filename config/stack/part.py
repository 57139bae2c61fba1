"""`python -m config.stack.part NAME [ARGUMENT ...]`: become one part of a running Candor.

Every way to run Candor starts its parts here: `make run`, the image, the chart, the units of
systemd. So a part has the same options everywhere. NAME alone is enough; arguments go on to the
program. Without a name the parts are listed with their commands.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# What only matters where several workers talk to each other, and would be traffic at the broker.
_ALONE = ("--without-gossip", "--without-mingle", "--without-heartbeat")
_WORKER = ("-m", "celery", "--quiet", "-A", "config", "worker", "--loglevel", "WARNING")
# Whatever computes in the background leaves the processor to whoever waits for a page.
_NICENESS = 5


@dataclass(frozen=True)
class Part:
    """What Python is given, and how the program is to be ended."""

    arguments: tuple[str, ...]
    # After SIGTERM, before it is killed; None for a command that ends by itself.
    stop_seconds: int | None = None
    # Of the environment, where it does not say otherwise.
    defaults: Mapping[str, str] = field(default_factory=dict)
    nice: bool = False


def _background(*queues: str) -> Part:
    """A worker of long jobs, one at a time; one that is cut off is started again by itself.

    SIGQUIT cuts it off at once, where whoever ends it can send that.
    """
    names = ("--queues", ",".join(queues), "--hostname", f"{queues[0]}@%h", "--concurrency", "1")
    defaults = {"OMP_NUM_THREADS": "1"}
    return Part((*_WORKER, *names, *_ALONE), stop_seconds=10, defaults=defaults, nice=True)


PARTS = {
    # Takes nothing new, and finishes within the `graceful_timeout` of its configuration.
    "web": Part(
        ("-m", "gunicorn", "--config", "config/stack/gunicorn.conf.py", "config.wsgi"),
        stop_seconds=25,
    ),
    # Tasks are safe to run twice, so one that takes longer than this is cut off.
    "worker": Part(
        (*_WORKER, "--concurrency", "${CANDOR_TASK_WORKERS}", *_ALONE),
        stop_seconds=30,
        defaults={"CANDOR_TASK_WORKERS": "2"},
        nice=True,
    ),
    "searches": _background("searches", "files"),
    # For a large site, where files have a worker of their own.
    "files": _background("files"),
    "clock": Part(
        ("-m", "celery", "--quiet", "-A", "config.clock", "beat", "--loglevel", "WARNING",
         "--pidfile="),
        stop_seconds=10,
    ),
    # Only where Prometheus is to be answered.
    "metrics": Part(("manage.py", "candor", "metrics"), stop_seconds=10, nice=True),
    "migrate": Part(("manage.py", "migrate", "--noinput")),
    "collect": Part(("manage.py", "collectstatic", "--noinput")),
    "manage": Part(("manage.py",)),
    "healthy": Part(("-m", "config.stack.healthy")),
}  # fmt: skip


def command(name: str, environment: Mapping[str, str]) -> list[str]:
    """What follows the name of the interpreter."""
    part = PARTS[name]
    values = {**part.defaults, **{key: value for key, value in environment.items() if value}}
    given = [f"${{{key}}}" for key in part.defaults]
    return [values[each[2:-1]] if each in given else each for each in part.arguments]


def interpreter() -> str:
    """This one, past links to its folder: a link to the newest version may be moved meanwhile."""
    path = Path(sys.executable)
    return str(path.parent.resolve() / path.name)


def main(arguments: list[str]) -> None:
    name = arguments[0] if arguments else ""
    if name not in PARTS:
        listed = "\n".join(f"  {each:9} {' '.join(PARTS[each].arguments)}" for each in PARTS)
        said = f"There is no part {name!r}" if name else "Name a part of Candor"
        sys.exit(f"candor: {said}; there are\n{listed}")
    part = PARTS[name]
    if part.nice:
        os.nice(_NICENESS)
    for key, value in part.defaults.items():
        os.environ.setdefault(key, value)
    python = interpreter()
    os.execv(python, [python, *command(name, os.environ), *arguments[1:]])


if __name__ == "__main__":
    main(sys.argv[1:])
