"""`python -m config.stack`: prepare, start everything, say where it is, stay until told to stop."""

import os
import signal
import sys
from typing import NoReturn

from config.stack.errors import StackError
from config.stack.launcher import run

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """Somebody wants us to end: Ctrl-C, a closed terminal, `kill`."""


def _stop(*_: object) -> NoReturn:
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


def _hear_signals() -> None:
    """Be told to end, however we were started.

    A background job of a shell has SIGINT ignored, and some runners block signals or ignore the end
    of children. Only `nohup` is taken at its word: the terminal may close.
    """
    for number in ENDING:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def main() -> int:
    _hear_signals()
    try:
        run(os.environ)
    except Stopped:
        return 0
    except StackError as error:
        sys.stderr.write(f"candor: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
