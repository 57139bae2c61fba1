"""The difference of two independent groups, whatever devices they were asked with."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays
from rr_engine.display.description import Description, Table, known
from rr_engine.display.figures import Drawn, Intervals
from rr_engine.display.reading import told
from rr_engine.distributions import normal_cdf, normal_sf
from rr_engine.errors import ArgumentError
from rr_engine.estimation.common import null_error
from rr_engine.estimation.result import BOOTSTRAP_SEED, Estimate, check_estimate
from rr_engine.estimation.score import centres, variance_curves

ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTest(FrozenArrays):
    """Tests that two groups do not differ, one for each category.

    Attributes
    ----------
    statistics : ndarray of float, shape (truths,)
        Difference divided by the standard error that it has if there is none; 0 where that
        error is zero or a group has no reports.
    p_values : ndarray of float, shape (truths,)
        By the normal distribution; each for its category by itself.

    Examples
    --------
    >>> from rr_engine import estimate, estimate_difference, k_rr
    >>> from rr_engine.designs import direct
    >>> randomized, asked = estimate(k_rr(2, 1), [330, 170]), estimate(direct(2), [465, 35])
    >>> found = estimate_difference(randomized, asked)
    >>> test = found.score_test()
    >>> test.statistics[1].round(2).tolist(), test.p_values[1].round(3).tolist()
    (1.82, 0.069)
    """

    statistics: FloatArray
    p_values: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Difference(Drawn):
    """The first group's proportions less the second's.

    Attributes
    ----------
    first, second : Estimate
        Of different people.

    Examples
    --------
    >>> from rr_engine import estimate, estimate_difference, k_rr
    >>> from rr_engine.designs import direct
    >>> randomized, asked = estimate(k_rr(2, 1), [330, 170]), estimate(direct(2), [465, 35])
    >>> found = estimate_difference(randomized, asked)
    >>> found.values[1].round(3).tolist(), found.standard_errors[1].round(3).tolist()
    (0.084, 0.047)
    """

    first: Estimate
    second: Estimate

    def _described(self) -> Description:
        return told(self, {"first_n": self.first.n, "second_n": self.second.n}, self._table())

    def _table(self) -> Table:
        labels = getattr(self.first.design, "truth_labels", ()) or range(len(self.values))
        found = self.values, self.standard_errors
        return known("category", labels, "difference", found, self.interval())

    def _figure(self) -> Intervals:
        axis = "First group less the second, with its interval of 95 %"
        return Intervals.of(self._table(), axis, "Difference of two groups", 0.0)

    @property
    def values(self) -> FloatArray:
        """Differences by category, shape (truths,); unbiased where both estimates are."""
        return self.first.proportions - self.second.proportions

    @property
    def standard_errors(self) -> FloatArray:
        """Standard error of each difference, shape (truths,); each group's own, squared, summed."""
        return np.hypot(self.first.standard_errors, self.second.standard_errors)

    def interval(
        self, level: float = 0.95, method: str = "default", *, seed: int = BOOTSTRAP_SEED
    ) -> FloatArray:
        """Return an interval for each difference, from the ends of both groups' intervals.

        Parameters
        ----------
        level : float, default 0.95
            Coverage aimed at, for each category by itself.
        method : str, default "default"
            Of the groups' intervals, as in :meth:`Estimate.interval`.
        seed : int, default 2017
            For "bootstrap".

        Returns
        -------
        ndarray of float, shape (truths, 2)
            Not cut to the range -1 to 1; that range where a group has no reports.

        Raises
        ------
        ArgumentError

        Notes
        -----
        MOVER [1]_: the distances of a group's ends stand in for its normal error, each on its own
        side. From the score intervals of two direct groups it is Newcombe's method 10 [2]_.

        References
        ----------
        .. [1] G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a
           general approach", Statistics in Medicine 27 (2008), 1693-1702.
        .. [2] R. G. Newcombe, "Interval estimation for the difference between independent
           proportions: comparison of eleven methods", Statistics in Medicine 17 (1998), 873-890.
        """
        groups = (self.first, self.second)
        ends = [group.interval(level, method, seed=seed) for group in groups]
        if 0 in (self.first.n, self.second.n):
            return np.tile([-1.0, 1.0], (len(self.values), 1))
        return mover(self.first.proportions, self.second.proportions, *ends)

    def score_test(self, alternative: str = "two-sided") -> ScoreTest:
        """Test, for each category, that the groups have the same share of it.

        Parameters
        ----------
        alternative : {"two-sided", "greater", "less"}
            What is looked for in the first group's share less the second's.

        Returns
        -------
        ScoreTest

        Raises
        ------
        ArgumentError

        Notes
        -----
        The variance is the one under the null hypothesis, at the likeliest share in common. For two
        direct groups the squared statistic is Pearson's chi-square of the two by two table. A
        maximum-likelihood estimate is tested by its unconstrained values. In a device where a
        proportion shows through several reports the others keep their ratios to each other.

        References
        ----------
        .. [1] C. P. Farrington and G. Manning, "Test statistics and sample size formulae for
           comparative binomial trials", Statistics in Medicine 9 (1990), 1447-1454.
        """
        side = check.choice(alternative, "alternative", ALTERNATIVES)
        statistics = np.zeros(len(self.values))
        if self.first.n and self.second.n:
            statistics = _statistics(self.first, self.second)
        return ScoreTest(statistics, TAILS[side](statistics))


