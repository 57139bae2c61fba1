"""Verification of a certificate in rational arithmetic, independent of the solver's code."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise, product
from math import floor, lcm
from operator import mul

import numpy as np

from rr_engine import check
from rr_engine.errors import ArgumentError
from rr_engine.optimisation.proving import Certificate
from rr_engine.privacy.loss import short_bounds

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


# Patterns of high and low double with each truth: 14, as many as a bound is computed for, take a
# second.
MOST = 14
# All vertices of all cells are listed in rational arithmetic: half a second, and five for 10.
MOST_JOINT = 7
ROUNDING = Fraction(1, 10**12)
# Up to a factor: whole numbers, or fractions.
Ray = Sequence[int] | Sequence[Fraction]


def verify_certificate(certificate: Certificate) -> bool:
    """Tell whether a certificate proves its bound, without rounding.

    Parameters
    ----------
    certificate : Certificate
        About at most 14 truths, which take a second; at most 7 where delta and epsilon are bounded
        at once.

    Returns
    -------
    bool
        True when, in exact arithmetic: W is symmetric with rows that sum to zero once its rounding
        is taken off; the prices cover ``|W (q / pi)|**2`` on every ray q; and the bound is not
        above ``(tr W)**2 / (lambda . pi + mu A) / (n N)``.

    Raises
    ------
    ArgumentError
        For more truths.

    Notes
    -----
    For any mechanism with posteriors q_u and weights s_u and any such W,
    ``tr C >= 2 tr W - sum_u s_u |W (q_u / pi)|**2`` for the covariance C of one report, because
    ``tr (C^(1/2) - C^(-1/2) W)' (...)`` is not negative on the differences; and the constraints
    bound the sum by ``lambda . pi + mu A``. Scaling W gives the square.

    Nothing is taken on trust: constraints that no mechanism keeps, a price for guessing where
    guessing is not bounded, no respondents, or numbers that are none, prove nothing.

    References
    ----------
    Ours: weak duality of linear programmes in rational arithmetic; docs/methods/optimal.md.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from rr_engine.optimisation import mse_lower_bound, verify_certificate
    >>> proof = mse_lower_bound([0.25] * 4, 1000, privacy=0.5, delta=0.9)
    >>> verify_certificate(proof), verify_certificate(replace(proof, bound=2 * proof.bound))
    (True, False)
    """
    check.instance(certificate, "certificate", Certificate, "be a Certificate", "not_a_certificate")
    if not _is_well_formed(certificate):
        return False
    if len(certificate.prior) > MOST:
        rule = f"be of at most {MOST} categories"
        raise ArgumentError("certificate", certificate, rule, "too_many_categories", MOST)
    prior = _normalise(_rational(certificate.prior))
    if prior is None:
        return False
    matrix = _centre([_rational(row) for row in certificate.matrix])
    prices, price = _rational(certificate.prices), Fraction(certificate.privacy_price)
    if price < 0 or not _symmetric(matrix):
        return False
    scaled = [[w / share for w, share in zip(row, prior, strict=True)] for row in matrix]
    if not _prices_cover(scaled, [*prices, price], _rays(certificate, prior)):
        return False
    cost = _dot(prices, prior) + price * _guessing(certificate)
    trace = sum(matrix[index][index] for index in range(len(prior)))
    claimed = Fraction(certificate.bound) * len(prior) * certificate.n
    return trace > 0 and claimed * cost <= trace**2


def _is_well_formed(certificate: Certificate) -> bool:
    """Tell whether shapes, numbers and constraints are well formed."""
    size = len(certificate.prior)
    if np.shape(certificate.matrix) != (size, size) or np.shape(certificate.prices) != (size,):
        return False
    constraints = (certificate.delta, certificate.privacy)
    bounds = [float(value) for value in constraints if value is not None]
    alone = (certificate.bound, certificate.privacy_price, *bounds)
    numbers = (alone, certificate.matrix, certificate.prices, certificate.prior)
    if not all(np.isfinite(values).all() for values in numbers):
        return False
    if min(certificate.prior) <= 0 or certificate.n < 1:
        return False
    if not bounds:
        # Without a bound on guessing, its price would cover every ray at no cost.
        return certificate.epsilon is not None and certificate.privacy_price == 0
    largest = max(certificate.prior)
    return len(bounds) == 2 and largest <= bounds[0] <= 1 and 0 <= bounds[1] < 1 - largest


def _rational(values: Iterable[float]) -> Vector:
    return [Fraction(float(value)) for value in values]


def _normalise(prior: Vector) -> Vector | None:
    """Return floats as fractions, divided by their sum."""
    total = sum(prior, start=Fraction())
    return [share / total for share in prior] if abs(1 - total) <= ROUNDING else None


def _prices_cover(matrix: list[Vector], prices: Vector, rays: Iterable[Ray]) -> bool:
    """Tell whether the prices cover ``|W (q / pi)|**2`` on every ray, in whole numbers.

    The matrix is W with its columns divided by pi; the last price is that of the largest entry.
    With q = Q / sum(Q), the inequality times ``sum(Q)**2`` has no division left; fractions would
    spend nearly all of the time on common divisors.
    """
    size = len(matrix)
    entries, scale = _over_one_denominator([w for row in matrix for w in row])
    rows = [entries[start : start + size] for start in range(0, size * size, size)]
    (*each, largest), unit = _over_one_denominator(prices)
    for ray in rays:
        numerators, _ = _over_one_denominator(ray)
        needed = sum(sum(map(mul, row, numerators)) ** 2 for row in rows)
        covered = sum(map(mul, each, numerators)) + largest * max(numerators)
        if needed * unit > covered * sum(numerators) * scale**2:
            return False
    return True


def _over_one_denominator(values: Sequence[Fraction | int]) -> tuple[list[int], int]:
    """Return numerators over a common denominator, and the denominator."""
    common = lcm(*(value.denominator for value in values))
    return [value.numerator * (common // value.denominator) for value in values], common


def _dot(first: Vector, second: Vector) -> Fraction:
    return sum((x * y for x, y in zip(first, second, strict=True)), Fraction(0))


def _centre(matrix: list[Vector]) -> list[Vector]:
    """Centre the matrix exactly, so that rows and columns sum to zero."""
    size = len(matrix)
    rows = [sum(row) / size for row in matrix]
    mean = sum(rows) / size
    columns = [sum(column) / size for column in zip(*matrix, strict=True)]
    return [
        [entry - rows[i] - columns[j] + mean for j, entry in enumerate(row)]
        for i, row in enumerate(matrix)
    ]


def _symmetric(matrix: list[Vector]) -> bool:
    return all(matrix[i][j] == matrix[j][i] for i in range(len(matrix)) for j in range(len(matrix)))


def _guessing(certificate: Certificate) -> Fraction:
    if certificate.delta is None:
        return Fraction(0)
    weakest = 1 - Fraction(certificate.delta)
    return 1 - max(Fraction(certificate.privacy or 0), weakest)


def _rays(certificate: Certificate, prior: Vector) -> Iterable[Ray]:
    """Return the rays of which all posteriors are mixtures, each up to a factor."""
    delta = None if certificate.delta is None else Fraction(certificate.delta)
    if certificate.epsilon is None:
        # Without a bound every posterior may be 1.
        return _posterior_rays(len(prior), Fraction(1) if delta is None else delta)
    # An upper neighbour of e**epsilon allows slightly more, so that its bound is valid here too.
    high = short_bounds(certificate.epsilon)[1]
    if delta is None:
        return _ratio_rays(prior, high)
    if len(prior) > MOST_JOINT:
        rule = f"be of at most {MOST_JOINT} categories where it is about delta and epsilon at once"
        raise ArgumentError("certificate", certificate, rule, "too_many_categories")
    return rational_joint_rays(prior, delta, high)


def _posterior_rays(size: int, delta: Fraction) -> list[list[int]]:
    most = floor(1 / delta)
    rays = [
        _spread(size, chosen, [1] * count)
        for count in range(1, size + 1)
        if count * delta >= 1
        for chosen in combinations(range(size), count)
    ]
    rest = delta.denominator - most * delta.numerator
    if rest > 0 and most < size:
        weights = [delta.numerator] * most + [rest]
        rays += [
            _spread(size, (*chosen, last), weights)
            for chosen in combinations(range(size), most)
            for last in range(size)
            if last not in chosen
        ]
    return rays


def _ratio_rays(prior: Vector, high: Fraction) -> Iterator[list[int]]:
    shares, _ = _over_one_denominator(prior)
    chances = (high.denominator, high.numerator)
    for pattern in product((0, 1), repeat=len(shares)):
        if 0 < sum(pattern) < len(shares):
            yield [share * chances[index] for share, index in zip(shares, pattern, strict=True)]


def _spread(size: int, positions: tuple[int, ...], weights: list[int]) -> list[int]:
    ray = [0] * size
    for position, weight in zip(positions, weights, strict=True):
        ray[position] = weight
    return ray
