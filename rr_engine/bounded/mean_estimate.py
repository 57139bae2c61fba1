"""The mean of bounded numbers from reports of one bit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.bounded.mean_device import MeanDevice, check_mean_devices, check_range
from rr_engine.estimation.estimating import estimate
from rr_engine.estimation.notes import Note, Noted
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.stratified import estimate_strata

SPREAD_UNKNOWN = Note(
    "spread_unknown",
    "One bit tells nothing of how far the numbers lie apart: the standard error is the largest "
    "that they can give, and the interval covers at least as often as it says.",
)


@dataclass(frozen=True, slots=True, eq=False)
class MeanEstimate(Noted):
    """The estimated mean of numbers in a range.

    Attributes
    ----------
    ends : Estimate
        Of the share at the highest value (its second proportion) that would give the same reports
        if everybody were at an end of the range: the mean is a linear map of it.
    lower, upper : float
        The range.
    population : str
        "sample" or "fixed"; the standard error is exact for a sample and an upper bound for a
        fixed group.

    Examples
    --------
    >>> from rr_engine.bounded import MeanDevice, mean_from_reports
    >>> hours = mean_from_reports(MeanDevice.from_epsilon(80, "1"), [420, 580], 0, 80)
    >>> hours.n, hours.interval().round(1).tolist(), hours.possible_interval().round(1).tolist()
    (1000, [48.5, 59.1], [48.5, 59.1])
    """

    ends: Estimate
    lower: float
    upper: float
    population: str = "sample"

    @property
    def value(self) -> float:
        """The unbiased estimate in the units of the number; it may leave the range."""
        return float(self._numbers(self.ends.proportions)[1])

    @property
    def possible_value(self) -> float:
        """The number in the range that is nearest to the estimate."""
        return min(max(self.value, self.lower), self.upper)

    @property
    def standard_error(self) -> float:
        """In the units of the number; infinite where the reports cannot tell."""
        return float(self.ends.standard_errors[1]) * (self.upper - self.lower)

    @property
    def n(self) -> int:
        """Number of reports."""
        return self.ends.n

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes for the reader, under stable codes; those of `ends` among them."""
        fixed = self.population == "fixed" and self.n > 0
        return (*self.ends.notes, *([SPREAD_UNKNOWN] if fixed else []))

    def interval(self, level: float = 0.95, method: str = "default") -> FloatArray:
        """Return a confidence interval of the mean, which may leave the range.

        Parameters
        ----------
        level : float, default 0.95
        method : str, default "default"
            One of those of :meth:`rr_engine.Estimate.interval`. The default inverts the score test
            of the share of reports, which is never 0 or 1, so that it holds for a mean at an end
            of the range too: docs/methods/numbers.md.

        Returns
        -------
        ndarray of float, shape (2,)
            In the units of the number. Without reports, the range.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
           Inference", Journal of the American Statistical Association 22 (1927), 209-212.

        Examples
        --------
        >>> device = MeanDevice.from_epsilon(100, "1")
        >>> mean_from_reports(device, [420, 580], 0, 100).interval().round(1).tolist()
        [60.6, 73.9]
        """
        return self._numbers(self.ends.interval(level, method)[1])

    def possible_interval(self, level: float = 0.95, method: str = "default") -> FloatArray:
        """Return the part of :meth:`interval` inside the range, which is never empty.

        References
        ----------
        Ours: docs/methods/intervals.md, as :meth:`rr_engine.Estimate.possible_interval`.

        Examples
        --------
        >>> device = MeanDevice.from_epsilon(100, "1")
        >>> mean_from_reports(device, [740, 260], 0, 100).possible_interval().round(1).tolist()
        [0.0, 4.1]
        """
        return self._numbers(self.ends.possible_interval(level, method)[1])

    def _numbers(self, shares: FloatArray) -> FloatArray:
        return self.lower + (self.upper - self.lower) * shares


def mean_from_reports(
    device: MeanDevice | Sequence[MeanDevice],
    counts: ArrayLike | Mapping | Sequence[ArrayLike | Mapping],
    lower: float = 0.0,
    upper: float = 1.0,
    population: str = "sample",
) -> MeanEstimate:
    """Estimate the mean of numbers in a range from reports of one bit.

    Parameters
    ----------
    device : MeanDevice or sequence of MeanDevice
        A list for strata with devices of their own, such as waves of different epsilons, over the
        same range. Their grids need not be the same.
    counts : array_like of int, shape (2,); or mapping; or a sequence of those, one per device
        How many reports were 0, and 1.
    lower, upper : float, default 0 and 1
        The range: the numbers at steps 0 and `steps` of the grid.
    population : {"sample", "fixed"}, default "sample"
        Whether the mean asked for is that of a population that the respondents were drawn from, or
        their own.

    Returns
    -------
    MeanEstimate
        Unbiased: ``L + (U - L) ((E + 1) f - 1)/(E - 1)`` with f the share of ones.

    Raises
    ------
    ArgumentError, CountsError

    Notes
    -----
    Reports of a sample are independent and 1 with the same chance lambda, so that the error is
    that of a binomial share. Those of a fixed group vary by ``sum_i p_i (1 - p_i)``, which is less
    (Jensen) the further the numbers lie apart; of that one bit tells nothing, so that the error of
    a sample stands for it.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Eq. 70.

    Examples
    --------
    >>> weekly_hours = mean_from_reports(MeanDevice.from_epsilon(80, "1"), [420, 580], 0, 80)
    >>> round(weekly_hours.value, 2), round(weekly_hours.standard_error, 2)
    (53.85, 2.7)
    """
    low, high = check_range(lower, upper)
    whom = check.population(population)
    return MeanEstimate(_share_at_top(device, counts), low, high, whom)


def _share_at_top(device: MeanDevice | Sequence[MeanDevice], counts: Any) -> Estimate:
    if isinstance(device, MeanDevice):
        return estimate(device.ends, counts)
    return estimate_strata([each.ends for each in check_mean_devices(device)], counts)
