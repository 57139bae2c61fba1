"""A statistic of a crowd with its uncertainty."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.crowd.statistics import Evidence, Statistic
from rr_engine.estimation.notes import Note, Noted, NoteTexts

CROWD_NOTES = NoteTexts(
    independent_by_assumption="Some of the attributes were not asked together: that these are "
    "independent of each other is assumed, and nothing of their relation was measured.",
    margins_not_met="Tables of clusters that share attributes contradict each other: the "
    "fitted joint table misses some of their margins.",
    outside_bounds="A value or the end of an interval lies outside what is possible; chance "
    "can do that.",
    small_group="The share of those whom the statistic is about is hardly above zero: "
    "nearly nothing can be said of them.",
    undefined="Nobody is estimated to meet the condition, or nothing varies: there is no value.",
)


@dataclass(frozen=True, slots=True, eq=False)
class ComputedStatistic(Noted):
    """A statistic of a pooled distribution.

    Attributes
    ----------
    statistic : Statistic
        What was asked.
    evidence : Evidence
        What it is computed from, and the same of surveys of a crowd that has the fitted
        distribution.
    n : int
        Fewest people who reported on one of the clusters concerned.
    seed : int
        Of the simulated surveys.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine.channels import joint_design
    >>> from rr_engine.crowd import ClusterReports, CrowdAttribute, pooled_distribution
    >>> asked = [CrowdAttribute("smokes", 2, (0, 1)), CrowdAttribute("drinks", 3, (0, 1, 2))]
    >>> counts = [[400, 100, 100, 100, 100, 200]]
    >>> crowd = pooled_distribution(
    ...     asked, [ClusterReports(["smokes", "drinks"], [joint_design([2, 3], 0.8)], counts)]
    ... )
    >>> share = crowd.share({"drinks": [2]})
    >>> share.values.round(3).tolist(), share.standard_errors.round(3).tolist()
    ([0.29], [0.019])
    """

    statistic: Statistic
    evidence: Evidence
    n: int
    seed: int
    notes: tuple[Note, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """A word for each value."""
        return self.statistic.labels

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest value that there can be."""
        return self.statistic.bounds

    @property
    def values(self) -> FloatArray:
        """The values from the unbiased tables of the clusters; NaN where undefined."""
        return self.statistic.values(self.evidence.unbiased[None])[0]

    @property
    def fitted(self) -> FloatArray:
        """The values of the fitted distribution, which synthetic data are drawn from."""
        return self.statistic.values(self.evidence.fitted[None])[0]

    @property
    def replicates(self) -> FloatArray:
        """The values of the simulated surveys, shape (repetitions, values)."""
        return self.statistic.values(self.evidence.simulated)

    @property
    def repetitions(self) -> int:
        """How many surveys were simulated; 0 where the errors have a closed form."""
        return len(self.evidence.simulated)

    @property
    def standard_errors(self) -> FloatArray:
        """By the delta method, or the standard deviation of the simulated values.

        Infinite where some are undefined.
        """
        known = self.statistic.standard_errors(self.evidence)
        if known is not None:
            return np.where(np.isfinite(known), known, np.inf)
        simulated = self.replicates
        known = np.isfinite(simulated)
        spread = np.where(known, simulated, 0.0).std(axis=0, ddof=1)
        return np.where(known.all(axis=0) & np.isfinite(self.values), spread, np.inf)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return a confidence interval of every value by itself.

        Parameters
        ----------
        level : float, default 0.95

        Returns
        -------
        ndarray of float, shape (values, 2)
            Not cut to what is possible. Where there is no value, the bounds.

        Raises
        ------
        ArgumentError
            For a level outside (0, 1).

        Notes
        -----
        docs/methods/pooled.md: how often it covers, and why percentiles of the fitted values do
        not.

        References
        ----------
        .. [1] B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall
           1993, chapters 6 and 13.
        .. [2] E. C. Fieller, "Some Problems in Interval Estimation", Journal of the Royal
           Statistical Society B 16, 1954 (shares and means within a group).
        .. [3] R. S. Woodruff, "Confidence Intervals for Medians and Other Position Measures",
           Journal of the American Statistical Association 47, 1952 (quantiles).
        """
        tail = (1 - check.open_unit(level, "level")) / 2
        defined = np.isfinite(self.values)[:, None]
        return np.where(defined, self.statistic.interval(self.evidence, tail), self.bounds)
