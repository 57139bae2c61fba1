"""The law of the next report given the previous one and the truth, and draws from it."""

from functools import partial

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arguments import check_table
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, RandomSource, as_array
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.protocol import Channel
from rr_engine.codes import check_code_table
from rr_engine.device import CHUNK, draw_reports
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.precision import CONDITION_LIMIT, condition_number
from rr_engine.relaxation import programme
from rr_engine.relaxation.exact_tables import bit_table, check_pair, factor_pairs
from rr_engine.relaxation.refusals import lost_difference, negative_entry, place_of_least

# A degradation of floats may be so far below zero, from rounding.
TOLERANCE = 1e-9
LARGEST_KERNEL = 2**24
# Bits of the integers that a kernel of floats is drawn from.
KERNEL_BITS = 48


def relaxation_kernel(design_now: Channel, design_next: Channel) -> FloatArray:
    """Return the chance of each next report, given the previous one and the truth.

    Parameters
    ----------
    design_now, design_next : Channel
        Two devices for the same true answers, of which the first is a degraded copy of the second.

    Returns
    -------
    ndarray of float, shape (next, previous, truth)
        ``C[y1, y2] P_next[y2, x] / P_now[y1, x]`` with ``C P_next = P_now``; zeros where the
        previous report is impossible for the truth.

    Raises
    ------
    DesignError
        "no_relaxation" when there is no stochastic C; the value is the earlier report, the later
        report and the negative chance.
    CategoryError, ArgumentError
        For devices about different truths, or a kernel of more than 2**24 entries.

    Notes
    -----
    docs/methods/relaxation.md. A report that is drawn from it has exactly the law of the next
    device, and the two reports together reveal what the next one does alone.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Eq. 17 and 54, here for any two tables.

    Examples
    --------
    >>> from rr_engine import warner
    >>> relaxation_kernel(warner(0.625), warner(0.75))[:, 0, 0].round(3).tolist()
    [0.9, 0.1]
    """
    now, later = check_pair(design_now, design_next)
    for channel, argument in ((now, "design_now"), (later, "design_next")):
        check_table(channel, argument)
    if now.tally_size * later.tally_size * now.truth_size > LARGEST_KERNEL:
        rule = f"have at most {LARGEST_KERNEL} entries in its kernel with design_now"
        raise ArgumentError("design_next", later, rule, "table_too_large")
    return _kernel(degradation_matrix(now, later), later.matrix, now.matrix > 0)


def _kernel(degraded: FloatArray, later: FloatArray, possible: npt.NDArray) -> FloatArray:
    chances = degraded.T[:, :, None] * later[:, None, :]
    totals = chances.sum(axis=0)
    kernel = np.zeros_like(chances)
    return np.divide(chances, totals, out=kernel, where=possible & (totals > 0))


def degradation_matrix(now: Channel, later: Channel) -> FloatArray:
    """Return C with ``C P_next = P_now`` in floats, shape (previous, next)."""
    if now.uniform is not None and later.uniform is not None:
        size, ratio = now.tally_size, _gap_ratio(now, later)
        return np.full((size, size), (1 - ratio) / size) + ratio * np.eye(size)
    return _degradation_of(now.matrix, later.matrix, now, later)


def _gap_ratio(now: Channel, later: Channel) -> float:
    """Return r of ``C = r I + (1 - r) J / t``, from 0 to 1 or a little below 0."""
    before, after = (each.uniform[0] - each.uniform[1] for each in (now, later) if each.uniform)
    size = now.tally_size
    if after == 0:
        if abs(before) > TOLERANCE:
            raise lost_difference(now, np.array([[before]]))
        return 0.0
    ratio = before / after
    if (1 - ratio) / size < -TOLERANCE:
        raise negative_entry(now, later, (0, 1), (1 - ratio) / size)
    if ratio + (1 - ratio) / size < -TOLERANCE:
        raise negative_entry(now, later, (0, 0), ratio + (1 - ratio) / size)
    return float(min(max(ratio, -1 / (size - 1)), 1.0))


