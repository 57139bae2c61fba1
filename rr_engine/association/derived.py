"""Derived: one number computed from estimated proportions, with its standard error."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.distributions import chi2_ppf, normal_isf
from rr_engine.estimation.notes import Note, Noted
from rr_engine.roots import halve

# The series of the noncentral chi-square is slow beyond; Sankaran's power is then exact enough.
LARGE = 5e3
# Beyond this value the distribution is normal.
HUGE = 1e12
# Halvings of a range after which a double has no further digits.
HALVINGS = 50
# Least noise, in standard deviations: a chi-square variable always has some.
LEAST = 1e-3

# Standard deviations by which an estimate beyond the limit may be further evidence.
FURTHEST = 2.0

Moments = tuple[float, float]
Noise = Callable[[float], Moments]


@dataclass(frozen=True, slots=True)
class Distance:
    """An estimated distance, and the bias and error that noise causes.

    Attributes
    ----------
    observed : float
        Of the estimated table.
    noise : callable
        Of a true distance: what noise adds to it on average, and the variance with it.
    limit : float
        The largest distance that there is.
    measure : callable
        Of a true distance: the measure that is asked for.
    """

    observed: float
    noise: Noise
    limit: float
    measure: Callable[[float], float]

    def centre(self) -> float:
        """Return the true distance whose estimate is on average the observed one."""
        return self._rising(lambda true: true + self.noise(true)[0] - self.observed)

    def beyond(self) -> bool:
        """Whether the observed distance less its noise exceeds the largest possible one."""
        return self.observed - self.noise(self.limit)[0] > self.limit

    def p_value(self) -> float:
        """Return the chance of an estimate as large where the true distance is zero.

        The interval at a level that it is below leaves zero out.
        """
        return 1 - self._below(0.0, self.observed, self._added(0.0))

    def interval(self, alpha: float) -> tuple[float, float]:
        """Return the least and the greatest true distance that is not rejected at `alpha`.

        Of a true distance of zero only large estimates are surprising, so that all of alpha is
        theirs, and at the limit only small ones; the further from both, the more evenly it is
        split. So no interval is empty. An estimate below `_least` counts as that one, and one
        beyond `_most` as that one. Where even these are not rejected, none on their side ever is,
        and the other side has all of alpha, or the interval would cover too much.
        """
        least = self._least(alpha)

        # The true distances from which the least and up to which the largest estimate is rejected.
        low, high = 0.0, np.inf

        def chances(true: float, observed: float) -> Moments:
            """Return the chance of less than the observed estimate, and the share of alpha."""
            added = self._added(true)
            share = 0.0 if true < low else 1.0 if true > high else self._share(true, added)
            return self._below(true, min(observed, self._most(added)), added), share

        def too_small(true: float, observed: float) -> float:
            below, share = chances(true, observed)
            return alpha * share - below

        def too_large(true: float, observed: float) -> float:
            below, share = chances(true, observed)
            return (1 - below) - alpha * (1 - share)

        low, high = (
            self._rising(lambda true: too_small(true, least)),
            self._rising(lambda true: too_large(true, np.inf)),
        )
        return (
            self._rising(lambda true: too_large(true, self.observed)),
            self._rising(lambda true: too_small(true, max(self.observed, least))),
        )

    def _least(self, alpha: float) -> float:
        """Return the largest estimate that a true distance of zero exceeds with more than `alpha`.

        Less says nothing more of how large the true distance may be: it is luck.
        """
        added, variance = self.noise(0.0)
        if added <= 0 or variance <= 0:
            return 0.0
        scale = variance / (2 * added)
        return scale * float(chi2_ppf(alpha, added / scale))

    def _most(self, noise: Moments) -> float:
        """Return the largest estimate that is distinguished from larger ones with this noise."""
        added, error = noise
        return self.limit + added + FURTHEST * error

    def _added(self, true: float) -> Moments:
        """Return the mean that noise adds, and the standard deviation of the estimate."""
        added, variance = self.noise(true)
        error = max(variance, 0.0) ** 0.5
        return max(added, LEAST * error), error

    def _share(self, true: float, noise: Moments) -> float:
        """Return the part of alpha for estimates that are too small."""
        added, error = noise
        if error == 0:
            return 0.5
        return true / (added + 2 * true) + error / (error + (self.limit - true)) / 2

    def _below(self, true: float, observed: float, noise: Moments) -> float:
        """Return the probability of an estimate below the observed one."""
        added, error = noise
        if error == 0:
            return float(observed > true)
        scale = error**2 / (2 * added + 4 * true)
        return noncentral_cdf(observed / scale, added / scale, true / scale)

    def _rising(self, function: Callable[[float], float]) -> float:
        """Return the zero of a rising function within the range, or the end nearest to it."""
        low, high = 0.0, self.limit
        if function(low) >= 0:
            return low
        if function(high) <= 0:
            return high
        ends = halve(lambda place: not function(place) >= 0, low, high, HALVINGS)
        return float(np.mean(ends))


def noncentral_cdf(value: float, freedom: float, moved: float) -> float:
    """Return the chance that a noncentral chi-square variable is below a value."""
    if value <= 0:
        return 0.0
    if freedom + moved < LARGE:
        return float(special.chndtr(value, freedom, moved))
    mean, variance = freedom + moved, freedom + 2 * moved
    if mean > HUGE:
        return float(special.ndtr((value / mean - 1) * np.sqrt(mean / variance * mean / 2)))
    # Sankaran (1963): a power of the variable is nearly normal.
    power = 1 - 2 * mean * (mean + 2 * moved) / (3 * variance**2)
    p = variance / mean**2
    m = (power - 1) * (1 - 3 * power)
    centre = 1 + power * p * (power - 1 - (2 - power) * m * p / 2)
    width = power * np.sqrt(2 * p) * (1 + m * p / 2)
    return float(special.ndtr(((value / mean) ** power - centre) / width))


# Steps at which the line is tabulated: 0 is no association, 1 the estimate, and far beyond.
STEPS = np.concatenate([np.linspace(0, 2, 81), np.geomspace(2.1, 50, 40)])
# A rate of change is a difference over this share of the distance to either side.
NEAR = 0.02
# Distances closer than this are equal.
SAME = 1e-12

Measure = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line of possible tables, with their distances and the measure of each.

    Attributes
    ----------
    start, direction : ndarray of float, shape (cells,)
        The table that says nothing, and from it to the estimate.
    steps, distances, values : ndarray of float
        Steps along the direction, the rising distances, and the values of the tables there. Both
        end with those of the limit, which no step need reach.
    """

    start: FloatArray
    direction: FloatArray
    steps: FloatArray
    distances: FloatArray
    values: FloatArray

    @property
    def limit(self) -> float:
        return float(self.distances[-1])

    def value(self, distance: float) -> float:
        """Return the measure of the table at a distance."""
        return float(np.interp(distance, self.distances, self.values))

    def rate(self, distance: float) -> float:
        """Return how fast the measure changes with the distance."""
        low, high = distance * (1 - NEAR), min(distance * (1 + NEAR), self.limit)
        return (self.value(high) - self.value(low)) / (high - low)

    def table(self, distance: float) -> tuple[FloatArray, bool]:
        """Return the table at a distance, and whether it is possible without projection."""
        straight = (
            self.start + np.interp(distance, self.distances[:-1], self.steps) * self.direction
        )
        return project_rows(straight[None])[0], bool(straight.min() > 0)


