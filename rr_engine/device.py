"""The randomizing device: one exact draw from a column of integers.

This is the reference for the device that runs in the browser; both consume random bytes in the
same way, so the same bytes give the same report (tests/vectors/).
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from rr_engine import check
from rr_engine.arrays import IntArray, as_list
from rr_engine.errors import ArgumentError, DesignError
from rr_engine.precision import uniform_entries

RandomBytes = Callable[[int], bytes]
CHUNK = 1 << 15
# Half of all draws or fewer are rejected: a random source fails so often once in 2**1000 surveys.
TRIES = 1000
NOT_RANDOM = f"be random, not give {TRIES} numbers in a row that are too large"


def uniform_below(n: int, random_bytes: RandomBytes) -> int:
    """Draw a uniform integer from 0 to n - 1 by rejection.

    Parameters
    ----------
    n : int
        At least 1, of any size.
    random_bytes : callable
        ``random_bytes(size)`` returns that many independent uniform bytes.

    Returns
    -------
    int

    Notes
    -----
    Takes ``ceil(b / 8)`` bytes, big-endian, keeps the low ``b = bit_length(n - 1)`` bits and draws
    again when they are n or more: no modulo, no bias. For a power of two nothing is ever rejected.

    References
    ----------
    .. [1] D. Lemire, "Fast Random Integer Generation in an Interval", ACM Transactions on Modeling
       and Computer Simulation 29, 2019 (rejection, and what a modulo costs).

    Examples
    --------
    >>> source = iter([b"\\xff", b"\\x0c"])
    >>> uniform_below(6, lambda size: next(source))  # low three bits: 7 is rejected, then 4
    4
    """
    bits = (check.whole(n, "n", minimum=1) - 1).bit_length()
    size, mask = (bits + 7) // 8, (1 << bits) - 1
    for _ in range(TRIES):
        number = int.from_bytes(take_bytes(random_bytes, size), "big") & mask
        if number < n:
            return number
    raise ArgumentError("random_bytes", random_bytes, NOT_RANDOM, "source_not_random")


def take_bytes(random_bytes: RandomBytes, size: int) -> bytes:
    """Return exactly `size` bytes of a random source, or refuse it."""
    if size == 0:
        return b""
    if not callable(random_bytes):
        rule = "be a function of a number of bytes"
        raise ArgumentError("random_bytes", random_bytes, rule, "source_not_callable")
    block = random_bytes(size)
    if not isinstance(block, bytes | bytearray) or len(block) != size:
        rule = f"return {size} bytes when asked for them"
        raise ArgumentError("random_bytes", block, rule, "source_wrong_size")
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

    References
    ----------
    .. [1] L. Devroye, "Non-Uniform Random Variate Generation", Springer 1986, section III.2
       (inversion by sequential search), here with exact integers.

    Examples
    --------
    >>> draw_report([3, 1], 4, lambda size: b"\\x02"), draw_report([3, 1], 4, lambda size: b"\\x03")
    (0, 1)
    """
    column = _check_column(column_integers, denominator)
    return report_at(column, uniform_below(denominator, random_bytes))


def report_at(weights: Sequence[int], number: int) -> int:
    """Return the smallest u for which entries 0 to u sum to more than a number below their sum."""
    reached = 0
    for report, weight in enumerate(weights):
        reached += weight
        if reached > number:
            return report
    raise AssertionError("a number below the sum of the weights always has a report")


def _check_column(column_integers: Sequence[int], denominator: int) -> list[int]:
    check.whole(denominator, "denominator", minimum=1, maximum=2**check.MAX_BITS)
    weights = as_list(column_integers)
    if weights is None:
        rule = "be a list of whole numbers"
        raise DesignError("column_integers", column_integers, rule, "column_not_integers")
    column = [check.whole(weight, "column_integers") for weight in weights]
    if sum(column) != denominator:
        rule = f"sum to {denominator}"
        raise DesignError("column_integers", column_integers, rule, "columns_do_not_sum")
    return column