def _degradation_of(
    before: FloatArray, after: FloatArray, now: Channel, later: Channel
) -> FloatArray:
    square = after.shape[0] == after.shape[1]
    if square and condition_number(after) < CONDITION_LIMIT:
        degraded = np.linalg.solve(after.T, before.T).T
    else:
        even = programme.most_even(before, after, programme.possible_entries(before, after))
        if even is None:
            raise lost_difference(now, before - before @ np.linalg.pinv(after) @ after)
        degraded = programme.corrected(even.matrix, before, after)
    if degraded.min() < -TOLERANCE:
        raise negative_entry(now, later, place_of_least(degraded), float(degraded.min()))
    return np.maximum(degraded, 0)


def relax(
    previous: ArrayLike,
    truth: ArrayLike,
    design_now: Channel,
    design_next: Channel,
    rng: RandomSource = None,
) -> IntArray:
    """Draw the next report of people from their previous one and their true answer.

    Parameters
    ----------
    previous : array_like of int, shape (n,)
        Reports of `design_now`; of a device of bits zeros and ones, shape (n, bits).
    truth : array_like of int, shape (n,)
        The answers behind them; of a device of bits for sets, shape (n, bits).
    design_now, design_next : Channel
    rng : Generator, int or None
        Source of chance, or its seed.

    Returns
    -------
    ndarray of int, of the shape of `previous`

    Raises
    ------
    DesignError, CategoryError, ArgumentError
        As :func:`relaxation_kernel`, and for a report that is impossible for its truth.

    Notes
    -----
    For simulations: from the kernel in floats, tables rounded to multiples of 2**-48. Of the k-ary
    family no table is formed; of products and bits one for each part.
    :func:`rr_engine.relaxation.draw_relaxed` draws one report exactly.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Eq. 17 and 54, here for any two tables.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.designs import direct
    >>> relax([0, 1, 2], [0, 0, 2], k_rr(3, 1), direct(3), rng=1).tolist()
    [0, 0, 2]
    """
    now, later = check_pair(design_now, design_next)
    source = check.rng(rng)
    if isinstance(now, BitPeople) and isinstance(later, BitPeople):
        return _relax_bits(previous, truth, now, later, source)
    before = _check_reports(previous, now.tally_size, "previous")
    truths = _check_reports(truth, now.truth_size, "truth")
    if before.shape != truths.shape:
        rule = f"have the shape of truth, {truths.shape}"
        raise CategoryError("previous", previous, rule, "not_truths")
    return _relax_indices(before.ravel(), truths.ravel(), now, later, source).reshape(before.shape)


def _check_reports(value: object, size: int, argument: str) -> IntArray:
    rule = "be an array of indices"
    given = as_array(value)
    if given is not None and given.size == 0 and given.dtype.kind in "iubf":
        # An empty list has no type of its own; nobody's reports are relaxed to nobody's.
        return given.astype(np.int64)
    array = check_code_table(value, argument, rule, error=CategoryError, code="not_truths")
    if array.size and (array.min() < 0 or array.max() >= size):
        raise CategoryError(argument, value, f"hold indices from 0 to {size - 1}", "not_truths")
    return array


def _relax_indices(
    previous: IntArray, truths: IntArray, now: Channel, later: Channel, rng: np.random.Generator
) -> IntArray:
    pairs = factor_pairs(now, later)
    if pairs is not None:
        return _relax_parts(previous, truths, pairs, rng)
    if now.uniform is not None and later.uniform is not None:
        ratio, (kept, other) = _gap_ratio(now, later), later.uniform
        if ratio >= 0 and kept >= other:
            if now.uniform[1] == 0:
                _check_possible(previous == truths, previous)
            draw = partial(_relax_uniform, now.tally_size, ratio, kept, other)
            return _in_chunks(draw, previous, truths, rng)
    kernel = relaxation_kernel(now, later)
    return _draw(kernel, now.matrix > 0, previous, truths, rng)


