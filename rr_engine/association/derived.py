"""Derived: one number computed from estimated proportions, with its standard error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rr_engine.distributions import normal_isf
from rr_engine.estimation.notes import Note
from rr_engine.validation import FloatArray, check_open_unit

LOG_LIMIT = 600.0


@dataclass(frozen=True, slots=True)
class Derived:
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
        (ratios), or of its "square" (Cramer's V, whose square is nearly normal at zero as well).
    bounds : tuple of float
        Smallest and largest value that the measure can have at all.
    square_variance : tuple of float
        Constant c and slope s, where the square is the scale: at a true square x the estimated
        square has the variance c + s x.
    """

    value: float
    standard_error: float
    notes: tuple[Note, ...] = ()
    scale: str = "value"
    bounds: tuple[float, float] = (-math.inf, math.inf)
    square_variance: tuple[float, float] = (math.inf, 0.0)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return lower and upper end of the normal interval.

        Parameters
        ----------
        level : float, default 0.95

        Returns
        -------
        ndarray of float, shape (2,)
            Not cut to the bounds, except on the scale of the square; with an infinite standard
            error it is the bounds.

        Raises
        ------
        ArgumentError
            For a level outside (0, 1).

        Examples
        --------
        >>> Derived(2.0, 0.5).interval(0.95).round(2).tolist()
        [1.02, 2.98]
        """
        factor = float(normal_isf((1 - check_open_unit(level, "level")) / 2))
        return SCALES[self.scale](self, factor)

    def note(self, code: str) -> Note | None:
        """Return the note with this code, if there is one."""
        return next((note for note in self.notes if note.code == code), None)


def _plain(measure: Derived, factor: float) -> FloatArray:
    if not math.isfinite(measure.standard_error):
        return np.array(measure.bounds)
    half = factor * measure.standard_error
    return np.array([measure.value - half, measure.value + half])


def _log(measure: Derived, factor: float) -> FloatArray:
    if not math.isfinite(measure.standard_error):
        return np.array(measure.bounds)
    stretch = factor * measure.standard_error / measure.value
    # A factor beyond the range of a double is as good as infinite.
    grown = math.exp(stretch) if stretch < LOG_LIMIT else math.inf
    return np.array([measure.value / grown, measure.value * grown])


def _square(measure: Derived, factor: float) -> FloatArray:
    """Solve ``(square - x)**2 <= z**2 (c + s x)`` for x."""
    constant, slope = measure.square_variance
    if not math.isfinite(constant):
        return np.array(measure.bounds)
    square, shift = measure.value**2, factor**2 * slope / 2
    root = math.sqrt(shift**2 + 2 * shift * square + factor**2 * constant)
    ends = np.maximum([square + shift - root, square + shift + root], 0)
    return np.minimum(np.sqrt(ends), measure.bounds[1])


SCALES = {"value": _plain, "log": _log, "square": _square}
