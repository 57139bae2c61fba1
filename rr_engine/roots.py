"""Where a function crosses zero and where a condition ends to hold, for many places at once."""

from collections.abc import Callable

import numpy as np

from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, IntArray

# Steps of two values each, which double the digits once they are near.
STEPS = 8


def crossings(
    excess: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return where each function rises above zero between `low` and `high`.

    `high` where it does not, `low` where it is above zero there already. The function is called
    with one place for each, and returns its values.

    References
    ----------
    C. J. F. Ridders, "A New Algorithm for Computing a Single Root of a Real Continuous Function",
    IEEE Transactions on Circuits and Systems 26 (1979), 979-980.
    """
    below, above = excess(low), excess(high)
    fixed = np.where(above <= 0, high, low)
    crossed = (below <= 0) & (above > 0)
    if not crossed.any():
        return fixed
    for _ in range(STEPS):
        middle = (low + high) / 2
        value = excess(middle)
        root = np.sqrt(np.maximum(value**2 - below * above, 0.0))
        step = np.divide(value, root, out=np.zeros_like(root), where=root > 0)
        nearer = middle - (middle - low) * step
        there = excess(nearer)
        for place, height in ((middle, value), (nearer, there)):
            within, over = (place >= low) & (place <= high), height > 0
            lowered, raised = within & over, within & ~over
            high, above = np.where(lowered, place, high), np.where(lowered, height, above)
            low, below = np.where(raised, place, low), np.where(raised, height, below)
    return np.where(crossed, np.where(np.abs(below) < above, low, high), fixed)


def halve(
    holds: Callable[..., bool | BoolArray], low: ArrayLike, high: ArrayLike, halvings: int
) -> tuple[FloatArray, FloatArray]:
    """Return both ends of the interval, halved so often, in which a condition ends to hold.

    It holds from `low` on and not before `high`, which may be the smaller one. The condition is
    called with one place for each, and tells of each whether it holds there.
    """
    near, far = np.asarray(low), np.asarray(high)
    for _ in range(halvings):
        middle = (near + far) / 2
        held = holds(middle)
        near, far = np.where(held, middle, near), np.where(held, far, middle)
    return near, far


def halve_whole(
    holds: Callable[[IntArray], BoolArray], low: IntArray, high: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the last whole numbers, from `low` on, at which conditions hold, and those after them.

    They hold at `low` and not at `high`, where they are not asked.
    """
    while (open_ := high - low > 1).any():
        middle = (low + high) // 2
        held = holds(middle)
        low, high = np.where(open_ & held, middle, low), np.where(open_ & ~held, middle, high)
    return low, high
