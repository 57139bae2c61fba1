"""`python -m config.stack`: prepare, start everything, say where it is, stay until told to stop."""

import os
import signal
import sys
from typing import NoReturn

from config.stack.errors import StackError
from config.stack.launcher import run


class Stopped(BaseException):
    """Somebody wants us to end: Ctrl-C, a closed terminal, `kill`."""


def _stop(*_: object) -> NoReturn:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


def main() -> int:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
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
