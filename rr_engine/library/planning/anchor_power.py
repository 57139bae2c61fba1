"""Numbers of respondents for a crosswise question with an attention item."""

from math import ceil, sqrt

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.distributions import margin_factor, normal_isf
from rr_engine.errors import ArgumentError
from rr_engine.estimation.difference import ALTERNATIVES
from rr_engine.library.compliance.inattention import anchored_gaps
from rr_engine.planning.proportion import people
from rr_engine.planning.rejection import normal_power
from rr_engine.planning.solving import check_gap, settle_sample_size


def power_with_anchor(
    theta: float,
    anchor_theta: float,
    prevalence: float,
    attentive: float,
    n: int,
    null: float = 0.0,
    known: float = 0.0,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> float:
    """Probability that the bias-corrected crosswise estimate rejects a prevalence.

    Parameters
    ----------
    theta, anchor_theta : float
        As in :func:`rr_engine.compliance.bias_corrected_crosswise`; neither one half.
    prevalence : float
        The true one.
    attentive : float
        Share of respondents who follow the device, above 0.
    n : int
        Respondents, all of whom answer both questions.
    null : float, default 0
        The prevalence to reject: nobody, or what people admit when asked directly.
    known : float, default 0
        Known prevalence of the anchor's statement, not one half.
    alpha : float, default 0.05
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    float

    Raises
    ------
    ArgumentError

    Notes
    -----
    Two-sided, the test rejects when Fieller's interval leaves `null` out: a linear statistic of
    both reports, whose power is that of a normal test. docs/methods/planning.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148 (by simulation; the closed
       form is ours).

    Examples
    --------
    >>> round(power_with_anchor(0.1, 0.1, 0.1, 0.8, 1000), 3)
    0.963
    >>> round(power_with_anchor(0.1, 0.1, 0.1, 0.8, 1000, null=0.05), 3)
    0.499
    """
    gap, spread = _plan((theta, anchor_theta, known), prevalence, attentive, null)
    level = check.open_unit(alpha, "alpha")
    side = check.choice(alternative, "alternative", ALTERNATIVES)
    return normal_power(check.size(n), gap, spread, spread, level, side)


def solve_sample_size_with_anchor(
    theta: float,
    anchor_theta: float,
    prevalence: float,
    attentive: float,
    power: float = 0.8,
    null: float = 0.0,
    known: float = 0.0,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> int:
    """Smallest number of respondents with whom the bias-corrected estimate rejects a prevalence.

    Parameters
    ----------
    theta, anchor_theta, prevalence, attentive, null, known, alpha, alternative
        As in :func:`power_with_anchor`.
    power : float, default 0.8

    Returns
    -------
    int
        One respondent fewer misses the power.

    Raises
    ------
    ArgumentError
        Also for a prevalence that the test does not look for ("no_effect").

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148 (by simulation; the closed
       form is ours).

    Examples
    --------
    All attentive, and a fifth not:

    >>> solve_sample_size_with_anchor(0.1, 0.1, 0.1, 1.0)
    292
    >>> solve_sample_size_with_anchor(0.1, 0.1, 0.1, 0.8)
    558
    """
    gap, spread = _plan((theta, anchor_theta, known), prevalence, attentive, null)
    target, level = check.open_unit(power, "power"), check.open_unit(alpha, "alpha")
    side = check.choice(alternative, "alternative", ALTERNATIVES)
    check_gap(gap, side, prevalence)
    if spread == 0 or target <= level:
        return 1
    tail = level / 2 if side == "two-sided" else level
    quantiles = float(normal_isf(tail) - normal_isf(target))
    start = people(max(quantiles, 0.0) ** 2 * (spread / gap) ** 2, "power", power)
    return settle_sample_size(
        lambda n: normal_power(n, gap, spread, spread, level, side), start, target
    )


def sample_size_with_anchor(
    theta: float,
    anchor_theta: float,
    prevalence: float,
    attentive: float,
    margin: float,
    known: float = 0.0,
    level: float = 0.95,
) -> int:
    """Smallest number of respondents for a margin of error of the bias-corrected estimate.

    Parameters
    ----------
    theta, anchor_theta, prevalence, attentive, known
        As in :func:`power_with_anchor`.
    margin : float
        Wanted half width of the interval, above 0.
    level : float, default 0.95

    Returns
    -------
    int

    Raises
    ------
    ArgumentError

    Notes
    -----
    With the standard error of the delta method, that of the attentive rate counted in.
    docs/methods/planning.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148 (by simulation; the closed
       form is ours).

    Examples
    --------
    >>> sample_size_with_anchor(0.15, 0.15, 0.1, 0.8, 0.04)
    2179
    """
    _, spread = _plan((theta, anchor_theta, known), prevalence, attentive, prevalence)
    wanted = check.positive(margin, "margin", "be a number above 0")
    ratio = margin_factor(level) * spread / (attentive * wanted)
    return people(ceil(ratio**2) if ratio < 1e150 else float("inf"), "margin", margin)


def _plan(
    devices: tuple[float, float, float], prevalence: float, attentive: float, null: float
) -> tuple[float, float]:
    """Return attentive rate times the gap, and its estimate's deviation from one respondent."""
    gaps = np.array(anchored_gaps(*devices))
    share = check.probability(prevalence, "prevalence")
    rate = check.real(attentive, "attentive", "be a share above 0 and at most 1")
    if not 0 < rate <= 1:
        rule = "be a share above 0 and at most 1"
        raise ArgumentError("attentive", attentive, rule, "out_of_range")
    against = check.probability(null, "null")
    weights = np.array([1.0, 0.5 - against]) / gaps
    same = np.array([0.5 + (share - 0.5) * gaps[0], 0.5 + gaps[1]])
    return rate * (share - against), _deviation(weights, same, rate)


def _deviation(weights: FloatArray, same: FloatArray, rate: float) -> float:
    """Return the deviation of a weighted sum of both reports ("the same" is 1)."""
    shares = 0.5 + rate * (same - 0.5)
    both = rate * same[0] * same[1] + (1 - rate) / 4
    covariance = np.diag(shares * (1 - shares))
    covariance[0, 1] = covariance[1, 0] = both - shares[0] * shares[1]
    return sqrt(max(float(weights @ covariance @ weights), 0.0))
