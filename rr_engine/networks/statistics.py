"""Numbers and ratios of a network, with standard errors and intervals."""

from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.display.shown import Shown
from rr_engine.distributions import margin_factor
from rr_engine.estimation.ratio import fieller


@dataclass(frozen=True, slots=True, eq=False)
class NetworkCount(Shown):
    """An unbiased count or share, or an array of them.

    Attributes
    ----------
    value : float or numpy.ndarray
        May lie outside the range of what can be: cutting it off would make it biased.
    variance : float or numpy.ndarray
        Unbiased estimate of the variance that the device's noise causes; may be negative by chance.
    lowest, highest : float or numpy.ndarray
        What can be, which intervals are cut to.
    slope : float or numpy.ndarray
        What the variance grows by with the true value, where it is known to do so evenly.
    least_variance : float or numpy.ndarray
        What the variance is expected to be if ties are as probable as the reports say. Standard
        errors and intervals take it where the unbiased estimate is below it by chance.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.networks import NetworkReports, estimate_network
    >>> reported = NetworkReports.from_matrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> ties = estimate_network(reported, k_rr(2, 3), directed=False).ties
    >>> round(ties.value, 2), round(ties.standard_error, 2), ties.lowest, ties.highest
    (3.16, 0.29, 0.0, 3.0)
    """

    value: float | FloatArray
    variance: float | FloatArray
    lowest: float | FloatArray
    highest: float | FloatArray
    slope: float | FloatArray = 0.0
    least_variance: float | FloatArray = 0.0

    @property
    def standard_error(self) -> float | FloatArray:
        """Root of the variance, or of `least_variance` where that is more."""
        return _plain(np.sqrt(np.maximum(self.variance, self.least_variance)))

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return the true values that differ by less than so many of their own standard errors.

        Parameters
        ----------
        level : float, default 0.95

        Returns
        -------
        numpy.ndarray of float, shape (..., 2)
            ``(x - value)**2 <= z**2 (variance + slope (x - value))``, cut to what can be.

        Raises
        ------
        ArgumentError

        Notes
        -----
        A device whose noise depends on the truth has another standard error at the ends than at the
        estimate.

        References
        ----------
        .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical
           inference", Journal of the American Statistical Association 22, 1927.
        """
        factor = margin_factor(level)
        bend = factor**2 * np.asarray(self.slope) / 2
        variance = np.maximum(self.variance, self.least_variance)
        reach = np.sqrt(bend**2 + factor**2 * variance)
        ends = np.stack([self.value + bend - reach, self.value + bend + reach], axis=-1)
        lowest, highest = (np.asarray(end)[..., None] for end in (self.lowest, self.highest))
        return np.clip(ends, lowest, highest)


@dataclass(frozen=True, slots=True, eq=False)
class NetworkRatio(Shown):
    """A ratio of two unbiased counts, from 0 to 1.

    Attributes
    ----------
    numerator, denominator : float
    variances : tuple of float
        Of the numerator, of both together (covariance), and of the denominator.

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> from rr_engine.networks import NetworkReports, estimate_network
    >>> ring = NetworkReports.from_matrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> clustering = estimate_network(ring, direct(2), directed=False).clustering
    >>> clustering.value, clustering.standard_error
    (1.0, 0.0)
    """

    numerator: float
    denominator: float
    variances: tuple[float, float, float]

    @property
    def value(self) -> float:
        """The ratio, cut to 0 to 1; nan where the denominator is not above 0."""
        if not self.denominator > 0:
            return float("nan")
        return min(max(self.numerator / self.denominator, 0.0), 1.0)

    @property
    def standard_error(self) -> float:
        """By linearizing the ratio; nan where the denominator is not above 0."""
        if not self.denominator > 0:
            return float("nan")
        ratio, (over, both, under) = self.numerator / self.denominator, self.variances
        variance = over - 2 * ratio * both + ratio**2 * under
        return float(np.sqrt(max(variance, 0.0))) / self.denominator

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return the ratios that the counts do not contradict.

        Parameters
        ----------
        level : float, default 0.95

        Returns
        -------
        numpy.ndarray of float, shape (2,)
            From 0 to 1 where the denominator may well be 0: nothing is known then.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] E. C. Fieller, "Some problems in interval estimation", Journal of the Royal
           Statistical Society B 16, 1954.
        """
        over, both, under = self.variances
        moments = (np.asarray(max(over, 0.0)), np.asarray(both), np.asarray(max(under, 0.0)))
        counts = np.asarray(self.numerator), np.asarray(self.denominator)
        return np.clip(fieller(*counts, moments, margin_factor(level), (0.0, 1.0)), 0.0, 1.0)


def scaled(count: NetworkCount, factor: float | FloatArray) -> NetworkCount:
    """Return the same in another unit; the factor is not negative."""
    moments = (count.value * factor, count.variance * factor**2)
    ends = (count.lowest * factor, count.highest * factor)
    return NetworkCount(*moments, *ends, count.slope * factor, count.least_variance * factor**2)


def _plain(value: ArrayLike) -> float | FloatArray:
    array = np.asarray(value, dtype=np.float64)
    return float(array) if array.ndim == 0 else array
