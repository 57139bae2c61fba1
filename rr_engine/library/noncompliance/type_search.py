"""The highest maximum of a likelihood of followers and others, from fixed starts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logit

from rr_engine.arrays import FloatArray
from rr_engine.library.noncompliance.respondent_types import TypeLikelihood
from rr_engine.regression.engine.newton import Maximum, maxima_from, maximise, wide_points

# Shares at which the trait's coefficients are fitted first, and probabilities that they start from.
START_SHARES = (0.02, 0.1, 0.25, 0.45, 0.65, 0.85, 0.97)
START_PROBABILITIES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9)
# Ascents in all coefficients: from so many of the best shares, and at each of some shares from
# points in all directions. A share near an end, where others report like followers, has maxima of
# its own.
ASCENTS = 3
CORNERS, WIDE = (0.03, 0.3, 0.6, 0.97), 8
# Tolerance of a profile, whose points are near to each other.
PROFILE = 3
# Rows among which the maxima are looked for at most.
MOST_SEARCHED = 5000
# A share that raises the log-likelihood by less than this is none.
NOTHING_GAINED = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class BestFit:
    """The highest maximum that was found.

    Attributes
    ----------
    maximum : Maximum
        At the border: in the trait's coefficients alone.
    beta : ndarray of float, shape (p,)
    delta : ndarray of float, shape (q,)
        The share's coefficients; of a share at the border, the share itself.
    border : bool
        Whether one share for all is highest at 0 or at 1.
    """

    maximum: Maximum
    beta: FloatArray
    delta: FloatArray
    border: bool


def best_fit(likelihood: TypeLikelihood, ends: Sequence[float]) -> BestFit:
    """Return the highest maximum over the trait's and the share's coefficients.

    The maxima are looked for among some of the rows where there are very many, and then walked to
    with all. `ends`: shares at the border to compare with, tried only where there is one share for
    all.
    """
    some = likelihood.thinned(MOST_SEARCHED)
    # Coefficients that fit some of the rows may be ruled out by another one.
    candidates = _candidates(likelihood, some, ends) or _candidates(likelihood, likelihood, ends)
    best = candidates[0]
    for candidate in candidates[1:]:
        if candidate.maximum.value > best.maximum.value + NOTHING_GAINED:
            best = candidate
    return best


def _candidates(
    likelihood: TypeLikelihood, some: TypeLikelihood, ends: Sequence[float]
) -> list[BestFit]:
    """Return the maxima that those of some of the rows lead to, those at the border first."""
    profile = _start_profile(some)
    starts = [_whole(likelihood, share, point.theta) for share, point in _tops(profile)]
    starts += _wide_starts(some)
    found = maxima_from(some, starts)
    if some is not likelihood:
        found = maxima_from(likelihood, [point.theta for point in found])
    size = likelihood.trait.shape[1]
    inside = [BestFit(one, one.theta[:size], one.theta[size:], border=False) for one in found]
    if likelihood.share.shape[1] > 1:
        return inside
    best = sorted((point for _, point in profile), key=lambda point: -point.value)
    near = [point.theta for point in best[:ASCENTS]] + [one.beta for one in inside[:ASCENTS]]
    borders = [(end, _fit_end(likelihood, some, end, near)) for end in ends]
    # The border is preferred to a point that only comes near it.
    return [
        *(BestFit(one, one.theta, np.array([end]), border=True) for end, one in borders if one),
        *inside,
    ]


def _wide_starts(likelihood: TypeLikelihood) -> list[FloatArray]:
    """Return points in all directions at shares of all sizes."""
    starts = []
    size = likelihood.trait.shape[1] + likelihood.share.shape[1]
    for place, share in enumerate(CORNERS):
        for point in wide_points(np.zeros(size), WIDE, place):
            # The share keeps its level, which the corners are about; its slopes may vary.
            point[likelihood.trait.shape[1]] = logit(share)
            starts.append(point)
    return starts


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


def _start_profile(likelihood: TypeLikelihood) -> list[tuple[float, Maximum]]:
    """Return the best coefficients of the trait at some shares; without those ruled out."""
    found: list[tuple[float, Maximum]] = []
    for share in START_SHARES:
        nearest = [found[-1][1].theta] if found else []
        point = fit_share(likelihood, share, nearest, wide=0)
        if point is not None:
            found.append((share, point))
    return found


def fit_share(
    likelihood: TypeLikelihood, share: float, starts: Sequence[FloatArray] = (), wide: int = WIDE
) -> Maximum | None:
    """Return the highest maximum at one share.

    From a start of its own, from `starts`, and from so many points in all directions.
    """
    objective = likelihood.with_share(share)
    some = likelihood.thinned(MOST_SEARCHED)
    own = _start(some, share)
    tried = [*([] if own is None else [own]), *starts]
    if wide and some is likelihood:
        tried += wide_points(np.zeros(likelihood.trait.shape[1]), wide)
    return next(iter(maxima_from(objective, tried)), None)


def profile_point(likelihood: TypeLikelihood, share: float, near: FloatArray) -> Maximum | None:
    """Return the highest maximum at one share; of very many rows, that which is nearest."""
    objective = likelihood.with_share(share)
    many = likelihood.thinned(MOST_SEARCHED) is not likelihood
    if many and np.isfinite(objective(near)[0]):
        return maximise(objective, near)
    return fit_share(likelihood, share, [near], wide=PROFILE)


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
