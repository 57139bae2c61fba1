"""Measures of matrices as a search's content holds them: plain numbers, null where infinite."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from math import isfinite
from statistics import NormalDist
from typing import Any

import numpy as np

import rr_engine
from rr_engine.optimisation.design_search import privacy_levels
from surveys.devices import fitting
from surveys.devices.squared_error import squared_error
from surveys.drafts import Draft
from surveys.kinds.choices import SingleChoice

# Steps of the Warner family from the identity to a device whose reports carry no information.
FAMILY_STEPS = 120
HALVINGS = 60
# The tolerance for rounding in comparisons with a bound.
ROUNDING = 1e-9
# Digits of a stored probability: significant ones, because epsilon depends on ratios.
DIGITS = 10
# Decimals of a frozen number.
DECIMALS = 12
# The denominator of an exact table is 2**BITS.
BITS = 32
# Limits of a stored front: the largest content, three fronts for 14 answers, stays below 1 MB.
MOST_MEMBERS, MOST_PROBABILITIES = 60, 40_000
# The step of a question's epsilon.
EPSILON_STEP = Decimal("0.0001")
Z = NormalDist().inv_cdf(0.975)

Point = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A parsed request; `epsilon` has the same number of decimals as a question's epsilon."""

    labels: list[str]
    shares: list[Decimal]
    n: int
    delta: Decimal
    epsilon: Decimal | None

    @classmethod
    def read(cls, request: Mapping[str, Any]) -> "SearchRequest":
        epsilon_text = request["epsilon"]
        epsilon = epsilon_text and Decimal(epsilon_text).quantize(EPSILON_STEP, rounding=ROUND_DOWN)
        shares = [Decimal(share) for share in request["prior"]]
        return cls(request["labels"], shares, request["n"], Decimal(request["delta"]), epsilon)

    @property
    def prior(self) -> list[float]:
        return [float(share) for share in self.shares]

    @property
    def budget(self) -> str | None:
        """The epsilon as the engine takes it."""
        return None if self.epsilon is None else str(self.epsilon)


def point(channel: rr_engine.channels.Channel, search_request: SearchRequest) -> Point:
    """The measures of one device, and whether it meets the requested bounds.

    Its error is that of the published estimate, which weights reports of cards by equal shares.
    """
    worst, epsilon = channel.worst_posterior(search_request.prior), channel.epsilon
    return {
        "privacy": channel.privacy(search_request.prior),
        "mse": finite(squared_error(channel, search_request.prior, search_request.n)),
        "worst_posterior": worst,
        "epsilon": finite(epsilon),
        "feasible": is_feasible(worst, epsilon, search_request),
    }


def is_feasible(worst: float, epsilon: float, search_request: SearchRequest) -> bool:
    epsilon_is_kept = (
        search_request.epsilon is None or epsilon <= float(search_request.epsilon) + ROUNDING
    )
    return epsilon_is_kept and worst <= float(search_request.delta) + ROUNDING


def family(search_request: SearchRequest) -> list[Point]:
    """Warner's matrices, which are those of UP and FRAPP as well (OptRR, Theorem 2).

    They are evenly spaced by privacy; the most accurate one within the bounds is added.
    """
    size = len(search_request.prior)
    retained = np.linspace(1, 1 / size, FAMILY_STEPS + 1).tolist()
    shares = sorted({*retained, _largest_probability(search_request)}, reverse=True)
    return [point(_warner(size, share), search_request) for share in shares]


def _warner(size: int, truth: float) -> rr_engine.DesignMatrix:
    """Warner's matrix: the true answer with this probability, else any other."""
    matrix = np.full((size, size), (1 - truth) / (size - 1))
    np.fill_diagonal(matrix, truth)
    return rr_engine.DesignMatrix(matrix)


def _largest_probability(search_request: SearchRequest) -> float:
    """The largest probability of the truth within the bounds, found by bisection."""
    size = len(search_request.prior)
    low, high = 1 / size, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        design = _warner(size, middle)
        if is_feasible(
            design.worst_posterior(search_request.prior), design.epsilon, search_request
        ):
            low = middle
        else:
            high = middle
    return low


def other_devices(search_request: SearchRequest) -> Iterator[Point]:
    """The question's other devices at the epsilon asked for, as they would be launched."""
    if search_request.epsilon is None:
        return
    draft = Draft(
        kind=SingleChoice.name, options=tuple(search_request.labels), epsilon=search_request.epsilon
    )
    for family in fitting(draft):
        if not family.settings:
            yield {"name": family.name, **point(family.channel(draft), search_request)}


def bound_points(search_request: SearchRequest, levels: int) -> Iterator[Point]:
    """The least error of any device within the bounds, certified, by rising privacy.

    Below the first level, where privacy costs nothing, the least error is that of this level.
    """
    delta, largest_bound = float(search_request.delta), 0.0
    grid = privacy_levels(np.array(search_request.prior), delta, search_request.epsilon, levels)
    for level in sorted({max(0.0, 1 - delta), *grid}):
        try:
            certificate = rr_engine.optimisation.mse_lower_bound(
                search_request.prior,
                search_request.n,
                privacy=level,
                delta=delta,
                epsilon=search_request.budget,
            )
        except rr_engine.EngineError:
            # No bound is certified at this level: the curve continues to the next level.
            continue
        # A bound at one privacy level holds at every greater one.
        largest_bound = max(largest_bound, certificate.bound)
        yield {"privacy": level, "mse": largest_bound}


def front_json(front: rr_engine.optimisation.Front, seconds: float) -> dict[str, Any]:
    return {
        "members": [_member(member, front) for member in _thin_out(front.members)],
        "hypervolume": front.hypervolume,
        "steps": front.generations,
        "finished": front.finished,
        "cancelled": front.cancelled,
        "seconds": round(seconds, 1),
    }


def _thin_out(
    members: Sequence[rr_engine.optimisation.FrontMember],
) -> list[rr_engine.optimisation.FrontMember]:
    """A limited number of members: both ends, and those nearest to equal steps between."""
    largest = max((member.matrix.size for member in members), default=1)
    size = min(MOST_MEMBERS, MOST_PROBABILITIES // largest)
    if len(members) <= size:
        return list(members)
    privacy = np.array([member.privacy for member in members])
    grid = np.linspace(privacy[0], privacy[-1], size)
    nearest = np.abs(privacy[:, None] - grid).argmin(axis=0)
    return [members[index] for index in sorted({0, len(members) - 1, *nearest.tolist()})]


def _member(
    member: rr_engine.optimisation.FrontMember, front: rr_engine.optimisation.Front
) -> dict[str, Any]:
    return {
        "matrix": [[float(f"{x:.{DIGITS}g}") for x in row] for row in member.matrix.tolist()],
        "privacy": member.privacy,
        "mse": member.mse,
        "worst_posterior": member.worst_posterior,
        "epsilon": finite(member.epsilon),
        "gap": member.gap,
        "margin": _margin(member.matrix, front.prior, front.n),
    }


def _margin(matrix: np.ndarray, prior: np.ndarray, n: int) -> float:
    """Half width at 95 % of the least precise share, by the estimate that reaches `mse`.

    Its covariance for one respondent is ``J^-1 - pi pi'`` with the Fisher information J.
    """
    information = (matrix / (matrix @ prior)[:, None]).T @ matrix
    variances = np.diag(np.linalg.inv(information)) - prior**2
    return Z * float(np.sqrt(variances.max() / n))


def finite(value: float) -> float | None:
    return float(value) if isfinite(value) else None
