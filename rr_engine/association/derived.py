"""Derived: one number computed from estimated proportions, with its standard error."""

import math
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.association.distance import Distance
from rr_engine.distributions import normal_isf
from rr_engine.estimation.notes import Note, Noted

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