def _in_chunks(
    draw: partial[IntArray], previous: IntArray, truths: IntArray, rng: np.random.Generator
) -> IntArray:
    reports = np.empty(len(truths), dtype=np.int64)
    # In pieces that stay in the processor's cache.
    for start in range(0, len(truths), CHUNK):
        piece = slice(start, start + CHUNK)
        reports[piece] = draw(previous[piece], truths[piece], rng)
    return reports


def _relax_uniform(
    size: int,
    ratio: float,
    kept: float,
    other: float,
    previous: IntArray,
    truths: IntArray,
    rng: np.random.Generator,
) -> IntArray:
    """Draw from ``(r [y2 = y1] + c) (g [y2 = x] + b)``, multiplied out.

    Here c = (1 - r)/t and g = a - b. The previous report has the weight r b, and r g more where it
    is the truth; the truth has c g; and all reports alike have c b.
    """
    rest = (1 - ratio) / size
    own = np.where(previous == truths, ratio * kept, ratio * other)
    named = own + rest * (kept - other)
    points = rng.random(len(truths)) * (named + size * rest * other)
    reports = np.where(points < own, previous, truths)
    if rest * other > 0:
        chosen = np.flatnonzero(points >= named)
        anyone = (points[chosen] - named[chosen]) / (rest * other)
        reports[chosen] = np.minimum(anyone.astype(np.int64), size - 1)
    return reports


def _relax_parts(
    previous: IntArray,
    truths: IntArray,
    pairs: list[tuple[Channel, Channel]],
    rng: np.random.Generator,
) -> IntArray:
    reports = tuple(now.tally_size for now, _ in pairs)
    answers = tuple(now.truth_size for now, _ in pairs)
    parts = zip(
        np.unravel_index(previous, reports), np.unravel_index(truths, answers), pairs, strict=True
    )
    drawn = [_relax_indices(before, truth, *pair, rng) for before, truth, pair in parts]
    return np.ravel_multi_index(tuple(drawn), tuple(later.tally_size for _, later in pairs))


def _relax_bits(
    previous: ArrayLike,
    truth: ArrayLike,
    now: BitPeople,
    later: BitPeople,
    rng: np.random.Generator,
) -> IntArray:
    truths = now.truth_bits(truth)
    before = _check_reports(previous, 2, "previous")
    if before.shape != truths.shape:
        rule = f"have the shape {truths.shape}"
        raise CategoryError("previous", previous, rule, "not_truths")
    first, second = bit_table(now).matrix, bit_table(later).matrix
    kernel = _kernel(_degradation_of(first, second, now, later), second, first > 0)
    return _draw(kernel, first > 0, before.ravel(), truths.ravel(), rng).reshape(before.shape)


def _draw(
    kernel: FloatArray,
    possible: npt.NDArray,
    previous: IntArray,
    truths: IntArray,
    rng: np.random.Generator,
) -> IntArray:
    """Draw reports from a table with a column for each previous report and truth."""
    answers = kernel.shape[2]
    pairs = previous * answers + truths
    if not possible.all():
        _check_possible(possible.ravel()[pairs], previous)
    columns = kernel.reshape(len(kernel), -1)
    bits = min(KERNEL_BITS, 62 - columns.shape[1].bit_length())
    return draw_reports(rounded_columns(columns, bits), 2**bits, pairs, rng.bytes)


def _check_possible(possible: npt.NDArray, previous: IntArray) -> None:
    if not possible.all():
        report = int(previous[np.flatnonzero(~possible)[0]])
        rule = "be a report that the device makes for the truth beside it"
        raise CategoryError("previous", report, rule, "impossible_report")


def rounded_columns(columns: FloatArray, bits: int) -> IntArray:
    """Return chances as integers whose columns sum to 2**bits; zeros stay zeros."""
    integers = np.floor(columns * 2.0**bits).astype(np.int64)
    largest = columns.argmax(axis=0), np.arange(columns.shape[1])
    integers[largest] += 2**bits - integers.sum(axis=0)
    return integers
