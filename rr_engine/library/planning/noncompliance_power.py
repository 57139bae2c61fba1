"""Power of the usual test of a prevalence when some respondents do not follow the device."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_table
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray, as_array, as_list
from rr_engine.channels.protocol import Channel
from rr_engine.compliance.mixture import other_reports
from rr_engine.display.figures import Drawn, Lines, power_lines
from rr_engine.errors import ArgumentError
from rr_engine.planning.proportion import OPPOSITE, ProportionPlan, check_plan, deviation
from rr_engine.planning.rejection import binomial_power, normal_power
from rr_engine.precision import left_inverse

# A table of more powers is more than anybody can draw.
MOST_POINTS = 10_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NoncompliancePower(FrozenArrays, Drawn):
    """Power of a test of a prevalence by the share that does not follow the device and by n.

    Attributes
    ----------
    shares : ndarray of float, shape (m,)
        Shares of respondents who do not follow the device.
    sizes : ndarray of int, shape (k,)
        Numbers of respondents.
    powers : ndarray of float, shape (m, k)
        How often the test, which takes everybody to comply, rejects.
    apparent : ndarray of float, shape (m,)
        What the estimate is aimed at instead of the true prevalence; may leave the range 0 to 1.

    Examples
    --------
    >>> from rr_engine import forced_response
    >>> from rr_engine.planning import power_noncompliance
    >>> device = forced_response(0.75, 0.125)
    >>> found = power_noncompliance(device, 0.2, 0, [100, 200], [0, 0.1], [1, 0])
    >>> found.shares.tolist(), found.powers.round(2).tolist()
    ([0.0, 0.1], [[0.97, 1.0], [0.89, 0.99]])
    """

    shares: FloatArray
    sizes: IntArray
    powers: FloatArray
    apparent: FloatArray

    def _figure(self) -> Lines:
        labels = [f"{100 * share:g} % do not follow the device" for share in self.shares.tolist()]
        lines = dict(zip(labels, self.powers.tolist(), strict=True))
        return power_lines(self.sizes.tolist(), lines)


def power_noncompliance(
    design: Channel,
    prevalence: float,
    null: float,
    n: int | Sequence[int],
    shares: float | Sequence[float],
    otherwise: ArrayLike | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    category: int | None = None,
    method: str = "exact",
) -> NoncompliancePower:
    """Power of the test of one proportion when a share of respondents cheats or answers at random.

    Parameters
    ----------
    design : Channel
        Any with a table that is small enough to form.
    prevalence, null, alpha, alternative, category, method
        As in :func:`rr_engine.power`. The prevalence is that of those who follow the device.
    n : int or sequence of int
        Numbers of respondents.
    shares : float or sequence of float
        Shares of respondents who do not follow the device.
    otherwise : array_like of float, shape (reports,), optional
        Probabilities of the reports of those: 1 for the safe report of cheaters, such as [1, 0];
        equal ones when left out (answering at random).

    Returns
    -------
    NoncompliancePower
        One row for each share, one column for each n: curves to draw either way.

    Raises
    ------
    NotIdentifiableError, DistributionError, ArgumentError

    Notes
    -----
    The test is the usual one, with thresholds for a device that everybody follows. Cheaters who
    deny lower its power, and where the null hypothesis holds they make it reject a value that is
    true. docs/methods/planning.md.

    References
    ----------
    .. [1] R. Ulrich, H. Schroter, H. Striegel and P. Simon, "Asking Sensitive Questions: A
       Statistical Power Analysis of Randomized Response Models", Psychological Methods 17 (2012),
       623-641 (the question; exact sums here).

    Examples
    --------
    No cheaters, and a tenth of cheaters who say no:

    >>> from rr_engine import forced_response
    >>> device = forced_response(0.75, 0.125)
    >>> found = power_noncompliance(device, 0.2, 0, [100, 200, 400], [0, 0.1], [1, 0])
    >>> found.powers.round(3).tolist(), found.apparent.round(3).tolist()
    ([[0.967, 1.0, 1.0], [0.89, 0.994, 1.0]], [0.2, 0.163])
    """
    plan = check_plan(design, null, alternative, category, method)
    channel = check_table(plan.design)
    share = check.probability(prevalence, "prevalence")
    level = check.open_unit(alpha, "alpha")
    sizes = np.array([check.size(size, "n") for size in check_several(n, "n")], dtype=np.int64)
    missing = [check.probability(part, "shares") for part in check_several(shares, "shares")]
    others = other_reports(channel, otherwise)
    honest = plan.design.apply(plan.design.spread_shares(share, plan.category))
    reported = [(1 - part) * honest + part * others for part in missing]
    scores = left_inverse(channel.matrix)[plan.category]
    return NoncompliancePower(
        shares=np.array(missing, dtype=np.float64),
        sizes=sizes,
        powers=np.array([_powers(plan, one, scores, sizes, level) for one in reported]),
        apparent=np.array([float(scores @ one) for one in reported]),
    )


def check_several(value: object, argument: str) -> tuple:
    """Return one or more values."""
    array = as_array(value)
    values = as_list(value) if array is None or array.ndim else (value,)
    hidden = isinstance(value, np.ndarray) and value.dtype.kind not in "iuf"
    if not values or hidden or len(values) > MOST_POINTS:
        rule = f"be a number or a list of 1 to {MOST_POINTS} numbers"
        raise ArgumentError(argument, value, rule, "not_numbers")
    return values


def _powers(
    plan: ProportionPlan, reported: FloatArray, scores: FloatArray, sizes: IntArray, alpha: float
) -> FloatArray:
    """Return the power for each n where the reports have these shares."""
    if plan.share is not None:
        falling = plan.share.within < plan.share.without
        side = OPPOSITE[plan.alternative] if falling else plan.alternative
        true = min(max(float(reported[plan.share.report]), 0.0), 1.0)
        return binomial_power(sizes, plan.share.at(plan.null), true, alpha, side, plan.method)
    mean = float(scores @ reported)
    spread = float(np.sqrt(max(float(scores**2 @ reported) - mean**2, 0.0)))
    under = deviation(plan, plan.null)
    return np.array(
        [
            normal_power(size, mean - plan.null, under, spread, alpha, plan.alternative)
            for size in sizes.tolist()
        ]
    )
