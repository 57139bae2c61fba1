"""The randomizing device: one exact draw from a column of integers.

This is the reference for the device that runs in the browser; both consume random bytes in the
same way, so the same bytes give the same report (tests/vectors/).
"""

from collections.abc import Callable, Sequence

import numpy as np

from rr_engine.errors import ArgumentError, DesignError
from rr_engine.validation import IntArray, check_whole

RandomBytes = Callable[[int], bytes]


def uniform_below(n: int, random_bytes: RandomBytes) -> int:
    """Draw a uniform integer from 0 to n - 1 by rejection.

    Parameters
    ----------
    n : int
        At least 1.
    random_bytes : callable
        ``random_bytes(size)`` returns that many independent uniform bytes.

    Returns
    -------
    int

    Notes
    -----
    Takes ``ceil(b / 8)`` bytes, big-endian, keeps the low ``b = bit_length(n - 1)`` bits and draws
    again when they are n or more: no modulo, no bias. For a power of two nothing is ever rejected.

    Examples
    --------
    >>> source = iter([b"\\xff", b"\\x0c"])
    >>> uniform_below(6, lambda size: next(source))  # low three bits: 7 is rejected, then 4
    4
    """
    bits = (check_whole(n, "n", minimum=1) - 1).bit_length()
    size, mask = (bits + 7) // 8, (1 << bits) - 1
    while True:
        drawn = int.from_bytes(take_bytes(random_bytes, size), "big") & mask
        if drawn < n:
            return drawn


def take_bytes(random_bytes: RandomBytes, size: int) -> bytes:
    """Return exactly `size` bytes of a random source, or refuse it."""
    if size == 0:
        return b""
    block = random_bytes(size)
    if not isinstance(block, bytes | bytearray) or len(block) != size:
        raise ArgumentError("random_bytes", block, f"return {size} bytes when asked for them")
    return bytes(block)


def draw_report(column_integers: Sequence[int], denominator: int, random_bytes: RandomBytes) -> int:
    """Draw the report of one person from the column of that person's true answer.

    Parameters
    ----------
    column_integers : sequence of int
        Non-negative, summing to `denominator`; entry u is the chance of report u.
    denominator : int
    random_bytes : callable
        See :func:`uniform_below`.

    Returns
    -------
    int
        The smallest u for which entries 0 to u sum to more than the uniform integer drawn.

    Examples
    --------
    >>> draw_report([3, 1], 4, lambda size: b"\\x02"), draw_report([3, 1], 4, lambda size: b"\\x03")
    (0, 1)
    """
    column = _check_column(column_integers, denominator)
    drawn = uniform_below(denominator, random_bytes)
    reached = 0
    for report, weight in enumerate(column):
        reached += weight
        if reached > drawn:
            return report
    raise AssertionError("a column that sums to the denominator always yields a report")


def _check_column(column_integers: Sequence[int], denominator: int) -> list[int]:
    check_whole(denominator, "denominator", minimum=1)
    column = [check_whole(weight, "column_integers") for weight in column_integers]
    if sum(column) != denominator:
        raise DesignError("column_integers", column_integers, f"sum to {denominator}")
    return column


def draw_reports(
    integers: IntArray, denominator: int, truths: IntArray, random_bytes: RandomBytes
) -> IntArray:
    """Draw one report per truth from a table over a power of two, all at once.

    Consumes the bytes that repeated :func:`draw_report` would, in the same order.
    """
    reports, size = integers.shape
    if size * denominator >= 2**63:
        raise DesignError("denominator", denominator, "times the categories stay below 2**63")
    drawn = _uniform_block(denominator, len(truths), random_bytes)
    # One sorted table of the cumulative columns, column v shifted up by v denominators: a single
    # search answers "which report" for all truths at once.
    steps = np.cumsum(integers, axis=0).T + denominator * np.arange(size)[:, None]
    found = np.searchsorted(steps.ravel(), drawn + denominator * truths, side="right")
    return found - reports * truths


def _uniform_block(denominator: int, count: int, random_bytes: RandomBytes) -> IntArray:
    bits = (denominator - 1).bit_length()
    size = (bits + 7) // 8
    block = np.frombuffer(take_bytes(random_bytes, size * count), dtype=np.uint8)
    if size == 4:
        drawn = block.view(">u4").astype(np.int64)
    else:
        drawn = np.zeros(count, dtype=np.int64)
        for byte in block.reshape(count, size).T:
            drawn = (drawn << 8) | byte
    return drawn & (denominator - 1)
