"""The likelihood of devices with one value on and one off the diagonal, in closed form.

With `a` on and `b` off the diagonal a report is expected with the share ``lam = b + (a - b) pi``.
All `lam` that sum to one can be had that lie on the right side of `b`: above for a > b, below for
a < b.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import xlogy

from rr_engine.arrays import BoolArray, FloatArray, IntArray
from rr_engine.roots import halve, halve_whole

# Ends of intervals are found to 13 digits.
HALVINGS = 44


def maximise_k_ary(reported: FloatArray, retention: float, changed: float) -> FloatArray:
    """Return the proportions, none negative, under which the reported shares are most likely.

    ``sum r ln lam`` is largest where `lam` is proportional to r, except for those held at b
    (Karush, Kuhn and Tucker: r / lam is one number, and no more, or for a < b no less, where lam is
    b). Held are those with the fewest reports, for a < b those with the most. With R the sum over
    the m others, and 1 = (a - b) + k b, ``pi = r/R + b/(a - b) (m r/R - 1)``.
    """
    gap = retention - changed
    order = np.argsort(-reported if gap > 0 else reported, kind="stable")
    ranked, ranks = reported[order], np.arange(1, len(reported) + 1)
    sums = np.cumsum(ranked)
    # Without any reports of the rarest categories their ratios are equal.
    shares = np.divide(ranked, sums, out=1 / ranks, where=sums > 0)
    free = int(np.flatnonzero(shares + changed / gap * (ranks * shares - 1) >= 0)[-1]) + 1
    within = ranked[:free] / sums[free - 1] if sums[free - 1] > 0 else np.full(free, 1 / free)
    proportions = np.zeros(len(reported))
    proportions[order[:free]] = within + changed / gap * (free * within - 1)
    return np.maximum(proportions, 0.0)


def profile_ends(
    counts: IntArray, retention: float, changed: float, best: FloatArray, drops: FloatArray
) -> FloatArray:
    """Return the ends of each proportion at which the likelihood has decreased by `drops`.

    For a > b. `best` are the likeliest proportions, `drops` falls of the mean log-likelihood. All
    proportions are looked at together. Returns shape (truths, 2).
    """
    profile = Profile(counts, retention, changed)
    top = profile.likelihood(best)

    def inside(x: FloatArray) -> BoolArray:
        return top - profile.likelihood(x) <= drops

    low, high = (_last_inside(inside, best, end) for end in (0.0, 1.0))
    return np.column_stack([low, high])


def _last_inside(
    inside: Callable[[FloatArray], BoolArray], best: FloatArray, end: float
) -> FloatArray:
    """Bisect between the maxima and the end of the range, for all proportions at once."""
    far = np.full(len(best), end)
    return halve(inside, np.where(inside(far), far, best), far, HALVINGS)[0]


class Profile:
    """The largest likelihood that is left when one proportion is held at a value.

    The expected share of its report is then known. Those of the others are free but for their sum
    and the floor b: proportional to the counts, but for the smallest, which lie on the floor.
    """

    def __init__(self, counts: IntArray, retention: float, changed: float) -> None:
        order = np.argsort(-counts, kind="stable")
        ranked = counts[order]
        self.n, self.counts = int(counts.sum()), counts
        self.gap, self.changed = retention - changed, changed
        self.rank = np.argsort(order, kind="stable")
        self.ranked = np.append(ranked, 0)
        # Sums of the counts above each rank, and from it on: integers, hence exact.
        self.above = np.append(0, np.cumsum(ranked))
        self.below = self.n - self.above
        self.entropy = np.append(0.0, np.cumsum(xlogy(ranked / self.n, ranked / self.n)))

    def likelihood(self, x: FloatArray) -> FloatArray:
        """Return at [v] the mean log-likelihood with proportion v at x[v], the others at best."""
        free = self._free(x)
        position, later = free + (free > self.rank), free > self.rank
        share = self.counts / self.n
        above = (self.above[position] - later * self.counts) / self.n
        below = (self.below[position] - ~later * self.counts) / self.n
        entropy = self.entropy[position] - later * xlogy(share, share)
        # Their expected shares sum to (a - b)(1 - x) + m b.
        left = self.gap * (1 - x) + free * self.changed
        factor = np.divide(left, above, out=np.ones_like(left), where=above > 0)
        own_term = xlogy(share, self.changed + self.gap * x)
        return own_term + entropy + xlogy(above, factor) + xlogy(below, self.changed)

    def _free(self, x: FloatArray) -> IntArray:
        """Return the number of other positive proportions, by bisection."""

        def possible(others: IntArray) -> BoolArray:
            later = others > self.rank
            position = others + later
            above = self.above[position] - later * self.counts
            left = self.gap * (1 - x) + others * self.changed
            return left * self.ranked[position - 1] >= self.changed * above

        none, every = np.zeros(len(x), dtype=np.int64), np.full(len(x), len(x))
        return halve_whole(possible, none, every)[0]