def line_through(
    start: FloatArray, direction: FloatArray, distance: Measure, measure: Measure, last: tuple
) -> Line:
    """Return the line; `last` is the largest distance and the measure of it."""
    tables = project_rows(start + STEPS[:, None] * direction)
    distances = np.maximum.accumulate(distance(tables))
    distinct = np.flatnonzero(np.diff(distances, prepend=-1.0) > SAME)
    distinct = distinct[distances[distinct] < last[0]]
    return Line(
        start,
        direction,
        STEPS[distinct],
        np.append(distances[distinct], last[0]),
        np.append(measure(tables[distinct]), last[1]),
    )


def project_rows(rows: FloatArray) -> FloatArray:
    """Return the projection of each row onto the simplex, as `project_to_simplex` does."""
    descending = -np.sort(-rows, axis=1)
    excess = (np.cumsum(descending, axis=1) - 1) / np.arange(1, rows.shape[1] + 1)
    last = (descending > excess).sum(axis=1) - 1
    return np.maximum(rows - np.take_along_axis(excess, last[:, None], axis=1), 0.0)


LOG_LIMIT = 600.0


@dataclass(frozen=True, slots=True)
class Derived(Noted):
    """A measure and its error by the delta method.

    Attributes
    ----------
    value : float
    standard_error : float
        Infinite where the reports cannot tell.
    notes : tuple of Note
        What a reader has to be told, under stable codes.
    scale : str
        On which scale the interval is symmetric: that of the "value", of its logarithm "log"
        (ratios), or of a "distance" from what says nothing, which is near zero not normal at all
        (entropy, mutual information, chi-square, Cramer's V).
    bounds : tuple of float
        Smallest and largest value that the measure can have at all.
    distance : Distance or None
        Where a distance is the scale, and the reports tell something of it.

    Examples
    --------
    >>> from rr_engine import estimate, warner
    >>> from rr_engine.association import entropy
    >>> found = entropy(estimate(warner(0.75), [560, 440]))
    >>> round(found.value, 3), found.interval().round(3).tolist(), found.notes
    (0.961, [0.904, 0.99], ())
    """

    value: float
    standard_error: float
    notes: tuple[Note, ...] = ()
    scale: str = "value"
    bounds: tuple[float, float] = (-math.inf, math.inf)
    distance: Distance | None = None

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return lower and upper end of the confidence interval.

        Parameters
        ----------
        level : float, default 0.95

        Returns
        -------
        ndarray of float, shape (2,)
            On the scale of a distance within the bounds; else that of the normal distribution and
            not cut to them. Where the reports cannot tell, the bounds.

        Raises
        ------
        ArgumentError
            For a level outside (0, 1).

        References
        ----------
        .. [1] G. W. Oehlert, "A Note on the Delta Method", The American Statistician 46 (1992),
           27-29.

        Examples
        --------
        >>> Derived(2.0, 0.5).interval(0.95).round(2).tolist()
        [1.02, 2.98]
        """
        alpha = 1 - check.open_unit(level, "level")
        if self.scale == "distance":
            return _distance_interval(self, alpha)
        return SCALES[self.scale](self, float(normal_isf(alpha / 2)))


def _plain(measure: Derived, factor: float) -> FloatArray:
    if not math.isfinite(measure.standard_error):
        return np.array(measure.bounds)
    half = factor * measure.standard_error
    return np.array([measure.value - half, measure.value + half])


def _log(measure: Derived, factor: float) -> FloatArray:
    if not math.isfinite(measure.standard_error):
        return np.array(measure.bounds)
    stretch = factor * measure.standard_error / measure.value
    # A factor beyond the range of a double counts as infinite.
    growth = math.exp(stretch) if stretch < LOG_LIMIT else math.inf
    return np.array([measure.value / growth, measure.value * growth])


def _distance_interval(measure: Derived, alpha: float) -> FloatArray:
    if measure.distance is None:
        return np.array(measure.bounds)
    return np.sort([measure.distance.measure(end) for end in measure.distance.interval(alpha)])


SCALES = {"value": _plain, "log": _log}
