"""`python -m config.stack.child [--supervised] [--after-broker] PROGRAM ...`

Become PROGRAM, tied to the parent.

The kernel ends this process with its parent, so that a supervisor killed outright leaves nothing
behind. With --supervised the parent has to be the supervisor still, which may have been killed
before the kernel was told. PROGRAM finds every signal at its default, whatever the shell that
started all of it ignored. With --after-broker it first waits until the broker answers, so that a
start in any order logs no failed connection. A PROGRAM of "-m module" runs under this Python.
"""

import contextlib
import os
import signal
import socket
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from billiard.util import set_pdeathsig


def main(arguments: list[str]) -> None:
    # Only Linux has it; elsewhere the supervisor's own shutdown has to suffice.
    with contextlib.suppress(OSError):
        set_pdeathsig(signal.SIGTERM)
    if arguments[0] == "--supervised":
        arguments = arguments[1:]
        if os.getppid() != supervisor():
            return
    if arguments[0] == "--after-broker":
        arguments = arguments[1:]
        wait_for_broker()
    if arguments[0] == "-m":
        arguments = [sys.executable, *arguments]
    default_signals()
    os.execv(arguments[0], arguments)


def supervisor() -> int:
    """The supervisor's process id, written before it started the first program.

    An orphan belongs to process 1 or to any other process that adopts orphans, so there is no
    other way to identify the supervisor.
    """
    return int(Path(os.environ["CANDOR_DATA_DIR"], "supervisor.pid").read_text())


def default_signals() -> None:
    """Reset all signals: PROGRAM would inherit ignored and blocked ones."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def wait_for_broker() -> None:
    answers = _listens if os.environ.get("CANDOR_OWN_BROKER") == "true" else _answers
    tries = 0
    while not answers():
        tries += 1
        if tries == 50:
            sys.stderr.write("Waiting for the broker.\n")
        time.sleep(0.1)


def _listens() -> bool:
    """Whether the broker of this machine is there, which has nothing to load before it answers."""
    address = urlsplit(os.environ["REDIS_URL"])
    try:
        socket.create_connection((address.hostname, address.port), timeout=1).close()
    except OSError:
        return False
    return True


def _answers() -> bool:
    # Here, because programs that do not ask would take four times as long to begin.
    import redis

    from config import broker
    from config.environment import environment

    with broker.of(environment()).client(connect=1, answer=1) as client:
        try:
            return bool(client.ping())
        except (redis.ConnectionError, redis.TimeoutError):
            return False


if __name__ == "__main__":
    main(sys.argv[1:])
