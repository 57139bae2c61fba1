"""Means, totals and proportions of a population from a weighted sample, by any devices."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_table
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.channels.matrix import PlainMatrix
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.errors import ArgumentError
from rr_engine.estimation.likelihood import maximise
from rr_engine.estimation.notes import SAMPLE_NOTES
from rr_engine.labelled import same_people
from rr_engine.precision import WEIGHT_FLOOR
from rr_engine.sampling.assembling import assemble, check_weights_of, result_of, with_curves
from rr_engine.sampling.scores import (
    ReportScores,
    check_devices,
    check_scores_of,
    report_scores,
)
from rr_engine.sampling.survey_estimate import SurveyEstimate, WeightedProportions
from rr_engine.sampling.weighted_sample import WeightedSample, check_sample


@dataclass(frozen=True, slots=True, eq=False)
class PseudoLikelihood:
    """The maximum of a weighted likelihood, and what each report adds to it.

    Attributes
    ----------
    proportions : ndarray of float, shape (k,)
    influence : ndarray of float, shape (m, k)
        What one unit of weight on each report moves the proportions by.
    noise_by_device : tuple of ndarray of float, shape (k, k)
        Covariance that each device's chance adds to the influence of one report.
    stopped : bool
        Whether the iterations ended before the maximum.
    """

    proportions: FloatArray
    influence: FloatArray
    noise_by_device: tuple[FloatArray, ...]
    stopped: bool

    def noise(self, answers: ReportScores, factors: FloatArray) -> FloatArray:
        """Return what the devices add to the covariance; `factors` as of `ReportScores.noise`."""
        order = np.lexsort((factors, answers.device_of))
        order = order[answers.reported[order]]
        size = len(self.noise_by_device)
        sums = np.bincount(answers.device_of[order], factors[order], minlength=size)
        parts = zip(sums, self.noise_by_device, strict=True)
        return np.asarray(sum(each * table for each, table in parts))


def pseudo_likelihood(
    channels: Sequence[Channel], answers: ReportScores, weights: FloatArray
) -> PseudoLikelihood:
    """Maximise ``sum w ln(P pi)[report]`` over proportions.

    With s a report's row of P over its chance and A the sum of ss' expected of the weight on each
    device, one unit of weight on the report moves the proportions by A^-1 s, within the plane of
    proportions that sum to one.
    """
    matrices = [check_table(channel, "designs").matrix for channel in channels]
    sums = answers.sums(weights)
    device = np.repeat(np.arange(len(matrices)), [len(matrix) for matrix in matrices])
    by_device = np.bincount(device, sums, minlength=len(matrices)) / sums.sum()
    used = by_device[device] > 0
    stacked = np.vstack(matrices)
    pooled = PlainMatrix((stacked * by_device[device][:, None])[used])
    solution = maximise(pooled, sums[used] / sums.sum())
    proportions = solution.proportions
    # A report that nobody is expected to make tells much; the floor keeps that a number.
    chances = np.maximum(stacked @ proportions, WEIGHT_FLOOR)
    slopes = stacked / chances[:, None]
    plane = np.vstack([np.eye(len(proportions) - 1), -np.ones(len(proportions) - 1)])
    inner = slopes @ plane
    expected = chances * by_device[device] * sums.sum()
    information = (inner * expected[:, None]).T @ inner
    influence = np.linalg.solve(information, inner.T).T @ plane.T
    noise = tuple(
        _noise_of(matrix, influence[device == index], proportions)
        for index, matrix in enumerate(matrices)
    )
    return PseudoLikelihood(proportions, influence, noise, not solution.converged)


def _noise_of(matrix: FloatArray, influence: FloatArray, proportions: FloatArray) -> FloatArray:
    """Return ``sum_v pi_v Cov(influence of the report | truth v)``."""
    means = matrix.T @ influence
    reported = matrix @ proportions
    squares = (influence * reported[:, None]).T @ influence
    return squares - (means * proportions[:, None]).T @ means


def estimate_mean(scores: ReportScores, sample: WeightedSample) -> SurveyEstimate:
    """Estimate the mean of a population from a weighted sample.

    Parameters
    ----------
    scores : ReportScores
        From :func:`report_scores` or :func:`value_scores`.
    sample : SurveySample, ProbabilitySample or calibrated sample

    Returns
    -------
    SurveyEstimate
        Of those with a report, whatever the others would have said.

    Raises
    ------
    ArgumentError
        Also for a stratum of a single cluster ("single_cluster").
    CountsError

    Notes
    -----
    docs/methods/sampling.md. Hajek's ratio ``sum w z / sum w``, linearised: respondents contribute
    ``w (z - mean) / sum w``. Where the sampling variance counts less than the whole square of a
    contribution, as without replacement, what the device adds to the rest is added.

    References
    ----------
    .. [1] J. Hajek, comment on D. Basu, in "Foundations of Statistical Inference", Holt, Rinehart
       and Winston, 1971, page 236.
    .. [2] A. Chaudhuri, "Randomized Response and Indirect Questioning Techniques in Surveys",
       CRC Press, 2011, chapter 3.

    Examples
    --------
    >>> from rr_engine import SurveySample, warner
    >>> from rr_engine.sampling import estimate_mean, report_scores
    >>> sample = SurveySample([1, 1, 2, 2])
    >>> found = estimate_mean(report_scores(warner(0.75), [1, 0, 1, 1]), sample)
    >>> found.values.round(3).tolist(), found.standard_errors.round(3).tolist()
    ([-0.167, 1.167], [0.374, 0.374])
    """
    drawn = check_sample(sample)
    answers = check_scores_of(scores, drawn.n)
    weights = check_weights_of(answers, drawn)
    whole = float(np.sort(weights).sum())
    values = answers.totals(weights) / whole
    centred = np.where(answers.reported[:, None], answers.values - values, 0.0)
    return assemble("mean", values, centred * (weights / whole)[:, None], answers, drawn)


def estimate_total(
    scores: ReportScores, sample: WeightedSample, *, population: float | None = None
) -> SurveyEstimate:
    """Estimate the total of a population from a weighted sample.

    Parameters
    ----------
    scores : ReportScores
        From :func:`report_scores` or :func:`value_scores`; of two truths or more the totals are
        numbers of people.
    sample : SurveySample, ProbabilitySample or calibrated sample
        Weights must be one over the probability of being drawn: they add up to the population.
    population : float, optional
        Number of people, where it is known: then the total is that times Hajek's mean, which is
        steadier. Without it, Horvitz and Thompson's sum of weighted scores.

    Returns
    -------
    SurveyEstimate

    Raises
    ------
    ArgumentError
    CountsError
        Also for respondents without a report, whose part of a sum is unknown.

    Notes
    -----
    docs/methods/sampling.md. Over all samples and all draws of the devices the sum is unbiased for
    the total, and so is its variance with exact joint inclusion probabilities.

    References
    ----------
    .. [1] D. G. Horvitz and D. J. Thompson, "A Generalization of Sampling Without Replacement from
       a Finite Universe", Journal of the American Statistical Association 47 (1952), 663-685.
    .. [2] A. Chaudhuri, "Using Randomized Response from a Complex Survey to Estimate a Sensitive
       Proportion in a Dichotomous Finite Population", Journal of Statistical Planning and
       Inference 94 (2001), 37-42.

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.sampling import estimate_total, report_scores
    >>> from rr_engine.sampling import ProbabilitySample
    >>> sample = ProbabilitySample([0.5, 0.25, 0.5])
    >>> found = estimate_total(report_scores(warner(0.75), [1, 0, 1]), sample)
    >>> found.values.tolist(), found.standard_errors.round(2).tolist()
    ([4.0, 4.0], [6.24, 4.82])
    """
    drawn = check_sample(sample)
    answers = check_scores_of(scores, drawn.n)
    if population is not None:
        size = check.positive(population, "population", "be the number of people, above 0")
        return _scaled(estimate_mean(answers, drawn), size)
    weights = check_weights_of(answers, drawn)
    if not answers.reported.all():
        missing = int(np.flatnonzero(~answers.reported)[0])
        rule = (
            f"have a report of everybody for a sum, which respondent {missing} has not; give "
            "population, or calibrate the weights of those who answered"
        )
        raise ArgumentError("scores", scores, rule, "reports_missing")
    contributions = answers.values * weights[:, None]
    return assemble("total", answers.totals(weights), contributions, answers, drawn)


@same_people("reports", "which")
def estimate_weighted(
    designs: Designs,
    reports: ArrayLike,
    sample: WeightedSample,
    which: ArrayLike | None = None,
    method: str = "unbiased",
) -> WeightedProportions:
    """Estimate proportions of the true answers in a population from a weighted sample.

    Parameters
    ----------
    designs : Channel or sequence of Channel
        The device, or the devices that respondents differ in; see :func:`report_scores`.
    reports : array_like of int, shape (n,)
        -1 for respondents without a report.
    sample : SurveySample, ProbabilitySample or calibrated sample
    which : array_like of int, shape (n,), optional
        Which of the devices each respondent used.
    method : {"unbiased", "mle"}
        "unbiased" corrects each report by its own device: valid also where the devices' users
        differ. "mle" maximises the weighted likelihood of proportions that all devices share: it
        never leaves 0 to 1 and is sharper where devices differ and were assigned at random.

    Returns
    -------
    WeightedProportions

    Raises
    ------
    ArgumentError, CountsError, NotIdentifiableError

    Notes
    -----
    docs/methods/sampling.md. With equal weights and one device of as many reports as truths, both
    are the estimates of :func:`estimate`.

    References
    ----------
    .. [1] D. A. Binder, "On the Variances of Asymptotically Normal Estimators from Complex
       Surveys", International Statistical Review 51 (1983), 279-292.
    .. [2] A. Chaudhuri, "Randomized Response and Indirect Questioning Techniques in Surveys",
       CRC Press, 2011, chapter 3.

    Examples
    --------
    >>> from rr_engine import SurveySample, estimate_weighted, warner
    >>> sample = SurveySample([1, 1, 2, 2, 1, 1])
    >>> found = estimate_weighted(warner(0.75), [1, 0, 1, 0, 0, 0], sample)
    >>> found.proportions.round(3).tolist(), found.standard_errors.round(3).tolist()
    ([0.75, 0.25], [0.469, 0.469])
    """
    name = check.choice(method, "method", ("mle", "unbiased"))
    drawn = check_sample(sample)
    answers = check_scores_of(report_scores(designs, reports, which), drawn.n, "reports")
    if name == "unbiased":
        return proportions_of(answers, drawn)
    return _likeliest(check_devices(designs), answers, drawn)


def proportions_of(answers: ReportScores, drawn: WeightedSample) -> WeightedProportions:
    """Return proportions of truths with the variance curves that score intervals need."""
    found = estimate_mean(answers, drawn)
    return with_curves(found, answers, drawn, "unbiased", found.notes)


def _likeliest(
    channels: Sequence[Channel], answers: ReportScores, drawn: WeightedSample
) -> WeightedProportions:
    weights = check_weights_of(answers, drawn)
    fit = pseudo_likelihood(channels, answers, weights)
    contributions = np.where(answers.reported[:, None], fit.influence[answers.row_of], 0.0)
    contributions = contributions * weights[:, None]
    covariance = drawn.covariance_of_total(contributions)
    noise = fit.noise(answers, weights**2)
    covariance = covariance + fit.noise(answers, weights**2 * (1 - drawn.own_coefficients))
    found = result_of("mean", fit.proportions, (covariance, noise), answers, drawn)
    conditions = {"boundary": bool((fit.proportions <= 0).any()), "not_converged": fit.stopped}
    return with_curves(
        found, answers, drawn, "mle", (*found.notes, *SAMPLE_NOTES.holding(conditions))
    )


def _scaled(found: SurveyEstimate, size: float) -> SurveyEstimate:
    return replace(
        found,
        values=found.values * size,
        covariance=found.covariance * size**2,
        randomization_covariance=found.randomization_covariance * size**2,
        kind="total",
    )
