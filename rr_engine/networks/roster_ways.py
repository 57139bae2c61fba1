"""Ways to spend one budget on a roster: bits, one device over all sets of ties, some names only."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import comb, exp, expm1, inf, sqrt, tanh

from rr_engine import check
from rr_engine.arrays import Epsilon
from rr_engine.display.shown import Shown

# A device over all sets has 2**roster of them; their numbers of ties are all that is summed over.
LONGEST_ROSTER = 100
TARGETS = ("tie_error", "pair_error")
# Errors of a ball of radius 0 and of k-ary randomized response differ in their last digits.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class RosterWay(Shown):
    """Expected errors of one way to spend a person's budget on a roster.

    Attributes
    ----------
    way : str
        "independent": each name by itself with an equal part of epsilon. "uniform": k-ary
        randomized response on the sets of ties. "subsets": subset selection on them. "ball": the
        report is a set of ties, more often one that differs from the truth in at most
        `parameter` names. "some names": `parameter` names, drawn at random and reported with their
        bits, share epsilon.
    parameter : int or None
        Sets in a report of "subsets", radius of "ball", names of "some names".
    tie_error : float
        Standard error of one tie of one person, for the noise of the device.
    pair_error : float
        Of the product of two ties of one person, coded 1 and -1: infinite where one report does
        not tell it.
    best_for : tuple of str
        Of which of "tie_error" and "pair_error" this is the first way with the least.

    Examples
    --------
    >>> from rr_engine.networks import compare_roster_devices
    >>> ways = compare_roster_devices(6, "2")
    >>> [way.way for way in ways if "tie_error" in way.best_for]
    ['ball']
    """

    way: str
    parameter: int | None
    tie_error: float
    pair_error: float
    best_for: tuple[str, ...] = ()


def compare_roster_devices(roster: int, epsilon: Epsilon, density: float = 0.5) -> list[RosterWay]:
    """Compare devices for a roster that keep the same promise about a whole report.

    Parameters
    ----------
    roster : int
        Names, from 2 to 100.
    epsilon : Decimal, str or float
        Of everything that a person reports.
    density : float, default 0.5
        Guess of the share of ties among the names; it moves "some names" alone, whose answer
        about the names that were not drawn is that guess.

    Returns
    -------
    list of RosterWay
        Five ways.

    Raises
    ------
    EpsilonError, ArgumentError

    Notes
    -----
    docs/methods/network-privacy.md, "Devices over all sets of ties". Code a tie as chi = -1 and
    none as 1. Where the chance of a report depends on the number of names that it is wrong about
    only, ``E chi(report) = lambda_1 chi(truth)`` and the noise variance of a tie is
    ``(1/lambda_1**2 - 1)/4``; of a product of two, ``1/lambda_2**2 - 1``.

    References
    ----------
    .. [1] J. Duchi, M. Jordan and M. Wainwright, "Minimax Optimal Procedures for Locally Private
       Estimation", Journal of the American Statistical Association 113 (2018), 182-201, section 4
       ("ball" of half the names).
    .. [2] M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation Under Locally
       Differential Privacy", IEEE Transactions on Information Theory 64 (2018), 5662-5676.

    Examples
    --------
    >>> for way in compare_roster_devices(6, "2"):
    ...     print(way.way, way.parameter, round(way.tie_error, 2), way.best_for)
    independent None 2.99 ()
    uniform None 5.49 ()
    subsets 8 3.34 ('pair_error',)
    ball 2 1.52 ('tie_error',)
    some names 1 1.53 ()
    """
    names = check.whole(roster, "roster", minimum=2, maximum=LONGEST_ROSTER)
    budget, share = check.epsilon(epsilon), check.open_unit(density, "density")
    ways = [make(names, budget) for make in WAYS] + [_some_names(names, float(budget), share)]
    best = {target: _first_least([getattr(way, target) for way in ways]) for target in TARGETS}
    return [
        replace(way, best_for=tuple(target for target in TARGETS if best[target] == place))
        for place, way in enumerate(ways)
    ]


def _first_least(errors: Sequence[float]) -> int:
    """Return the place of the first error that is the least up to rounding."""
    least = min(errors) * (1 + ROUNDING)
    return next(place for place, error in enumerate(errors) if error <= least)


def _independent(names: int, budget: Decimal) -> RosterWay:
    retained = tanh(float(budget) / (2 * names))
    return RosterWay("independent", None, *_errors(retained, retained**2))


def _uniform(names: int, budget: Decimal) -> RosterWay:
    # (e**eps - 1) / (e**eps + 2**m - 1), in units of e**eps.
    others = (2.0**names - 1) * exp(-float(budget))
    retained = -expm1(-float(budget)) / (1 + others)
    return RosterWay("uniform", None, *_errors(retained, retained))


def _subsets(names: int, budget: Decimal) -> RosterWay:
    size = 2**names
    # The error falls up to the best size, about size / (e**eps + 1), and rises from there.
    near = size / (1 + exp(min(float(budget), 700.0)))
    sizes = {min(max(round(near) + step, 1), size - 1) for step in (-1, 0, 1)}
    best = min(sorted(sizes), key=lambda k: _subset_factor(size, budget, k))
    retained = 1 / sqrt(_subset_factor(size, budget, best))
    return RosterWay("subsets", best, *_errors(retained, retained))


def _subset_factor(size: int, budget: Decimal, k: int) -> float:
    """Return the variance of a contrast by k-subset selection, relative to direct reports."""
    other = size - k
    ratio = (k + other * exp(-float(budget))) / -expm1(-float(budget))
    return (size - 1) / k / other * ratio * ratio


def _ball(names: int, budget: Decimal) -> RosterWay:
    rises = [_ball_retained(names, budget, radius) for radius in range(names)]
    radius = max(range(names), key=lambda r: rises[r][0])
    return RosterWay("ball", radius, *_errors(*rises[radius]))


def _ball_retained(names: int, budget: Decimal, radius: int) -> tuple[float, float]:
    """Return lambda_1 and lambda_2 of a ball.

    The sum of a product of one, or two, codes over a ball telescopes into
    ``C(m - 1, r)``, or ``C(m - 2, r) - C(m - 2, r - 1)``.
    """
    held = sum(comb(names, distance) for distance in range(radius + 1))
    one = comb(names - 1, radius)
    two = comb(names - 2, radius) - (comb(names - 2, radius - 1) if radius else 0)
    # (e**eps - 1) / (2**m + (e**eps - 1) held), in units of e**eps.
    gain = -expm1(-float(budget))
    weight = gain / (2**names * exp(-float(budget)) + gain * held)
    return weight * one, weight * two


WAYS = (_independent, _uniform, _subsets, _ball)


def _some_names(names: int, epsilon: float, density: float) -> RosterWay:
    def variance(drawn: int) -> float:
        # E (report - guess)**2, which is counted m/r times with chance r/m, less the squared mean.
        guess, retained = 1 - 2 * density, tanh(epsilon / (2 * drawn))
        return names / drawn * (1 / retained**2 - guess**2) - (1 - guess**2)

    drawn = min(range(1, names + 1), key=variance)
    pair = inf
    if drawn > 1:
        both = names * (names - 1) / (drawn * (drawn - 1))
        pair = sqrt(both / tanh(epsilon / (2 * drawn)) ** 4 - 1)
    return RosterWay("some names", drawn, sqrt(max(variance(drawn), 0.0)) / 2, pair)


def _errors(one: float, two: float) -> tuple[float, float]:
    """Return the standard errors of a tie and of the product of two, from the lambdas."""
    pair = inf if two == 0 else sqrt(max(1 / two**2 - 1, 0.0))
    return sqrt(max(1 / one**2 - 1, 0.0)) / 2, pair
