"""The highest maximum of a likelihood of followers and others, from fixed starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logit

from rr_engine.regression.newton import Maximum, maximise
from rr_engine.regression.respondent_types import TypeLikelihood
from rr_engine.validation import FloatArray

# Shares at which the trait's coefficients are fitted first, and probabilities that they start from.
START_SHARES = (0.02, 0.1, 0.25, 0.45, 0.65, 0.85, 0.97)
START_PROBABILITIES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9)
# Ascents in all coefficients: from so many of the best shares.
ASCENTS = 3
# Rows among which the maxima are looked for at most, and a difference in height that is none there.
MOST_SEARCHED, ALIKE = 5000, 1e-6
# A share that raises the log-likelihood by less than this is none.
NOTHING_GAINED = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class BestFit:
    """The highest maximum that was found.

    Attributes
    ----------
    beta : ndarray of float, shape (p,)
    delta : ndarray of float, shape (q,)
        The share's coefficients; of a share at the border, the share itself.
    border : bool
        Whether one share for all is highest at 0 or at 1.
    value : float
    iterations : int
    converged : bool
    """

    beta: FloatArray
    delta: FloatArray
    border: bool
    value: float
    iterations: int
    converged: bool


def best_fit(likelihood: TypeLikelihood, ends: Sequence[float]) -> BestFit:
    """Return the highest maximum over the trait's and the share's coefficients.

    The maxima are looked for among some of the rows where there are very many, and then walked to
    with all. `ends`: shares at the border to compare with, tried only where there is one share for
    all.
    """
    some = likelihood.thinned(MOST_SEARCHED)
    # What fits some of the rows may be ruled out by another one.
    candidates = _candidates(likelihood, some, ends) or _candidates(likelihood, likelihood, ends)
    best = candidates[0]
    for candidate in candidates[1:]:
        if candidate.value > best.value + NOTHING_GAINED:
            best = candidate
    return best


def _candidates(
    likelihood: TypeLikelihood, some: TypeLikelihood, ends: Sequence[float]
) -> list[BestFit]:
    """Return the maxima that those of some of the rows lead to, those at the border first."""
    profile = fit_shares(some, START_SHARES)
    starts = [_whole(likelihood, share, point.theta) for share, point in _tops(profile)]
    if some is not likelihood:
        starts = _distinct([maximise(some, start) for start in starts])
    size = likelihood.trait.shape[1]
    inside = [
        _ascend(likelihood, start, size) for start in starts if np.isfinite(likelihood.value(start))
    ]
    if likelihood.share.shape[1] > 1:
        return inside
    near = [point.theta for _, point in profile]
    borders = [(end, _fit_end(likelihood, some, end, near)) for end in ends]
    # The border is preferred to a point that only comes near it.
    return [_at_border(found, end) for end, found in borders if found] + inside


def _fit_end(
    likelihood: TypeLikelihood, some: TypeLikelihood, end: float, near: Sequence[FloatArray]
) -> Maximum | None:
    """Return the highest maximum at an end, found among some of the rows."""
    found = fit_share(some, end, near)
    if found is None or some is likelihood:
        return found
    objective = likelihood.with_share(end)
    if not np.isfinite(objective(found.theta)[0]):
        return fit_share(likelihood, end)
    return maximise(objective, found.theta)


def _distinct(maxima: Sequence[Maximum]) -> list[FloatArray]:
    """Return the places of maxima that are not as high as another one."""
    found: list[Maximum] = []
    for point in maxima:
        if all(abs(point.value - other.value) > ALIKE for other in found):
            found.append(point)
    return [point.theta for point in found]


def fit_shares(likelihood: TypeLikelihood, shares: Sequence[float]) -> list[tuple[float, Maximum]]:
    """Return the best coefficients of the trait at each share; without those ruled out."""
    found: list[tuple[float, Maximum]] = []
    for share in shares:
        nearest = [found[-1][1].theta] if found else []
        point = fit_share(likelihood, share, nearest)
        if point is not None:
            found.append((share, point))
    return found


def fit_share(
    likelihood: TypeLikelihood, share: float, starts: Sequence[FloatArray] = ()
) -> Maximum | None:
    """Return the highest maximum at one share, from a start of its own and from `starts`."""
    objective = likelihood.with_share(share)
    own = _start(likelihood.thinned(MOST_SEARCHED), share)
    tried = [*([] if own is None else [own]), *starts]
    possible = [start for start in tried if np.isfinite(objective(start)[0])]
    points = [maximise(objective, start) for start in possible]
    return max(points, key=lambda point: point.value, default=None)


def profile_point(likelihood: TypeLikelihood, share: float, near: FloatArray) -> Maximum | None:
    """Return the highest maximum at one share; of very many rows, that which is nearest."""
    objective = likelihood.with_share(share)
    many = likelihood.thinned(MOST_SEARCHED) is not likelihood
    if many and np.isfinite(objective(near)[0]):
        return maximise(objective, near)
    return fit_share(likelihood, share, [near])


def _start(likelihood: TypeLikelihood, share: float) -> FloatArray | None:
    """Return the best of a few constant probabilities; None if the reports rule all out."""
    columns, objective = likelihood.trait, likelihood.with_share(share)
    constant = np.linalg.lstsq(columns, np.ones(len(columns)), rcond=None)[0]
    starts = [logit(chance) * constant for chance in START_PROBABILITIES]
    values = [objective(start)[0] for start in starts]
    best = int(np.argmax(values))
    return starts[best] if np.isfinite(values[best]) else None


def _tops(profile: Sequence[tuple[float, Maximum]]) -> list[tuple[float, Maximum]]:
    """Return the highest of the shares that are no lower than their neighbours."""
    values = [-np.inf, *(point.value for _, point in profile), -np.inf]
    tops = [
        profile[place]
        for place in range(len(profile))
        if values[place + 1] >= max(values[place], values[place + 2])
    ]
    return sorted(tops, key=lambda one: -one[1].value)[:ASCENTS]


def _whole(likelihood: TypeLikelihood, share: float, beta: FloatArray) -> FloatArray:
    """Return all coefficients, the share the same for everybody."""
    return np.concatenate([beta, [logit(share)], np.zeros(likelihood.share.shape[1] - 1)])


def _ascend(likelihood: TypeLikelihood, start: FloatArray, size: int) -> BestFit:
    found = maximise(likelihood, start)
    return BestFit(
        beta=found.theta[:size],
        delta=found.theta[size:],
        border=False,
        value=found.value,
        iterations=found.iterations,
        converged=found.converged,
    )


def _at_border(found: Maximum, share: float) -> BestFit:
    return BestFit(
        beta=found.theta,
        delta=np.array([share]),
        border=True,
        value=found.value,
        iterations=found.iterations,
        converged=found.converged,
    )
