"""Every run finds the same surroundings, however it was started.

What a shell, `nohup` or a runner ignores or blocks is inherited by whatever a test starts: a
background job of a shell has SIGINT ignored, and so would have the `make run` of a test. Settings
of Candor's own that a developer has exported would reach the settings under test.
"""

import os
import signal

# Where the tests find their browsers is the developer's to say.
KEPT = {"CANDOR_CHROMIUM", "CANDOR_FIREFOX"}
# Python's own, which `subprocess` gives back to every program that it starts.
_PYTHONS = {signal.SIGPIPE, signal.SIGXFSZ}


def settle_signals() -> None:
    """Nothing is ignored or blocked in what tests start; our own end is an orderly one.

    A signal that has a handler is at its default in a program that is started, and an ignored one
    stays ignored: so what we go on ignoring, we ignore by a handler.
    """
    for number in signal.valid_signals() - _PYTHONS:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _ignored)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            # As for Ctrl-C, so that fixtures end what they have started.
            signal.signal(number, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _ignored(*_: object) -> None:
    """Go on."""


def settle_environment() -> None:
    """Only what the tests set themselves."""
    ours = {name for name in os.environ if name.startswith("CANDOR_")} | {"REDIS_URL"}
    for name in ours - KEPT:
        os.environ.pop(name, None)
