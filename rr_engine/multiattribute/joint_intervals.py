"""Confidence intervals for the cells of a joint estimate."""

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.distributions import normal_isf
from rr_engine.estimation.common import Curve, variance_at
from rr_engine.estimation.estimate import estimate
from rr_engine.estimation.moment_guard import guard_scores
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.score import variance_curves
from rr_engine.estimation.stratified import estimate_strata
from rr_engine.multiattribute.axes import axes_of
from rr_engine.multiattribute.joint_table import JointStratum, JointTable, combine_designs

METHODS = ("normal", "chebyshev", "wilson", "guarded", "default")


def cell_interval(joint: JointTable, level: float, method: str) -> FloatArray:
    """Return lower and upper ends on a last axis; see :meth:`JointEstimate.interval`."""
    alpha = 1 - check.open_unit(level, "level")
    if joint.pooled is not None:
        return joint.pooled.interval(level, method).reshape(*joint.shape, 2)
    one_device = len(joint.strata) == len(joint.strata[0].designs) == 1
    if one_device and method not in METHODS[:2]:
        return _one_device(joint).interval(level, method).reshape(*joint.shape, 2)
    name = check.choice(method, "method", METHODS)
    if joint.n == 0:
        return np.broadcast_to([0.0, 1.0], (*joint.shape, 2)).copy()
    if name in METHODS[2:]:
        return _score_ends(joint, alpha, guarded=name != "wilson")
    factor = alpha**-0.5 if name == "chebyshev" else normal_isf(alpha / 2)
    return _around(joint, float(factor))


def _one_device(joint: JointTable) -> Estimate:
    (stratum,) = joint.strata
    return estimate(stratum.designs[0], stratum.counts, joint.method, joint.population)


def _around(joint: JointTable, factor: float) -> FloatArray:
    half = factor * joint.standard_errors
    ends = np.stack([joint.proportions - half, joint.proportions + half], axis=-1)
    ends[np.isinf(half)] = [0.0, 1.0]
    return ends


def _score_ends(joint: JointTable, alpha: float, *, guarded: bool) -> FloatArray:
    """Invert the score test of every cell, as the intervals of one attribute do.

    The variance of a cell at a proportion x is ``(c0 + c1 x + c2 x**2) / n``, so that
    ``(estimate - x)**2 <= z**2 variance(x)`` is a quadratic in x. Where the estimate lies so far
    outside 0 to 1 that no proportion passes, go out from it by the error at the nearer end.
    """
    one_stratum = len(joint.strata) == 1
    centre, curve = _one_stratum_curve(joint) if one_stratum else _strata_curve(joint)
    c0, c1, c2 = curve
    z2 = float(normal_isf(alpha / 2)) ** 2 / joint.n
    edge = np.clip(centre, 0, 1)
    reach = np.sqrt(z2 * np.maximum(c0 + c1 * edge + c2 * edge**2, 0))
    square, linear, constant = 1 - z2 * c2, 2 * centre + z2 * c1, centre**2 - z2 * c0
    root = np.sqrt(np.maximum(linear**2 - 4 * square * constant, 0))
    ends = np.stack([linear - root, linear + root], axis=-1) / (2 * square)[..., None]
    outward = np.stack([centre - reach, centre + reach], axis=-1)
    far = np.abs(centre - edge) > reach
    ends = np.where(far[..., None], outward, ends)
    return guard_scores(centre, curve, joint.n, ends, alpha) if guarded else ends


def _strata_curve(joint: JointTable) -> tuple[FloatArray, Curve]:
    """Return the cells of a margin of pooled strata, and n times their variance at a proportion.

    The curve is that of the strata pooled for these attributes alone, raised to the variance that
    sums of cells of the whole table have.
    """
    pooled = estimate_strata(
        [combine_designs(stratum.designs) for stratum in joint.strata],
        [stratum.counts.ravel() for stratum in joint.strata],
        population=joint.population,
    )
    curve = variance_curves(pooled, joint.population)
    here = variance_at(curve, pooled.projected())
    variances = joint.n * joint.standard_errors.ravel() ** 2
    ratio = np.divide(
        variances, here, out=np.ones_like(here), where=(here > 0) & (variances > here)
    )
    constant, slope, square = ((part * ratio).reshape(joint.shape) for part in curve)
    return joint.proportions, (constant, slope, square)


def _one_stratum_curve(joint: JointTable) -> tuple[FloatArray, Curve]:
    """Return the unbiased cells, and n times their variance at a proportion."""
    (stratum,) = joint.strata
    centre = axes_of(stratum.designs).solve(stratum.counts / joint.n)
    return centre, _variance_curve(joint, stratum)


def _variance_curve(joint: JointTable, stratum: JointStratum) -> Curve:
    """Return c0, c1, c2 for every cell; the other cells keep their ratios to each other.

    Per truth the mean square of a cell's score is a Kronecker product again.
    """
    axes = axes_of(stratum.designs)
    squares, own_squares = axes.scores().squares, axes.own_squares()
    shares = joint.projected()
    rest = 1 - shares
    others = squares(axes.apply(shares)) - own_squares * shares
    even = squares(axes.apply(np.ones(joint.shape))) - own_squares
    # If one cell has share one, the others have ratios 0 / 0 and are taken as equal.
    alone = rest <= 1e-12
    low = np.where(alone, even / (shares.size - 1), others / np.where(alone, 1, rest))
    if joint.population == "fixed":
        return low, own_squares - 1 - low, np.zeros(joint.shape)
    return low, own_squares - low, np.full(joint.shape, -1.0)
