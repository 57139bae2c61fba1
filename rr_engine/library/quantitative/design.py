"""The base of all scrambled designs: reports are lines a y + b with random a and b."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, RandomSource
from rr_engine.design import DesignMatrix
from rr_engine.errors import NotIdentifiableError
from rr_engine.library.quantitative.branches import Branch, Line, line_of
from rr_engine.library.quantitative.scrambled_privacy import ScramblingPrivacy, privacy_of, table_of
from rr_engine.library.quantitative.scrambling import LARGEST, check_quantities, check_shares
from rr_engine.sampling.scores import ReportScores, value_scores

# A slope that is smaller beside its spread leaves no digit of the true number.
LEAST_SLOPE = 1e-12


@dataclass(frozen=True)
class ScrambledDesign(ABC):
    """A design for a quantity: the report is ``z = a y + b``, with a and b drawn by the respondent.

    The pair (a, b) does not depend on the true number y, and its moments are known, so that

        r = (z - E b) / E a                           is unbiased for y
        V(r) = (A y^2 + B y + C) / (E a)^2            is its variance, by the device alone
        v = (A r^2 + B r + C) / E a^2                 is unbiased for that variance

    with ``A = var a``, ``B = 2 cov(a, b)`` and ``C = var b``. Every design of this package says
    which lines are drawn, and how often.

    Notes
    -----
    The last line holds because ``E r^2 = y^2 + V(r)`` and ``A + (E a)^2 = E a^2``.
    docs/methods/quantitative.md.

    References
    ----------
    .. [1] A. Arcos, M. Rueda and S. Singh, "A Generalised Approach to Randomised Response for
       Quantitative Variables", Quality & Quantity 49 (2015), 1239-1256.

    Examples
    --------
    >>> from rr_engine.quantities import Eriksson, ScrambledDesign, Scrambling
    >>> design = Eriksson(0.75, Scrambling.from_cards([0, 1, 2, 3]))
    >>> isinstance(design, ScrambledDesign), design.transform([0, 3]).round(2).tolist()
    (True, [-0.5, 3.5])
    """

    @abstractmethod
    def branches(self) -> Sequence[Branch]:
        """Return what a respondent may be told to do, with chances that sum to one.

        Ours: docs/methods/quantitative.md.
        """

    @cached_property
    def line(self) -> Line:
        """The moments of the report."""
        return line_of(self.branches())

    def _check_slope(self, argument: str) -> None:
        line = self.line
        if not abs(line.slope) > max(LEAST_SLOPE * line.second**0.5, 1 / LARGEST):
            rule = "have a mean that leaves the true number in the report"
            raise NotIdentifiableError(argument, line.slope, rule, "not_identifiable")

    def transform(self, reports: ArrayLike) -> FloatArray:
        """Return r, one unbiased estimate of the true number for each report.

        Parameters
        ----------
        reports : array_like of float, shape (n,)

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] A. Arcos, M. Rueda and S. Singh, "A Generalised Approach to Randomised Response for
           Quantitative Variables", Quality & Quantity 49 (2015), 1239-1256.
        """
        return (check_quantities(reports, "reports") - self.line.shift) / self.line.slope

    def device_variance(self, values: ArrayLike) -> FloatArray:
        """Return the variance of r for a person of each true number: what the device adds.

        Parameters
        ----------
        values : array_like of float, shape (n,)
            True numbers.

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] A. Arcos, M. Rueda and S. Singh, "A Generalised Approach to Randomised Response for
           Quantitative Variables", Quality & Quantity 49 (2015), 1239-1256.
        """
        return self.line.variance(check_quantities(values, "values")) / self.line.slope**2

    def variance_estimates(self, reports: ArrayLike) -> FloatArray:
        """Return v, an unbiased estimate of :meth:`device_variance` for each report.

        RRTCS 0.0.4 divides by ``(E a)^2`` instead of ``E a^2``, which is too much on average
        wherever a varies.

        Parameters
        ----------
        reports : array_like of float, shape (n,)

        Returns
        -------
        ndarray of float, shape (n,)
            Never negative.

        Raises
        ------
        ArgumentError

        References
        ----------
        Ours: docs/methods/quantitative.md.
        """
        return self.line.variance(self.transform(reports)) / self.line.second

    def scores(self, reports: ArrayLike) -> ReportScores:
        """Return transformed reports and their variances, to estimate a mean or a total from.

        Parameters
        ----------
        reports : array_like of float, shape (n,)

        Returns
        -------
        ReportScores
            For :func:`estimate_mean` and :func:`estimate_total`, with any sample.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] A. Chaudhuri, "Randomized Response and Indirect Questioning Techniques in Surveys",
           CRC Press 2011, chapter 3 (variance of the sample and of the device).

        Examples
        --------
        >>> from rr_engine import SurveySample
        >>> from rr_engine.sampling import estimate_total
        >>> from rr_engine.quantities import EichhornHayre, Scrambling
        >>> design = EichhornHayre(Scrambling.from_cards([0.5, 1, 1.5]))
        >>> found = estimate_total(design.scores([10, 20, 15]), SurveySample([9, 5, 10]))
        >>> found.values.tolist()
        [340.0]
        """
        return value_scores(self.transform(reports), self.variance_estimates(reports))

    def efficiency(self, values: ArrayLike, shares: ArrayLike | None = None) -> float:
        """Return how many direct answers one report is worth for the mean, from 0 to 1.

        Parameters
        ----------
        values : array_like of float
            True numbers that occur.
        shares : array_like of float, optional
            How often each of them occurs; equally often when left out.

        Returns
        -------
        float
            The variance of the true numbers over that of r; 0 where they are all the same.

        Raises
        ------
        ArgumentError, DistributionError

        References
        ----------
        .. [1] L. Kish, "Survey Sampling", Wiley 1965, section 8.2 (effective sample size).
        """
        numbers = check_quantities(values, "values")
        weights = np.array([float(s) for s in check_shares(shares, len(numbers), "shares")])
        spread = float(weights @ (numbers - weights @ numbers) ** 2)
        added = float(weights @ self.device_variance(numbers))
        return spread / (spread + added) if spread > 0 else 0.0

    def draw(self, values: ArrayLike, rng: RandomSource = None) -> FloatArray:
        """Draw a report for each true number, for simulations.

        Parameters
        ----------
        values : array_like of float, shape (n,)
        rng : Generator or int, optional

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        ArgumentError
            Also where a scrambling's distribution is unknown ("distribution_unknown").

        References
        ----------
        Ours: docs/methods/quantitative.md.
        """
        numbers, source = check_quantities(values, "values"), check.rng(rng)
        branches = self.branches()
        chances = np.array([float(branch.chance) for branch in branches])
        taken = source.choice(len(branches), len(numbers), p=chances / chances.sum())
        reports = np.empty(len(numbers))
        for index, branch in enumerate(branches):
            mine = taken == index
            reports[mine] = branch.draw(numbers[mine], source)
        return reports

    def design(self, values: ArrayLike) -> DesignMatrix:
        """Return the table of reports for a list of true numbers.

        With it everything that the engine does for categories can be done for these numbers: the
        whole distribution estimated, reports simulated exactly, or two designs compared.

        Parameters
        ----------
        values : array_like of float
            Two or more different true numbers.

        Returns
        -------
        DesignMatrix

        Raises
        ------
        ArgumentError
            Also for a scrambling that is no finite list ("scrambling_not_listed").
        """
        return table_of(self.branches(), values)

    def privacy(self, values: ArrayLike) -> ScramblingPrivacy:
        """Return what one report reveals about which of the listed true numbers is a person's.

        Parameters
        ----------
        values : array_like of float
            Two or more different true numbers.

        Returns
        -------
        ScramblingPrivacy
            Exact for scramblings that are finite lists.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] C. Dwork and A. Roth, "The Algorithmic Foundations of Differential Privacy",
           Foundations and Trends in Theoretical Computer Science 9 (2014), definition 2.4.
        """
        return privacy_of(self.branches(), values)
