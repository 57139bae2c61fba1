"""Properties that the results of this package have in common."""

from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import FloatArray, FrozenArrays
from rr_engine.display.shown import Shown
from rr_engine.estimation.notes import Note, NoteTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareResult(Shown):
    """How well one share or one difference is known; subclasses name what was estimated.

    Attributes
    ----------
    standard_error : float
    interval : tuple of float
    level : float
        Confidence level of the interval.
    notes : tuple of Note
    """

    standard_error: float
    interval: tuple[float, float]
    level: float
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SharesResult(FrozenArrays):
    """Several shares estimated together, unbiased and inside their range.

    Attributes
    ----------
    values : ndarray of float, shape (shares,)
        Unbiased; may leave the range 0 to 1.
    covariance : ndarray of float, shape (shares, shares)
    maximum_likelihood : ndarray of float, shape (shares,)
        The maximum-likelihood estimates.
    intervals : ndarray of float, shape (shares, 2)
    level : float
    interval_method : str
    notes : tuple of Note
    """

    values: FloatArray
    covariance: FloatArray
    maximum_likelihood: FloatArray
    intervals: FloatArray
    level: float
    interval_method: str = "profile likelihood"
    notes: tuple[Note, ...] = ()

    @property
    def standard_errors(self) -> FloatArray:
        """Square roots of the covariance's diagonal; inf where the reports cannot tell."""
        # Rounding can make a zero variance slightly negative.
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))


COMPLIANCE_NOTES = NoteTexts(
    no_reports="A group has no reports yet: nothing can be said, intervals are the whole range.",
    one_report="A group with one report gives no standard error.",
    all_alike="A group's reports are all the same: judge by the interval, not by the standard "
    "error.",
    implausible="Neither honest respondents nor others explain these reports; chance does this "
    "in about 1 of 1,000 surveys.",
    outside_range="An unconstrained share lies below 0 or above 1; the interval and the test "
    "rest on the likelihood inside the range.",
    no_carriers="No carriers are estimated: whether they tell the truth cannot be said.",
    no_attention="Reports on the attention item look random: the prevalence cannot be told.",
    boundary="Some proportions are estimated as 0; the degrees of freedom count those in.",
    sparse="Expected counts are small: take the p-value from resamples.",
    saturated="The device can produce these shares exactly: nothing is left to test.",
)
