"""Posterior of the true proportions under a Dirichlet prior."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from rr_engine import check
from rr_engine.arguments import check_channel, check_channel_list, check_tallies, holds_several
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray, as_list
from rr_engine.channels.counting import Observed
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.distributions import beta_isf, beta_ppf
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.estimation.estimating import check_possible
from rr_engine.estimation.likelihood import iterate_to_maximum
from rr_engine.estimation.notes import POSTERIOR_NOTES, Note, strata_notes
from rr_engine.library.bayesian.line_quadrature import line_posterior
from rr_engine.library.bayesian.slice_sampling import draw_posterior
from rr_engine.precision import CONDITION_LIMIT, condition_number

# Proportions whose posterior can be followed in a few seconds.
MOST_TRUTHS = 60


@dataclass(frozen=True, slots=True, eq=False)
class ReportedRows:
    """Reports that came in: the log-likelihood is ``counts @ log(rows @ proportions)``.

    Attributes
    ----------
    rows : ndarray of float, shape (different reports, truths)
    counts : ndarray of float, shape (different reports,)
    n : int
        Number of people.
    implausible, identified : bool
        Whether reports lie outside what the devices produce, and whether they determine all
        proportions.
    """

    rows: FloatArray
    counts: FloatArray
    n: int
    implausible: bool
    identified: bool

    @property
    def truths(self) -> int:
        return self.rows.shape[1]


def check_reports(design: Designs, counts: ArrayLike | Mapping | Sequence) -> ReportedRows:
    """Return the reports of one device, or of each of a list of devices, checked."""
    several = as_list(design)
    if several is None:
        channels, given = [check_channel(design)], (counts,)
        tallies = [channels[0].tally(counts)]
        names = ["counts"]
    else:
        channels, given = check_channel_list(several, "design"), as_list(counts) or ()
        tallies = check_tallies(channels, given)
        names = [f"counts[{position}]" for position in range(len(channels))]
    _check_truths(channels)
    for channel, tally, name in zip(channels, tallies, names, strict=True):
        check_possible(channel, tally, name)
    return _reported_rows(channels, tallies, given)


def _check_truths(channels: Sequence[Channel]) -> None:
    sizes = {channel.truth_size for channel in channels}
    if len(sizes) > 1:
        raise CategoryError("design", channels, "all have the same truths", "categories_differ")
    if not all(channel.exclusive for channel in channels):
        rule = "give everybody exactly one of the truths: the proportions have to sum to 1"
        raise ArgumentError("design", channels, rule, "truths_not_exclusive")
    if max(sizes) > MOST_TRUTHS:
        rule = f"have at most {MOST_TRUTHS} truths"
        raise ArgumentError("design", channels, rule, "too_many_categories")


def _reported_rows(
    channels: Sequence[Channel], tallies: Sequence[IntArray], given: Sequence
) -> ReportedRows:
    parts = [
        _stratum_rows(channel, tally, counts)
        for channel, tally, counts in zip(channels, tallies, given, strict=True)
        if tally.any()
    ]
    truths = channels[0].truth_size
    rows = np.vstack([np.empty((0, truths)), *(rows for rows, _ in parts)])
    counts = np.concatenate([np.empty(0), *(counts for _, counts in parts)])
    # Sorted and equal ones together, so that the draws depend neither on the order of devices nor
    # on how their reports were divided.
    rows, which = np.unique(rows, axis=0, return_inverse=True)
    sums = np.zeros(len(rows))
    np.add.at(sums, which.ravel(), counts)
    notes = strata_notes(list(zip(channels, tallies, strict=True)), 1.0)
    return ReportedRows(
        rows=rows,
        counts=sums,
        n=sum(channel.people(tally) for channel, tally in zip(channels, tallies, strict=True)),
        implausible="implausible" in {note.code for note in notes},
        identified=_is_identified(channels, tallies),
    )


def _stratum_rows(
    channel: Channel, tally: IntArray, counts: object
) -> tuple[FloatArray, FloatArray]:
    n = channel.people(tally)
    likelihood, shares = channel.likelihood(counts, tally / tally.sum())
    seen = shares > 0
    rows = likelihood.dense()[seen]
    # Rows of a large report space come each up to a factor, which leaves the posterior alone.
    return rows / rows.max(axis=1, keepdims=True), np.rint(shares[seen] * n)


def _is_identified(channels: Sequence[Channel], tallies: Sequence[IntArray]) -> bool:
    used = [channel for channel, tally in zip(channels, tallies, strict=True) if tally.any()]
    if any(channel.condition_number < CONDITION_LIMIT for channel in used):
        return True
    if not used or not all(channel.tabulated for channel in used):
        return False
    return condition_number(np.vstack([channel.matrix for channel in used])) < CONDITION_LIMIT


# Parameters of the prior: below, nearly all of its mass lies at single answers.
LEAST_PARAMETER, LARGEST_PARAMETER = 0.01, 1e9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProportionPosterior(FrozenArrays):
    """The posterior distribution of the true proportions.

    Attributes
    ----------
    means : ndarray of float, shape (truths,)
    standard_deviations : ndarray of float, shape (truths,)
    covariance : ndarray of float, shape (truths, truths)
    intervals : ndarray of float, shape (truths, 2)
        Equal-tailed credible intervals.
    level : float
    prior : ndarray of float, shape (truths,)
        The parameters of the Dirichlet prior.
    n : int
        Number of people.
    method : str
        "closed form" without reports, "quadrature" for two truths, "slice sampling" for more.
    monte_carlo_errors : ndarray of float, shape (truths,)
        Standard errors of the means by the draws; 0 where there are none.
    effective_draws : float
        Of the worst proportion; inf where nothing is drawn.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.estimation import posterior
    >>> found = posterior(warner(0.75), [160, 40])
    >>> found.means.round(3).tolist(), found.level, found.n
    ([0.986, 0.014], 0.95, 200)
    """

    means: FloatArray
    standard_deviations: FloatArray
    covariance: FloatArray
    intervals: FloatArray
    level: float
    prior: FloatArray
    n: int
    method: str
    monte_carlo_errors: FloatArray
    effective_draws: float
    notes: tuple[Note, ...]


def posterior(
    design: Designs,
    counts: ArrayLike | Mapping | Sequence[ArrayLike | Mapping],
    prior: float | ArrayLike = 0.5,
    level: float = 0.95,
) -> ProportionPosterior:
    """Return the posterior of the true proportions under a Dirichlet prior.

    Parameters
    ----------
    design : Channel, or sequence of Channel
        One device, or one for each stratum: all respondents have the same proportions. They need
        not determine the proportions.
    counts : array_like of int or mapping; a list of them for a list of devices
        As for :func:`estimate`. Of a device of bits whole reports are needed, as a mapping.
    prior : float or array_like, shape (truths,), default 0.5
        Parameters of the Dirichlet prior, each from 0.01 to 1e9; one number is that of every truth.
        1/2 is Jeffreys' prior of direct answers; 1 is uniform.
    level : float, default 0.95
        Of the credible intervals, which leave out as much on the left as on the right.

    Returns
    -------
    ProportionPosterior

    Raises
    ------
    ArgumentError
        Also for more than 60 truths ("too_many_categories").
    CategoryError
        When devices have different truths.
    CountsError

    Notes
    -----
    The posterior density is the prior's times ``prod_u (P pi)_u^n_u``. It has no closed form that
    is of use beyond small counts. Two truths: quadrature, exact to about ten digits. More: slice
    sampling with a fixed seed until the number of effective draws of each proportion is 10,000 (a
    Monte Carlo error of the mean of one hundredth of the posterior's standard deviation), or until
    the work is at its limit, with a note. docs/methods/bayesian.md.

    References
    ----------
    .. [1] R. L. Winkler and L. A. Franklin, "Warner's Randomized Response Model: A Bayesian
       Approach", Journal of the American Statistical Association 74 (1979), 207-214.
    .. [2] R. M. Neal, "Slice Sampling", Annals of Statistics 31 (2003), 705-767, section 4 (the
       whole range as the first interval, shrunk).

    Examples
    --------
    Fewer yes than even nobody would make; the posterior stays inside:

    >>> from rr_engine import warner
    >>> from rr_engine.estimation import posterior
    >>> result = posterior(warner(0.75), [160, 40])
    >>> result.means.round(4).tolist(), result.intervals[1].round(4).tolist()
    ([0.9855, 0.0145], [0.0, 0.0674])
    """
    reports = check_reports(design, counts)
    parameters = _check_prior(prior, reports.truths)
    check.open_unit(level, "level")
    if not reports.n:
        figures = _prior_figures(parameters, level)
    elif reports.truths == 2:
        figures = _quadrature_figures(reports, parameters, level)
    else:
        figures = _drawn_figures(reports, parameters, level)
    return ProportionPosterior(
        means=figures.means,
        standard_deviations=np.sqrt(np.diag(figures.covariance)),
        covariance=figures.covariance,
        intervals=figures.intervals,
        level=float(level),
        prior=parameters,
        n=reports.n,
        method=figures.method,
        monte_carlo_errors=figures.errors,
        effective_draws=figures.effective,
        notes=_notes(reports, figures),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Figures:
    means: FloatArray
    covariance: FloatArray
    intervals: FloatArray
    method: str
    errors: FloatArray
    effective: float = float("inf")
    reached: bool = True


def _check_prior(value: float | ArrayLike, truths: int) -> FloatArray:
    rule = f"be one number, or {truths} of them, from {LEAST_PARAMETER:g} to {LARGEST_PARAMETER:g}"
    if holds_several(value):
        parameters = check.reals(value, (truths,), "prior", rule)
    else:
        parameters = np.full(truths, check.real(value, "prior", rule))
    if parameters.min() < LEAST_PARAMETER or parameters.max() > LARGEST_PARAMETER:
        raise ArgumentError("prior", value, rule, "out_of_range")
    return parameters


def _notes(reports: ReportedRows, figures: _Figures) -> tuple[Note, ...]:
    return POSTERIOR_NOTES.holding(
        {
            "no_reports": not reports.n,
            "implausible": reports.implausible,
            "prior_decides": reports.n > 0 and not reports.identified,
            "few_draws": not figures.reached,
        }
    )


def _prior_figures(prior: FloatArray, level: float) -> _Figures:
    """Return those of the prior: each proportion has a beta distribution."""
    total = prior.sum()
    means, tail = prior / total, (1 - level) / 2
    covariance = (np.diag(means) - np.outer(means, means)) / (total + 1)
    ends = [beta_ppf(tail, prior, total - prior), beta_isf(tail, prior, total - prior)]
    return _Figures(means, covariance, np.array(ends).T, "closed form", np.zeros(len(prior)))


def _quadrature_figures(reports: ReportedRows, prior: FloatArray, level: float) -> _Figures:
    density = line_posterior(reports.rows, reports.counts, prior)
    ends = np.array([density.quantile((1 - level) / 2), density.quantile((1 + level) / 2)])
    return _Figures(
        means=np.array([1 - density.mean, density.mean]),
        covariance=density.deviation**2 * np.array([[1.0, -1.0], [-1.0, 1.0]]),
        intervals=np.array([expit(-ends[::-1]), expit(ends)]),
        method="quadrature",
        errors=np.zeros(2),
    )


def _drawn_figures(reports: ReportedRows, prior: FloatArray, level: float) -> _Figures:
    shares = reports.counts / reports.counts.sum()
    likely = iterate_to_maximum(Observed(reports.rows), shares).proportions
    # A start inside: the prior's mean counts as much as the prior's parameters.
    start = (reports.n * likely + prior) / (reports.n + prior.sum())
    draws, reached = draw_posterior(reports.rows, reports.counts, prior, start)
    flat = draws.shares.reshape(-1, reports.truths)
    ends = np.quantile(flat, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return _Figures(
        means=flat.mean(axis=0),
        covariance=np.atleast_2d(np.cov(flat.T)),
        intervals=ends.T,
        method="slice sampling",
        errors=draws.monte_carlo_errors,
        effective=draws.effective_draws,
        reached=reached,
    )
