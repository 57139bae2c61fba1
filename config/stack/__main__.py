"""`python -m config.stack`: prepare, start everything, print the addresses, run until stopped."""

import os
import signal
import sys
from typing import NoReturn

from config.stack.errors import StackError
from config.stack.launcher import run

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """A request to end: Ctrl-C, a closed terminal, or `kill`."""


def _stop(*_: object) -> NoReturn:
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


def _is_stopped() -> bool:
    return signal.getsignal(signal.SIGTERM) == signal.SIG_IGN


def _hear_signals() -> None:
    """Receive signals to end, however the process was started.

    A background job of a shell has SIGINT ignored, and some runners block signals or ignore the end
    of children. Only an ignored SIGHUP, as set by `nohup`, is respected: the terminal may close.
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
    except Exception:
        # What the signal interrupts may make another error of it: a class that is being made does.
        if not _is_stopped():
            raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
