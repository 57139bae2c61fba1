"""Rays in rational arithmetic, independent of the solver's code."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, pairwise, product

Vector = list[Fraction]


def rational_joint_rays(prior: Vector, delta: Fraction, high: Fraction) -> Iterator[Vector]:
    """Yield the posteriors that suffice when reports are at most `high` times as likely and no
    posterior is above `delta`; some of them more than once.

    Every vertex of every cell {1 <= r <= high, r_a pi_a >= r_v pi_v, r_a pi_a <= delta r . pi,
    r_w = 1 for some w} is among them: each chance but that of a is 1 or the most it can be, or one
    of them, or that of a itself, is what makes the bound an equality.
    """
    for a, first_share in enumerate(prior):
        others = [share for index, share in enumerate(prior) if index != a]
        start = max(Fraction(1), max(others) / first_share)
        bends = {high * share / first_share for share in others} | {start, high}
        ends = sorted(t for t in bends if start <= t <= high)
        at_ends = (
            (t, chances) for t in ends for chances in _at(t, first_share, others, delta, high)
        )
        for t, chances in chain(at_ends, _inner(first_share, others, delta, high, ends)):
            joint = [chance * share for chance, share in zip(chances, others, strict=True)]
            joint.insert(a, t * first_share)
            total = sum(joint)
            yield [entry / total for entry in joint]


def _at(
    t: Fraction, first_share: Fraction, others: Vector, delta: Fraction, high: Fraction
) -> Iterator[Vector]:
    """Yield the others' chances at one t: patterns that keep the bound, or one chance raised."""
    top = [min(high, t * first_share / share) for share in others]
    needed = t * first_share * (1 - delta) / delta
    for pattern in product((0, 1), repeat=len(others)):
        chances = [top[v] if high_one else Fraction(1) for v, high_one in enumerate(pattern)]
        total = sum(chance * share for chance, share in zip(chances, others, strict=True))
        if total >= needed:
            yield chances
            continue
        for v, share in enumerate(others):
            free = chances[v] + (needed - total) / share
            if free <= top[v]:
                yield [*chances[:v], free, *chances[v + 1 :]]


def _inner(
    first_share: Fraction, others: Vector, delta: Fraction, high: Fraction, ends: Vector
) -> Iterator[tuple[Fraction, Vector]]:
    """Yield every t between the bends, and the chances, at which a pattern meets the bound.

    Between the bends every other chance is 1 or the most it can be: one more that is neither would
    leave two unknowns to one equality.
    """
    for low, up in pairwise(ends):
        tied = [(low + up) / 2 * first_share / share < high for share in others]
        for pattern in product((0, 1), repeat=len(others)):
            fixed, count = Fraction(0), 0
            for share, high_one, tie in zip(others, pattern, tied, strict=True):
                count += high_one and tie
                fixed += 0 if high_one and tie else share * (high if high_one else 1)
            slope = first_share * (1 - delta * (1 + count))
            if slope > 0 and low < delta * fixed / slope < up:
                t = delta * fixed / slope
                top = [min(high, t * first_share / share) for share in others]
                yield t, [top[v] if high_one else Fraction(1) for v, high_one in enumerate(pattern)]
