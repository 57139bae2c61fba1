"""Power to find cheaters from two or more groups with different devices."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import xlogy

from rr_engine import check
from rr_engine.arguments import holds_several, truth_labels
from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, IntArray
from rr_engine.channels.protocol import Channel
from rr_engine.compliance.cheating import check_several_groups
from rr_engine.compliance.mixture import best_log_likelihood
from rr_engine.distributions import binomial_pmf, normal_cdf, normal_isf
from rr_engine.errors import ArgumentError, NotIdentifiableError
from rr_engine.library.planning.cheating_result import CheatingPower
from rr_engine.library.planning.noncompliance_power import check_several
from rr_engine.planning.proportion import people
from rr_engine.planning.solving import settle_sample_size
from rr_engine.precision import CONDITION_LIMIT, condition_number
from rr_engine.roots import halve

HALVINGS = 60
# Counts less likely than this change no power in its tenth digit.
NEGLIGIBLE = 1e-14
ROUNDING = 1e-9
TINY = 1e-300


def exact_rejection(
    corners: FloatArray, true: FloatArray, sizes: tuple[int, int], alpha: float
) -> float:
    """Sum the chances of all pairs of counts at which the likelihood-ratio test rejects.

    `corners` are the chances of "yes", one row for each group, the cheaters' last; `true` the true
    shares of yes.
    """
    counts, chances = zip(*map(_likely, sizes, true.tolist()), strict=True)
    first, second = np.meshgrid(*counts, indexing="ij")
    observed = np.stack([first.ravel(), second.ravel()])
    statistics = likelihood_ratios(corners, observed, sizes)
    rejects = np.sqrt(np.maximum(statistics, 0)) > float(normal_isf(alpha))
    return float(chances[0] @ rejects.reshape(first.shape) @ chances[1])


def _likely(n: int, share: float) -> tuple[FloatArray, FloatArray]:
    """Return the counts that are at all likely, with their chances."""
    counts = np.arange(n + 1)
    chances = binomial_pmf(counts, n, share)
    likely = chances > NEGLIGIBLE
    return counts[likely].astype(np.float64), chances[likely]


def likelihood_ratios(
    corners: FloatArray, observed: FloatArray, sizes: tuple[int, int]
) -> FloatArray:
    """Return twice the gain in log-likelihood by cheaters, for pairs of counts of yes."""
    n = np.array(sizes, dtype=np.float64)[:, None]
    shares = observed / n
    null = _best_on_side(corners[:, 0], corners[:, 1], shares, n)
    sides = [_best_on_side(corners[:, 2], corners[:, other], shares, n) for other in (0, 1)]
    # A concave function whose top is outside a triangle is largest on one of its sides.
    best = np.maximum(null, np.maximum(*sides))
    top = _log_likelihood(shares, shares, n)
    return 2 * (np.where(_inside(corners, shares), top, best) - null)


def _inside(corners: FloatArray, shares: FloatArray) -> BoolArray:
    weights = np.linalg.solve(
        np.vstack([corners, np.ones(3)]), np.vstack([shares, np.ones(shares.shape[1])])
    )
    return np.asarray((weights >= -ROUNDING).all(axis=0))


def _log_likelihood(shares: FloatArray, chances: FloatArray, n: FloatArray) -> FloatArray:
    parts = xlogy(shares, chances) + xlogy(1 - shares, 1 - chances)
    return np.asarray((n * parts).sum(axis=0))


def _best_on_side(
    start: FloatArray, end: FloatArray, shares: FloatArray, n: FloatArray
) -> FloatArray:
    """Return the largest log-likelihood on the line from one corner to another, by halving."""
    step = (end - start)[:, None]

    def rises(place: FloatArray) -> BoolArray:
        chances = start[:, None] + place * step
        slopes = shares / np.maximum(chances, TINY) - (1 - shares) / np.maximum(1 - chances, TINY)
        return np.asarray((n * step * slopes).sum(axis=0) > 0)

    low, high = halve(rises, np.zeros(shares.shape[1]), np.ones(shares.shape[1]), HALVINGS)
    # Halving never ends at an end itself, where a report that nobody makes has chance zero.
    ends = [np.broadcast_to(end_[:, None], shares.shape) for end_ in (start, end)]
    inner = start[:, None] + (low + high) / 2 * step
    return np.max([_log_likelihood(shares, at, n) for at in (inner, *ends)], axis=0)


# Respondents whose pairs of counts are summed over.
MOST_EXACT = 2_000
# An information per respondent below this is rounding.
NOTHING = 1e-14


def power_cheating(
    designs: Sequence[Channel],
    honest: float | ArrayLike,
    cheaters: float | Sequence[float],
    n: int | Sequence[int],
    allocation: ArrayLike | None = None,
    alpha: float = 0.05,
    safe: int = 0,
    method: str = "normal",
) -> CheatingPower:
    """Power of the test that nobody cheats, from groups with different devices.

    Parameters
    ----------
    designs : sequence of Channel
        The device of each random group, as in :func:`rr_engine.compliance.cheating_share`.
    honest : float or array_like, shape (truths,)
        True proportions among those who follow the device; for two categories the share of the
        second one ("yes") alone will do.
    cheaters : float or sequence of float
        Shares of respondents who give the safe report whatever the device says.
    n : int or sequence of int
        Respondents of all groups together; at most 2,000 for "exact".
    allocation : array_like of float, shape (groups,), optional
        Shares of the respondents in each group; equal ones when left out.
    alpha : float, default 0.05
    safe : int, default 0
        The report that cheaters give.
    method : {"normal", "exact"}
        "normal": the root of the likelihood-ratio statistic is nearly normal around the root of its
        noncentrality. "exact" sums over all pairs of counts: two groups, two reports.

    Returns
    -------
    CheatingPower
        One row for each share of cheaters, one column for each n: curves to draw either way.

    Raises
    ------
    DistributionError, ArgumentError
    NotIdentifiableError
        When the devices are too alike to tell cheaters from the honest.

    Notes
    -----
    The test of :func:`rr_engine.compliance.cheating_share` at the border, chi-square with one
    degree of freedom and half its p-value. The noncentrality is n times twice the divergence of the
    expected reports from the nearest ones without cheaters. docs/methods/planning.md.

    References
    ----------
    .. [1] R. Ulrich, H. Schroter, H. Striegel and P. Simon, "Asking Sensitive Questions: A
       Statistical Power Analysis of Randomized Response Models", Psychological Methods 17 (2012),
       623-641.
    .. [2] S. J. Clark and R. A. Desharnais, "Honest answers to embarrassing questions: detecting
       cheating in the randomized response model", Psychological Methods 3 (1998), 160-168.

    Examples
    --------
    Yes forced for a fifth of one group and for four fifths of the other:

    >>> from rr_engine.designs import generalized_binary
    >>> groups = [generalized_binary(0.8, 1), generalized_binary(0.2, 1)]
    >>> power_cheating(groups, 0.3, [0, 0.05, 0.1, 0.2], [200, 500]).powers.round(2).tolist()
    [[0.05, 0.05], [0.25, 0.46], [0.59, 0.9], [0.97, 1.0]]
    """
    setting = _setting(designs, honest, allocation, safe)
    level = check.open_unit(alpha, "alpha")
    exact = check.choice(method, "method", ("normal", "exact")) == "exact"
    shares = [check.probability(share, "cheaters") for share in check_several(cheaters, "cheaters")]
    totals = [check.size(size, "n") for size in check_several(n, "n")]
    if exact:
        _check_exact(setting, totals, n)
    power = _exact_power if exact else _normal_power
    return CheatingPower(
        cheaters=np.array(shares, dtype=np.float64),
        sizes=np.array(totals, dtype=np.int64),
        powers=np.array(
            [[power(setting, share, total, level) for total in totals] for share in shares]
        ),
    )


def solve_sample_size_cheating(
    designs: Sequence[Channel],
    honest: float | ArrayLike,
    cheaters: float,
    power: float = 0.8,
    allocation: ArrayLike | None = None,
    alpha: float = 0.05,
    safe: int = 0,
) -> int:
    """Smallest number of respondents, of all groups together, with whom cheaters are found.

    Parameters
    ----------
    designs, honest, allocation, alpha, safe
        As in :func:`power_cheating`.
    cheaters : float
        Their share, above 0.
    power : float, default 0.8

    Returns
    -------
    int
        One respondent fewer misses the power, by "normal".

    Raises
    ------
    DistributionError, NotIdentifiableError
    ArgumentError
        Also for a share of cheaters that changes no report ("no_effect").

    References
    ----------
    .. [1] R. Ulrich, H. Schroter, H. Striegel and P. Simon, "Asking Sensitive Questions: A
       Statistical Power Analysis of Randomized Response Models", Psychological Methods 17 (2012),
       623-641.

    Examples
    --------
    >>> from rr_engine.designs import generalized_binary
    >>> groups = [generalized_binary(0.8, 1), generalized_binary(0.2, 1)]
    >>> solve_sample_size_cheating(groups, 0.3, 0.1)
    356
    """
    setting = _setting(designs, honest, allocation, safe)
    share = check.probability(cheaters, "cheaters")
    target, level = check.open_unit(power, "power"), check.open_unit(alpha, "alpha")
    each = _information(setting, share, setting.allocation)
    if not each > NOTHING:
        rule = "be a share that changes the reports"
        raise ArgumentError("cheaters", cheaters, rule, "no_effect")
    if target <= level:
        return len(setting.matrices)
    quantiles = float(normal_isf(level) - normal_isf(target))
    start = people(quantiles**2 / each, "cheaters", cheaters)
    return settle_sample_size(lambda n: _normal_power(setting, share, n, level), start, target)


@dataclass(frozen=True, slots=True)
class _Setting:
    """Chances of the reports by type (cheaters last), proportions of the honest, and groups."""

    matrices: list[FloatArray]
    honest: FloatArray
    allocation: FloatArray

    def shares(self, cheaters: float) -> FloatArray:
        return np.append((1 - cheaters) * self.honest, cheaters)


def _setting(
    designs: Sequence[Channel], honest: float | ArrayLike, allocation: ArrayLike | None, safe: int
) -> _Setting:
    groups = check_several_groups(designs)
    reports, truths = groups[0].tally_size, groups[0].truth_size
    cheater = np.eye(reports)[:, [check.whole(safe, "safe", maximum=reports - 1)]]
    matrices = [np.hstack([group.matrix, cheater]) for group in groups]
    if not condition_number(np.vstack(matrices)) < CONDITION_LIMIT:
        rule = "differ enough to tell cheaters from honest respondents"
        raise NotIdentifiableError("designs", designs, rule, "groups_indistinguishable")
    if truths == 2 and not holds_several(honest):
        share = check.probability(honest, "honest")
        proportions = np.array([1 - share, share])
    else:
        proportions = check.distribution(honest, truths, "honest", truth_labels(groups[0]))
    equal = np.full(len(groups), 1 / len(groups))
    parts = equal if allocation is None else _parts(allocation, len(groups))
    return _Setting(matrices, proportions, parts)


def _parts(allocation: ArrayLike, groups: int) -> FloatArray:
    parts = check.distribution(allocation, groups, "allocation")
    if parts.min() <= 0:
        rule = "leave no group empty"
        raise ArgumentError("allocation", allocation, rule, "not_positive")
    return parts


def _sizes(setting: _Setting, n: int) -> IntArray:
    """Return the sizes of the groups: rounded down, those left over to the largest remainders."""
    wanted = n * setting.allocation
    sizes = np.floor(wanted).astype(np.int64)
    left = n - int(sizes.sum())
    sizes[np.argsort(sizes - wanted, kind="stable")[:left]] += 1
    return sizes


def _information(setting: _Setting, cheaters: float, allocation: FloatArray) -> float:
    """Return the noncentrality of one respondent."""
    matrix = np.vstack([m * part for m, part in zip(setting.matrices, allocation, strict=True)])
    reported = matrix @ setting.shares(cheaters)
    seen = reported > 0
    top = float(reported[seen] @ np.log(reported[seen]))
    return 2 * max(top - best_log_likelihood(matrix[:, :-1], reported), 0.0)


def _normal_power(setting: _Setting, cheaters: float, n: int, alpha: float) -> float:
    excess = n * _information(setting, cheaters, _sizes(setting, n) / n)
    return float(normal_cdf(sqrt(excess) - normal_isf(alpha)))


def _exact_power(setting: _Setting, cheaters: float, n: int, alpha: float) -> float:
    corners = np.array([matrix[1] for matrix in setting.matrices])
    first, second = _sizes(setting, n).tolist()
    true = corners @ setting.shares(cheaters)
    return exact_rejection(corners, true, (first, second), alpha)


def _check_exact(setting: _Setting, totals: list[int], n: object) -> None:
    if len(setting.matrices) != 2 or setting.matrices[0].shape != (2, 3):
        rule = "be two of two truths and two reports where the power is summed exactly"
        raise ArgumentError("designs", len(setting.matrices), rule, "not_yes_no")
    if max(totals) > MOST_EXACT:
        rule = f"be at most {MOST_EXACT} where the power is summed exactly"
        raise ArgumentError("n", n, rule, "too_many_people", MOST_EXACT)
    if min(int(_sizes(setting, total).min()) for total in totals) < 1:
        raise ArgumentError("n", n, "leave no group empty", "too_few_people")
