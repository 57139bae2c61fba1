"""Whether reports fit a device at all, where it leaves degrees of freedom to tell."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel, check_table, check_tallies
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray, RandomSource, as_list
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.compliance.cheating import check_group_designs
from rr_engine.compliance.mixture import (
    AT_ZERO,
    ROUNDING,
    check_possible_reports,
    degrees_of_freedom,
    fit_statistics,
    maximum_likelihood_shares,
    stack_groups,
)
from rr_engine.compliance.share_results import COMPLIANCE_NOTES
from rr_engine.display.figures import Bars, Drawn
from rr_engine.distributions import chi2_sf
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note
from rr_engine.precision import check_identifiable

MOST_RESAMPLES = 100_000
# Below these, or in a fifth of the cells below the second, chi-square is a poor guide (Cochran).
SMALLEST_EXPECTED, SMALL_EXPECTED = 1.0, 5.0


@dataclass(frozen=True, slots=True, eq=False)
class GoodnessOfFit(FrozenArrays, Drawn):
    """Tests that one set of true proportions lies behind all the reports.

    Attributes
    ----------
    proportions : ndarray of float, shape (truths,)
        The maximum-likelihood proportions, common to all strata.
    expected : ndarray of float, shape (reports of all strata,)
        Counts expected under them, stratum after stratum.
    statistic, p_value : float
        Likelihood ratio G^2.
    pearson, pearson_p_value : float
        Pearson's X^2.
    degrees_of_freedom : int
    resamples : int
        0 when the p-values are those of the chi-square distribution.
    notes : tuple of Note
    observed : ndarray of int or None, shape (reports of all strata,)
        The counts that came in.

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.compliance import goodness_of_fit
    >>> found = goodness_of_fit([warner(0.75), warner(0.2)], [[600, 400], [420, 580]])
    >>> found.proportions.round(2).tolist(), found.degrees_of_freedom, round(found.p_value, 2)
    ([0.66, 0.34], 1, 0.1)
    """

    proportions: FloatArray
    expected: FloatArray
    statistic: float
    p_value: float
    pearson: float
    pearson_p_value: float
    degrees_of_freedom: int
    resamples: int = 0
    notes: tuple[Note, ...] = ()
    observed: IntArray | None = None

    def _figure(self) -> Bars:
        if self.observed is None:
            raise ArgumentError("observed", None, "be the counts that came in", "not_counts")
        return Bars(
            places=list(range(len(self.expected))),
            bars=self.observed.tolist(),
            bars_are="came in",
            marks=self.expected.tolist(),
            marks_are="expected",
            across="Report",
            up="Reports",
            title=f"Goodness of fit, G² = {self.statistic:.3g}",
        )


@dataclass(frozen=True, slots=True)
class _Fit:
    proportions: FloatArray
    expected: FloatArray
    sizes: list[int]
    statistics: tuple[float, float]
    freedom: int


def goodness_of_fit(
    designs: Designs,
    counts: ArrayLike | Sequence[ArrayLike],
    resamples: int = 0,
    rng: RandomSource = None,
) -> GoodnessOfFit:
    """Test whether the reports can come from the device, or from the devices of several strata.

    Parameters
    ----------
    designs : Channel or sequence of Channel
        One device, or one for each stratum, with the same number of truths and with tables that
        can be formed: the statistics need the chance of each report.
    counts : array_like of int, or one such list per design
    resamples : int, default 0
        Surveys to simulate under the fitted proportions for the p-values, for small counts; 0
        takes them from the chi-square distribution. At most 100,000; each survey that
        differs from the others is fitted, which takes about a millisecond: 10,000 of many people
        some ten seconds, of a hundred categories and more longer.
    rng : Generator, int or None
        Source of chance of the resamples, or its seed.

    Returns
    -------
    GoodnessOfFit

    Raises
    ------
    CountsError, NotIdentifiableError
    ArgumentError
        Also for a channel without a table: one too large for it ("table_too_large") or of bits
        ("table_not_available").

    Notes
    -----
    Degrees of freedom are ``sum (reports - 1) - (truths - 1)``, plus one for each proportion that
    the likelihood puts at zero: given that number the statistic is chi-square with so many
    (Susko's data-dependent degrees of freedom). So a square device, which fits anything inside its
    range exactly, is tested as well, by what lies outside. Strata without reports are left out.

    References
    ----------
    .. [1] E. Susko, "Likelihood ratio tests with boundary constraints using data-dependent degrees
       of freedom", Biometrika 100 (2013), 1019-1023.

    Examples
    --------
    >>> from rr_engine import warner
    >>> strata = [warner(0.75), warner(0.2)]
    >>> fits = goodness_of_fit(strata, [[600, 400], [380, 620]])
    >>> fits.degrees_of_freedom, round(fits.statistic, 3), round(fits.p_value, 3)
    (1, 0.0, 1.0)
    """
    groups, tallies = _strata(designs, counts)
    rounds, source = check.whole(resamples, "resamples", maximum=MOST_RESAMPLES), check.rng(rng)
    check_identifiable(np.vstack([group.matrix for group in groups]))
    used = [pair for pair in zip(groups, tallies, strict=True) if pair[1].any()]
    if not used:
        size, cells = groups[0].truth_size, sum(group.tally_size for group in groups)
        nothing = _Fit(np.full(size, 1 / size), np.zeros(cells), [], (0.0, 0.0), 0)
        return _result(nothing, (1.0, 1.0), 0, {"no_reports": True})
    matrices, observed = [group.matrix for group, _ in used], [tally for _, tally in used]
    check_possible_reports(matrices, observed)
    fitted = _fit(matrices, observed)
    chances = (
        _chi_square(fitted) if rounds == 0 else _simulate_p_values(matrices, fitted, rounds, source)
    )
    result = _result(fitted, chances, rounds, _remarks(fitted))
    return replace(result, observed=np.concatenate(observed))


def _result(
    fitted: _Fit, chances: tuple[float, float], resamples: int, remarks: dict[str, bool]
) -> GoodnessOfFit:
    return GoodnessOfFit(
        proportions=fitted.proportions,
        expected=fitted.expected,
        statistic=fitted.statistics[0],
        p_value=chances[0],
        pearson=fitted.statistics[1],
        pearson_p_value=chances[1],
        degrees_of_freedom=fitted.freedom,
        resamples=resamples,
        notes=COMPLIANCE_NOTES.holding(remarks),
    )


def homogeneity_test(designs: Sequence[Channel], counts: Sequence[ArrayLike]) -> GoodnessOfFit:
    """Test whether one set of proportions fits the reports of several devices as well as many do.

    Parameters
    ----------
    designs : sequence of Channel
        Two or more, as for :func:`goodness_of_fit`.
    counts : sequence of array_like of int, one list per design

    Returns
    -------
    GoodnessOfFit
        Of the common proportions, with the statistic, p-value and degrees of freedom of the
        comparison. Where all devices have as many reports as truths it is
        :func:`goodness_of_fit` itself: each of them fits its own reports exactly, but for what
        lies outside of its range.

    Raises
    ------
    ArgumentError, CountsError, NotIdentifiableError

    Notes
    -----
    The likelihood-ratio test of nested models: G^2 of one distribution for all devices less those
    of one for each, with ``(devices - 1) (truths - 1)`` degrees of freedom. A device with more
    reports than truths may fit its own reports badly, which says nothing about the others.

    References
    ----------
    .. [1] S. S. Wilks, "The Large-Sample Distribution of the Likelihood Ratio for Testing Composite
       Hypotheses", Annals of Mathematical Statistics 9 (1938), 60-62.

    Examples
    --------
    >>> from rr_engine import DesignMatrix, warner
    >>> badge = DesignMatrix([[0.6, 0.1], [0.3, 0.3], [0.1, 0.6]])
    >>> found = homogeneity_test([badge, warner(0.75)], [[300, 300, 400], [380, 620]])
    >>> found.degrees_of_freedom, round(found.p_value, 3)
    (1, 0.001)
    """
    together = goodness_of_fit(designs, counts)
    groups = check_group_designs(designs)
    if all(group.tally_size == group.truth_size for group in groups):
        return together
    alone = [
        goodness_of_fit(group, tally).statistic for group, tally in zip(groups, counts, strict=True)
    ]
    statistic = max(0.0, together.statistic - sum(alone))
    freedom = (len(groups) - 1) * (groups[0].truth_size - 1)
    return replace(
        together,
        statistic=statistic,
        p_value=float(chi2_sf(statistic, freedom)),
        degrees_of_freedom=freedom,
    )


def _strata(
    designs: Designs, counts: ArrayLike | Sequence[ArrayLike]
) -> tuple[list[Channel], list[IntArray]]:
    if as_list(designs) is None:
        channel = check_table(check_channel(designs, "designs"), "designs")
        return [channel], [channel.tally(counts)]
    groups = check_group_designs(designs)
    return groups, check_tallies(groups, counts)


def _fit(matrices: list[FloatArray], counts: list[IntArray]) -> _Fit:
    matrix, reported = stack_groups(matrices, counts)
    proportions = maximum_likelihood_shares(matrix, reported)
    n = sum(int(count.sum()) for count in counts)
    expected = matrix @ proportions * n
    return _Fit(
        proportions=proportions,
        expected=expected,
        sizes=[int(count.sum()) for count in counts],
        statistics=fit_statistics(reported * n, expected),
        freedom=degrees_of_freedom(matrices, proportions),
    )


def _chi_square(fitted: _Fit) -> tuple[float, float]:
    if fitted.freedom == 0:
        return 1.0, 1.0
    ratio, pearson = (float(chi2_sf(value, fitted.freedom)) for value in fitted.statistics)
    return ratio, pearson


def _simulate_p_values(
    matrices: list[FloatArray], fitted: _Fit, rounds: int, source: np.random.Generator
) -> tuple[float, float]:
    """Return how often surveys of the fitted proportions fit no better, counting this one in.

    Surveys with the same counts are fitted once: of few people many are alike.
    """
    shares = [matrix @ fitted.proportions for matrix in matrices]
    samples = [
        source.multinomial(n, share / share.sum(), size=rounds)
        for n, share in zip(fitted.sizes, shares, strict=True)
    ]
    ends = np.cumsum([len(share) for share in shares])[:-1]
    surveys, times = np.unique(np.hstack(samples), axis=0, return_counts=True)
    statistics = np.array([_fit(matrices, np.split(survey, ends)).statistics for survey in surveys])
    beaten = times @ (statistics >= np.array(fitted.statistics) - ROUNDING) + 1
    return tuple((beaten / (rounds + 1)).tolist())


def _remarks(fitted: _Fit) -> dict[str, bool]:
    possible = fitted.expected[fitted.expected > 0]
    return {
        "saturated": fitted.freedom == 0,
        "boundary": bool((fitted.proportions <= AT_ZERO).any()),
        "sparse": bool(
            possible.min() < SMALLEST_EXPECTED or np.mean(possible < SMALL_EXPECTED) > 0.2
        )
        and fitted.freedom > 0,
    }
