"""Derived: one number computed from estimated proportions, with its standard error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from rr_engine.estimation.notes import Note
from rr_engine.validation import FloatArray, check_open_unit


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
    log_scale : bool
        Whether the interval is symmetric for the logarithm (ratios) or for the value itself.
    bounds : tuple of float
        Smallest and largest value that the measure can have at all.
    """

    value: float
    standard_error: float
    notes: tuple[Note, ...] = ()
    log_scale: bool = False
    bounds: tuple[float, float] = (-math.inf, math.inf)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return lower and upper end of the normal interval.

        Parameters
        ----------
        level : float, default 0.95

        Returns
        -------
        ndarray of float, shape (2,)
            Not cut to the bounds; with an infinite standard error it is the bounds.

        Raises
        ------
        ArgumentError
            For a level outside (0, 1).

        Examples
        --------
        >>> Derived(2.0, 0.5).interval(0.95).round(2).tolist()
        [1.02, 2.98]
        """
        factor = float(norm.isf((1 - check_open_unit(level, "level")) / 2))
        if not math.isfinite(self.standard_error):
            return np.array(self.bounds)
        if not self.log_scale:
            half = factor * self.standard_error
            return np.array([self.value - half, self.value + half])
        # A factor beyond the range of a double is as good as infinite.
        stretch = factor * self.standard_error / self.value
        grown = math.exp(stretch) if stretch < 700 else math.inf
        return np.array([self.value / grown, self.value * grown])

    def note(self, code: str) -> Note | None:
        """Return the note with this code, if there is one."""
        return next((note for note in self.notes if note.code == code), None)