def draw_reports(
    integers: IntArray, denominator: int, truths: IntArray, random_bytes: RandomBytes
) -> IntArray:
    """Draw one report per truth from a table over any denominator, all at once.

    Consumes the bytes that repeated :func:`draw_report` would, in the same order.
    """
    if integers.shape[1] * denominator >= 2**63:
        rule = "times the categories stay below 2**63"
        raise DesignError("denominator", denominator, rule, "denominator_too_large")
    return draw_by(_finder(integers, denominator), denominator, truths, random_bytes)


def draw_uniform_reports(
    retention: int, other: int, denominator: int, truths: IntArray, random_bytes: RandomBytes
) -> IntArray:
    """Draw one report per truth from a table with two values, without forming the table."""
    if other == 0:
        return truths.copy()
    return draw_by(partial(_find_uniform, retention, other), denominator, truths, random_bytes)


def draw_by(
    find: Callable[[IntArray, IntArray], IntArray],
    denominator: int,
    truths: IntArray,
    random_bytes: RandomBytes,
) -> IntArray:
    """Draw one uniform integer below the denominator for each truth, and look up its report.

    ``find(numbers, truths)`` returns the reports that uniform integers select for these truths.
    """
    reports = np.empty(len(truths), dtype=np.int64)
    # In pieces that stay in the processor's cache.
    for start in range(0, len(truths), CHUNK):
        piece = slice(start, start + CHUNK)
        numbers = uniform_block(denominator, len(truths[piece]), random_bytes)
        reports[piece] = find(numbers, truths[piece])
    return reports


def _finder(integers: IntArray, denominator: int) -> Callable[[IntArray, IntArray], IntArray]:
    uniform = uniform_entries(integers)
    if uniform is not None and uniform[1] > 0:
        return partial(_find_uniform, *uniform)
    # One sorted table of the cumulative columns, column v shifted up by v denominators: a single
    # search answers "which report" for all truths at once.
    reports, size = integers.shape
    steps = np.cumsum(integers, axis=0).T + denominator * np.arange(size)[:, None]
    return partial(_find_by_search, steps.ravel(), denominator, reports)


def _find_uniform(retention: int, changed: int, numbers: IntArray, truths: IntArray) -> IntArray:
    # Column v: the reports below v, the truth, the reports above. Without the truth's interval all
    # intervals have the same length.
    start = changed * truths
    past = numbers >= start + retention
    reports = (numbers - retention * past) // changed
    reports += past
    np.copyto(reports, truths, where=(numbers >= start) & ~past)
    return reports


def _find_by_search(
    steps: IntArray, denominator: int, reports: int, numbers: IntArray, truths: IntArray
) -> IntArray:
    positions = np.searchsorted(steps, numbers + denominator * truths, side="right")
    return positions - reports * truths


def uniform_block(denominator: int, count: int, random_bytes: RandomBytes) -> IntArray:
    """Draw `count` integers below the denominator, in the order of the bytes that give them."""
    numbers = _masked_block(denominator, count, random_bytes)
    if not denominator & (denominator - 1):
        return numbers
    accepted = [numbers[numbers < denominator]]
    # One person's rejected bytes are followed by that person's next try, so asking for as
    # many blocks as are missing, again and again, reads the source as one draw after another does.
    for _ in range(TRIES):
        missing = count - sum(map(len, accepted))
        if not missing:
            return np.concatenate(accepted)
        numbers = _masked_block(denominator, missing, random_bytes)
        accepted.append(numbers[numbers < denominator])
    raise ArgumentError("random_bytes", random_bytes, NOT_RANDOM, "source_not_random")


def _masked_block(denominator: int, count: int, random_bytes: RandomBytes) -> IntArray:
    bits = (denominator - 1).bit_length()
    size = (bits + 7) // 8
    block = np.frombuffer(take_bytes(random_bytes, size * count), dtype=np.uint8)
    if size == 4:
        numbers = block.view(">u4").astype(np.int64)
    else:
        numbers = np.zeros(count, dtype=np.int64)
        for byte in block.reshape(count, size).T:
            numbers = (numbers << 8) | byte
    return numbers & ((1 << bits) - 1)
