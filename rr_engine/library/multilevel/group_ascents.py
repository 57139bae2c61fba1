"""Ascents of the marginal likelihood of groups: from several deviations, and to the border."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rr_engine.library.multilevel.group_likelihood import GroupLikelihood, Rule
from rr_engine.library.multilevel.multilevel_fit import LARGEST_DEVIATION, ROUNDING
from rr_engine.regression.engine.newton import Maximum, maxima_from, maximise
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit
from rr_engine.validation import FloatArray

# By how much the next rule may change the log-likelihood.
QUADRATURE_ERROR, CHECKING_NODES = 1e-3, 151
# Standard deviations of the intercepts to start from.
DEVIATIONS = (0.1, 0.3, 0.7, 1.5, 3.0)
# Below this a standard deviation has gone to the border.
AT_ZERO = 1e-4
# By how much all parameters are multiplied to see whether the likelihood falls, and the fall of a
# sum over many points that may be none.
FARTHER, NO_FALL = 16.0, 0.01
# Steps of Newton's method after which that is looked at, and rows up to which it is.
FIRST_STEPS, TRIED_ROWS = 10, 20_000


@dataclass(frozen=True, slots=True, eq=False)
class GroupAscent:
    """The maximum that an ascent leads to, and the likelihood by the last rule that was tried.

    `endless`: there is none, the parameters go to infinity. `higher_at_infinity`: another ascent
    goes there, and higher.
    """

    maximum: Maximum
    likelihood: GroupLikelihood
    endless: bool = False
    higher_at_infinity: bool = False


def highest_group_ascent(
    rows: GroupLikelihood, coefficients: FloatArray, alone: RegressionFit, sizes: Sequence[int]
) -> GroupAscent:
    """Return the highest finite maximum that the starts lead to; one at infinity if none is."""
    first = replace(rows, rule=Rule.of(sizes[0]))
    starts = [np.append(coefficients, deviation) for deviation in DEVIATIONS]
    border = np.append(coefficients, 0.0)
    endless: list[GroupAscent] = []
    for start in sorted(starts, key=first.value, reverse=True):
        found = _ascent_from(first, start, border, alone, sizes)
        if not found.endless:
            break
        endless.append(found)
    else:
        return endless[0]
    # The best start need not lead to the highest maximum.
    for top in maxima_from(first, starts):
        if top.value > found.maximum.value + ROUNDING:
            other = _ascent_from(first, top.theta, border, alone, sizes)
            if not other.endless and other.maximum.value > found.maximum.value + ROUNDING:
                found = other
    top_value = found.maximum.value + ROUNDING
    return replace(
        found, higher_at_infinity=any(other.maximum.value > top_value for other in endless)
    )


def _ascent_from(
    likelihood: GroupLikelihood,
    start: FloatArray,
    border: FloatArray,
    alone: RegressionFit,
    sizes: Sequence[int],
) -> GroupAscent:
    """Return the maximum by the first rule that is exact enough, or by the last."""
    likelihood = replace(likelihood, rule=Rule.of(sizes[0]))
    best = _maximum_from(likelihood, start, border, alone)
    if _leads_away(likelihood, best):
        # Nodes miss the steps of such integrands: the rule's own value says nothing.
        value, without = likelihood.dense_value(best.theta), likelihood.value(border)
        if value > without + ROUNDING:
            return GroupAscent(replace(best, value=value), likelihood, endless=True)
        best = replace(best, theta=border, value=without, converged=alone.converged)
    if len(sizes) == 1 or quadrature_error(likelihood, best) <= QUADRATURE_ERROR:
        return GroupAscent(best, likelihood)
    return _ascent_from(likelihood, best.theta, border, alone, sizes[1:])


def _leads_away(likelihood: GroupLikelihood, best: Maximum) -> bool:
    """Return whether an ascent goes where the likelihood does not fall, however far.

    A maximum that the nodes find exactly is finite; of very many reports all are.
    """
    theta = best.theta
    if theta[-1] == 0 or len(likelihood.counts) > TRIED_ROWS:
        return False
    if best.converged and quadrature_error(likelihood, best) <= QUADRATURE_ERROR:
        return False
    farther = max(FARTHER, LARGEST_DEVIATION / float(np.abs(theta).max()))
    fall = likelihood.dense_value(theta) - likelihood.dense_value(farther * theta)
    return fall < NO_FALL


def _maximum_from(
    likelihood: GroupLikelihood,
    start: FloatArray,
    border: FloatArray,
    alone: RegressionFit,
) -> Maximum:
    """Return the maximum, at the border where no difference between groups gains anything."""
    best = maximise(likelihood, start, FIRST_STEPS)
    if not best.converged and not _leads_away(likelihood, best):
        further = maximise(likelihood, best.theta)
        best = replace(further, iterations=best.iterations + further.iterations)
    # The likelihood is the same for both signs of sigma.
    best = replace(best, theta=np.append(best.theta[:-1], abs(best.theta[-1])))
    without = likelihood.value(border)
    if best.theta[-1] < AT_ZERO or best.value <= without + ROUNDING:
        best = replace(best, theta=border, value=without, converged=alone.converged)
    return best


def quadrature_error(likelihood: GroupLikelihood, best: Maximum) -> float:
    """Return by how much twice as many nodes change the log-likelihood."""
    finer = Rule.of(min(2 * len(likelihood.rule.nodes) + 1, CHECKING_NODES))
    return abs(replace(likelihood, rule=finer).value(best.theta) - best.value)