TAILS = {
    "two-sided": lambda statistic: np.minimum(2 * normal_sf(np.abs(statistic)), 1.0),
    "greater": normal_sf,
    "less": normal_cdf,
}


def estimate_difference(first: Estimate, second: Estimate) -> Difference:
    """Compare the proportions of two independent groups.

    Parameters
    ----------
    first, second : Estimate
        Estimates of one question from different people, of :func:`rr_engine.estimate` or
        :func:`rr_engine.estimate_strata`; their devices may differ, their categories are the same.

    Returns
    -------
    Difference
        With values, standard errors, intervals and the test that there is no difference.

    Raises
    ------
    ArgumentError
        For estimates with different numbers of categories.

    Notes
    -----
    docs/methods/intervals.md, "Two groups".

    References
    ----------
    .. [1] R. G. Newcombe, "Interval estimation for the difference between independent proportions:
       comparison of eleven methods", Statistics in Medicine 17 (1998), 873-890.

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> from rr_engine.designs import direct
    >>> asked, randomized = estimate(direct(2), [465, 35]), estimate(k_rr(2, 1), [330, 170])
    >>> found = estimate_difference(randomized, asked)
    >>> found.values.round(3).tolist(), found.interval()[1].round(3).tolist()
    ([-0.084, 0.084], [-0.007, 0.178])
    >>> found.score_test().p_values.round(3).tolist()
    [0.069, 0.069]
    """
    groups = (check_estimate(first, "first"), check_estimate(second, "second"))
    if len(first.proportions) != len(second.proportions):
        rule = "have as many categories as the first"
        raise ArgumentError("second", second, rule, "categories_differ")
    return Difference(*groups)


def mover(
    first: FloatArray, second: FloatArray, first_ends: FloatArray, second_ends: FloatArray
) -> FloatArray:
    """Return the ends of differences of independent numbers, from the ends of each on a last axis.

    MOVER, the method of variance estimates recovery [1]_: with ``l, u`` the ends of an interval,
    ``d - hypot(first - l1, u2 - second)`` and ``d + hypot(u1 - first, second - l2)``.

    Parameters
    ----------
    first, second : ndarray of float
        Values; they and the ends broadcast.
    first_ends, second_ends : ndarray of float, shape (..., 2)

    Returns
    -------
    ndarray of float, shape (..., 2)

    References
    ----------
    .. [1] G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a
       general approach", Statistics in Medicine 27 (2008), 1693-1702.
    """
    low1, high1, low2, high2 = (
        ends[..., side] for ends in (first_ends, second_ends) for side in (0, 1)
    )
    # Where an end lies beyond its value, on the wrong side, there is no distance to add.
    below = np.hypot(np.maximum(first - low1, 0), np.maximum(high2 - second, 0))
    above = np.hypot(np.maximum(high1 - first, 0), np.maximum(second - low2, 0))
    difference = first - second
    return np.stack([difference - below, difference + above], axis=-1)


def _statistics(first: Estimate, second: Estimate) -> FloatArray:
    groups = (first, second)
    values = [centres(group) for group in groups]
    curves = [variance_curves(group, group.population) for group in groups]
    errors = null_error(values, curves, [group.n for group in groups])
    gap = values[0] - values[1]
    return np.divide(gap, errors, out=np.zeros_like(gap), where=errors > 0)
