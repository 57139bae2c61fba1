"""Estimates of each candidate, decoded from RAPPOR's reports."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, BoolArray, FloatArray
from rr_engine.distributions import normal_isf
from rr_engine.estimation.notes import Note, NoteTexts

STRING_NOTES = NoteTexts(
    no_reports="No reports yet: any share fits.",
    candidates_collide="Some candidates set the same bits in every cohort, or as many as are on "
    "the list do together: their shares cannot be told apart, and they have no standard error.",
    too_many_candidates="There are too many candidates for the bits of all cohorts: none of "
    "their shares can be told apart.",
    unlisted_strings="Some bits are set by more respondents than the candidates explain: a "
    "frequent string is not on the list. These bits were left out.",
    unexplained_variation="The counts vary more than the candidates explain, as with strings "
    "that are not on the list: standard errors are enlarged by the factor measured.",
)


@dataclass(frozen=True, slots=True, eq=False)
class StringEstimates:
    """Shares of the strings on a list, from RAPPOR's reports.

    Attributes
    ----------
    candidates : tuple of str
        As they were given; entry i of every array is of candidate i.
    n : int
        Number of reports.
    shares : ndarray of float
        Non-negative least squares: none below 0, and together at most 1.
    unbiased : ndarray of float
        Least squares without these bounds, which intervals and tests are made from; nan where the
        bits do not determine the share.
    standard_errors : ndarray of float
        Of the unbiased shares; nan where these are.
    null_errors, sampling : ndarray of float
        At a share pi the variance of the unbiased share is
        ``null_errors**2 + sampling pi (1 - pi)``.
    p_values : ndarray of float
        Of the hypothesis that the string does not occur, one-sided; 1 where nothing is known.
    found : ndarray of bool
        Whether the p-value lies below the cut-off of the false-discovery rate.
    explained_standard_error : float
        Of the sum of the unbiased shares; nan where some are unknown.
    dispersion : float
        Variance of the counts over what the candidates explain; 1 unless it is clearly above it.
    notes : tuple of Note

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 4.
    """

    candidates: tuple[str, ...]
    n: int
    shares: FloatArray
    unbiased: FloatArray
    standard_errors: FloatArray
    null_errors: FloatArray
    sampling: FloatArray
    p_values: FloatArray
    found: BoolArray
    explained_standard_error: float
    dispersion: float
    notes: tuple[Note, ...]

    @property
    def counts(self) -> FloatArray:
        """Estimated number of respondents with each string, among these n."""
        return self.n * self.shares

    @property
    def explained(self) -> float:
        """Share of respondents whose string is on the list, within 0 and 1.

        The sum of the unbiased shares where all are known: that of the bounded ones is too large,
        as all errors in it are upwards.
        """
        total = self.shares.sum() if np.isnan(self.unbiased).any() else self.unbiased.sum()
        return float(np.clip(total, 0.0, 1.0))

    @property
    def unexplained(self) -> float:
        """Share of respondents whose string is not on the list."""
        return 1 - self.explained

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return the interval of each share, shape (candidates, 2), within 0 and 1.

        The shares from which the unbiased one differs by less than a normal quantile of standard
        errors, these taken at the share itself; cut off at 0 and 1, so that it covers as often as
        the uncut one. All of 0 to 1 where nothing is known.

        References
        ----------
        .. [1] E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
           Journal of the American Statistical Association 22, 1927.
        """
        quantile = float(normal_isf((1 - check.open_unit(level, "level")) / 2))
        ends = score_ends(self.unbiased, self.null_errors**2, self.sampling, quantile)
        ends[np.isnan(ends).any(axis=1)] = 0.0, 1.0
        return np.clip(ends, 0.0, 1.0)


def score_ends(
    estimate: ArrayLike, null_variance: ArrayLike, sampling: ArrayLike, quantile: float
) -> FloatArray:
    """Return the two shares from which an estimate differs by `quantile` standard errors of theirs.

    At a share pi the variance is ``null_variance + sampling pi (1 - pi)``. The square of the
    difference gives ``(1 + a) pi**2 - (2 x + a) pi + x**2 - q**2 null_variance = 0`` with
    ``a = q**2 sampling``.
    """
    added = quantile**2 * np.asarray(sampling)
    linear, leading = np.asarray(estimate) + added / 2, 1 + added
    constant = np.asarray(estimate) ** 2 - quantile**2 * np.asarray(null_variance)
    root = np.sqrt(np.maximum(linear**2 - leading * constant, 0.0))
    return np.stack([linear - root, linear + root], axis=-1) / leading[..., None]
