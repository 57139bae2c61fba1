"""The system's randomness, replaced by bytes that are the same in every run.

`take_over` comes before anything of the product is imported: some of it keeps `os.urandom` as the
default of an argument.
"""

import os
import random

_source = random.Random()


def drawn(count: int) -> bytes:
    """Return so many bytes of the source that `begin` has set."""
    return _source.randbytes(count)


def take_over() -> None:
    """Let `os.urandom`, `secrets`, `uuid4` and `SystemRandom` draw from our source."""
    os.urandom = drawn
    # The copy of `os.urandom` that `random` has imported under a name of its own.
    random._urandom = drawn  # type: ignore[attr-defined]


def begin(name: str) -> None:
    """Begin anew with the bytes of this name, whatever was drawn before."""
    _source.seed(name)
