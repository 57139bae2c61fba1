"""MultilevelFit: a model of randomized answers with a random intercept of groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import scipy

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.distributions import chi2_sf, margin_factor
from rr_engine.library.multilevel.group_likelihood import GroupLikelihood, Rule
from rr_engine.regression.engine.fitted_model import FittedModel
from rr_engine.regression.engine.newton import Maximum, maxima_from, maximise
from rr_engine.regression.engine.separation import is_indefinite
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit

# Variance of the residual of a latent variable that crosses a threshold, by link.
LATENT_VARIANCES = {"logit": np.pi**2 / 3, "probit": 1.0, "cloglog": np.pi**2 / 6}
# A standard deviation of the groups' intercepts beyond any use, where a search for it ends.
LARGEST_DEVIATION = 64.0
# How far heights by nodes and by a dense sum may differ: an end at 90 % lies 1.35 below the top.
NEAR = 0.05
# Differences of two log-likelihoods below this are rounding.
ROUNDING = 1e-8


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedGroups:
    """The marginal likelihood at its maximum, in scaled columns.

    Attributes
    ----------
    likelihood : GroupLikelihood
    theta : ndarray of float, shape (p + 1,)
        The coefficients of the scaled columns, then the standard deviation of the intercepts.
    transform : ndarray of float, shape (p, p)
        ``coefficients = transform @ theta[:-1]``.
    information : ndarray of float, shape (p + 1, p + 1)
        Minus the second derivatives.
    endless : bool
        Whether the likelihood does not fall however large the parameters become.
    """

    kinds: ClassVar[tuple[str, ...]] = ("observed", "robust")

    likelihood: GroupLikelihood
    theta: FloatArray
    transform: FloatArray
    information: FloatArray
    endless: bool = False

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of coefficients and deviation; infinite for a deviation of 0."""
        size = len(self.theta) - (self.theta[-1] == 0)
        if self.endless or is_indefinite(self.information[:size, :size]):
            # No maximum: nothing can be said of any parameter.
            return np.diag(np.full(len(self.theta), np.inf))
        inverse = np.linalg.inv(self.information[:size, :size])
        if kind == "robust":
            scores = self.likelihood.scores(self.theta)[:, :size]
            groups = len(scores)
            inverse = inverse @ (scores.T @ scores * groups / (groups - 1)) @ inverse
        result = np.zeros((len(self.theta),) * 2)
        result[-1, -1] = np.inf
        result[:size, :size] = (inverse + inverse.T) / 2
        back = np.eye(len(self.theta))
        back[:-1, :-1] = self.transform
        # Infinity times zero has no value: only the coefficients are transformed.
        finite = back[:size, :size] @ result[:size, :size] @ back[:size, :size].T
        result[:size, :size] = finite
        return result

    def profile(self, deviation: float, start: FloatArray) -> tuple[float, FloatArray]:
        """Return the largest log-likelihood with this deviation, and its coefficients."""

        def objective(coefficients: FloatArray) -> tuple[float, FloatArray, FloatArray]:
            value, gradient, information = self.likelihood(np.append(coefficients, deviation))
            return value, gradient[:-1], information[:-1, :-1]

        best = maximise(objective, start)
        return best.value, best.theta


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MultilevelFit(FittedModel):
    """A fitted model with a random intercept; p columns, G groups.

    Attributes
    ----------
    params : ndarray of float, shape (p,)
        Coefficients within groups, the intercept's first: of a respondent whose group is the
        middle one.
    group_deviation : float
        Standard deviation of the groups' intercepts (sigma).
    covariance : ndarray of float, shape (p + 1, p + 1)
        Of the coefficients, then the deviation, whose entry is infinite where it is 0.
    standard_error_kind : str
        "observed": from the second derivatives of the marginal log-likelihood; "robust": from the
        spread of the groups' scores.
    log_likelihood : float
    without_groups : RegressionFit
        The same model without differences between groups.
    group_names : tuple of str
    group_sizes : ndarray of int, shape (G,)
        Respondents with a report.
    group_intercepts, group_errors : ndarray of float, shape (G,)
        Mean and standard deviation of each group's deviation from the intercept, given its reports
        and the estimated parameters (empirical Bayes).
    n : int
    names : tuple of str
    link : str
    nodes : int
    converged : bool
    iterations : int
    notes : tuple of Note
    fitted : FittedGroups

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import warner
    >>> from rr_engine.models import RRMultilevelLogit
    >>> schools, x = np.repeat(["A", "B", "C"], 80), np.tile(np.repeat([0, 1], 40), 3)
    >>> reports = np.repeat([0, 1] * 6, [36, 4, 28, 12, 30, 10, 18, 22, 22, 18, 10, 30])
    >>> fit = RRMultilevelLogit(warner(0.9)).fit(x, reports, schools)
    >>> fit.group_names, round(fit.group_deviation, 1), round(fit.intraclass_correlation, 1)
    (('A', 'B', 'C'), 1.1, 0.3)
    """

    group_deviation: float
    log_likelihood: float
    without_groups: RegressionFit
    group_names: tuple[str, ...]
    group_sizes: IntArray
    group_intercepts: FloatArray
    group_errors: FloatArray
    link: str
    nodes: int
    fitted: FittedGroups

    def _further(self) -> Sequence[tuple[str, tuple[str, ...], FloatArray]]:
        deviation = np.array([self.group_deviation])
        return (("How much groups differ", ("standard deviation",), deviation),)

    @property
    def alone(self) -> RegressionFit:
        """`without_groups`, with the formula that this model was fitted by."""
        return replace(self.without_groups, formula=self.formula)

    @property
    def group_deviation_error(self) -> float:
        """Standard error of the groups' standard deviation; infinite where that is 0."""
        return float(np.sqrt(self.covariance[-1, -1]))

    @property
    def intraclass_correlation(self) -> float:
        """Correlation of the latent variables of two respondents of a group, given covariates."""
        variance = self.group_deviation**2
        return float(variance / (variance + LATENT_VARIANCES[self.link]))

    @property
    def variance_statistic(self) -> float:
        """Likelihood-ratio statistic that the groups do not differ; 0 at the border."""
        without = self.without_groups.log_likelihood
        gained = 0.0 if without is None else 2 * (self.log_likelihood - without)
        return gained if gained > ROUNDING else 0.0

    @property
    def variance_p_value(self) -> float:
        """P-value of that test: 0 with chance one half, otherwise chi-square(1)."""
        statistic = self.variance_statistic
        return float(chi2_sf(statistic, 1) / 2) if statistic else 1.0

    def deviation_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the groups' standard deviation, by profile likelihood.

        The lower end is 0 where the likelihood-ratio test does not reject 0; the upper end is
        infinite where the reports set no limit, or one so far out that the nodes of the quadrature
        no longer tell where.

        References
        ----------
        .. [1] D. J. Venzon and S. H. Moolgavkar, "A Method for Computing Profile-Likelihood-Based
           Confidence Intervals", Applied Statistics 37, 1988.
        """
        reach = margin_factor(level)
        root = _ProfileRoot(self.fitted, self.log_likelihood)
        centre = self.group_deviation
        lower = 0.0 if root(0.0) >= -reach else _solve(root, -reach, 0.0, centre)
        if self.fitted.endless:
            return lower, float("inf")
        above = max(2 * centre, 0.5)
        while root(above) < reach:
            if above > LARGEST_DEVIATION:
                return lower, float("inf")
            above *= 2
        upper = _solve(root, reach, centre, above)
        return lower, upper if root.is_exact(upper) else float("inf")


class _ProfileRoot:
    """The signed root of the profile likelihood's fall: close to a straight line in sigma.

    What was found for a deviation stays: a second search for it, which begins elsewhere, could
    contradict the bracket of the first.
    """

    def __init__(self, fitted: FittedGroups, top: float) -> None:
        self.fitted, self.top = fitted, top
        self.coefficients = fitted.theta[:-1]
        self.found: dict[float, tuple[float, FloatArray]] = {}

    def __call__(self, deviation: float) -> float:
        value, self.coefficients = self._profile(deviation)
        fall = float(np.sqrt(max(2 * (self.top - value), 0.0)))
        return fall if deviation > self.fitted.theta[-1] else -fall

    def is_exact(self, deviation: float) -> bool:
        """Tell whether a dense sum in place of the nodes gives the same height."""
        value, coefficients = self._profile(deviation)
        dense = self.fitted.likelihood.dense_value(np.append(coefficients, deviation))
        return abs(dense - value) < NEAR

    def _profile(self, deviation: float) -> tuple[float, FloatArray]:
        if deviation not in self.found:
            self.found[deviation] = self.fitted.profile(deviation, self.coefficients)
        return self.found[deviation]


def _solve(root: _ProfileRoot, level: float, low: float, high: float) -> float:
    """Return where the root has this level; at one end the root is 0 or beyond the level."""
    return float(
        scipy.optimize.brentq(lambda deviation: root(deviation) - level, low, high, xtol=1e-6)
    )


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
    likelihood: GroupLikelihood, start: FloatArray, border: FloatArray, alone: RegressionFit
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
