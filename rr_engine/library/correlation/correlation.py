"""Correlations of randomized answers with each other and with numbers that are known exactly."""

from dataclasses import dataclass
from math import fsum

import numpy as np

from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, FrozenArrays
from rr_engine.association.table import LARGEST_SCORE, check_scores
from rr_engine.codes import as_numbers
from rr_engine.distributions import margin_factor, normal_isf, normal_sf
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note, NoteTexts
from rr_engine.labelled import same_people
from rr_engine.regression.engine.samples import sample_of
from rr_engine.regression.randomized_outcome.regression_fitting import unbiased_scores
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.sampling.weighted_sample import WeightedSample

# Input of a correlation: reports of an item, or a number for each respondent.
Answers = ReportLikelihoods | ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumn:
    """One number for each respondent whose mean, and that of its square, are those of the truth.

    Attributes
    ----------
    values, squares : ndarray of float, shape (n,)
        Given the truth, the expected value is the score of the truth, and its square. Of numbers
        that are known exactly: the numbers and their squares.
    known : ndarray of bool, shape (n,)
        False where there is no report; the other entries are 0 there.
    reliability : ndarray of float, shape (n,)
        Share of the variance of `values` that is that of the truths, if these are equally frequent:
        1 for numbers, and near 0 for a device of much noise.
    """

    values: FloatArray
    squares: FloatArray
    known: BoolArray
    reliability: FloatArray


def score_column(
    answers: Answers, scores: ArrayLike | None, argument: str, scores_argument: str
) -> ScoreColumn:
    """Return the scores of reports, or numbers, brought to a range from -1 to 1.

    No correlation changes by that, and squares keep their digits. The two arguments are how errors
    name what is wrong.

    Raises
    ------
    ArgumentError, NotIdentifiableError
    """
    if isinstance(answers, ReportLikelihoods):
        return _unbiased_scores(answers, scores, scores_argument)
    if scores is not None:
        rule = f"be left out, because {argument} holds numbers and not reports"
        raise ArgumentError(scores_argument, scores, rule, "scores_unusable")
    numbers = _check_numbers(answers, argument)
    centred = _standardize(numbers)
    known = np.ones(len(numbers), dtype=np.bool_)
    return ScoreColumn(centred, centred**2, known, known.astype(np.float64))


def _unbiased_scores(
    reports: ReportLikelihoods, scores: ArrayLike | None, argument: str
) -> ScoreColumn:
    """Return for each report the scores of the truths, weighted by the device's left inverse."""
    labels = getattr(reports.designs[0], "truth_labels", ())
    points = check_scores(scores, reports.truths, argument, labels)
    points = _standardize(points)
    table = np.column_stack(
        [unbiased_scores(reports, category) for category in range(reports.truths)]
    )
    values, squares = table @ points, table @ points**2
    reliability = _reliability(reports, points, values)
    return ScoreColumn(
        values[reports.row_of], squares[reports.row_of], reports.reported, reliability
    )


def _reliability(reports: ReportLikelihoods, points: FloatArray, values: FloatArray) -> FloatArray:
    """Return for each respondent what of the variance of their score is that of equal truths."""
    truths = float(points.var())
    shares = np.zeros(len(reports.designs) + 1)
    for device in range(len(reports.designs)):
        rows = reports.block(device)
        whole = float(reports.table[rows].mean(axis=1) @ values[rows] ** 2) - points.mean() ** 2
        shares[device] = truths / whole if whole > 0 else 1.0
    return shares[reports.device_of]


def _standardize(numbers: FloatArray) -> FloatArray:
    """Return numbers on a scale on which the smallest is -1 and the largest 1."""
    middle, half = (numbers.max() + numbers.min()) / 2, np.ptp(numbers) / 2
    return (numbers - middle) / (half or 1.0)


def _check_numbers(value: ArrayLike, argument: str) -> FloatArray:
    numbers = as_numbers(value)
    rule = f"be ReportLikelihoods, or numbers of at most {LARGEST_SCORE:g} in size, one for each"
    rule += " respondent"
    fits = numbers is not None and numbers.ndim == 1 and numbers.size
    # NaN fails the comparison.
    if numbers is None or not fits or not (np.abs(numbers) <= LARGEST_SCORE).all():
        raise ArgumentError(argument, value, rule, "not_numbers")
    return numbers


CORRELATION_NOTES = NoteTexts(
    no_pairs="Fewer than two respondents gave both answers: the correlation cannot be told.",
    no_spread="All estimated answers to one question are the same: the correlation cannot be told.",
    beyond_one="The estimate lies beyond -1 or 1, as chance can bring about, and was cut there.",
    thin_spread="How much the true answers differ from each other is hardly told from zero: "
    "little is known of their correlation.",
)


# Variance that rounding alone can leave of scores from -1 to 1.
ROUNDING = 1e-14


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Correlation(FrozenArrays):
    """A correlation of true answers, and how well it is known.

    Attributes
    ----------
    value : float
        Pearson's correlation, from -1 to 1; 0 where it cannot be told.
    standard_error : float
        Infinite where it cannot be told.
    n : int
        Respondents of whom both answers are there.
    ratio : float
        The estimated covariance over the product of the estimated standard deviations, not cut to
        the range from -1 to 1.
    errors : ndarray of float, shape (2, 2)
        Covariance of the errors of that covariance and of that product, both in units of the
        product.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import correlation, warner
    >>> from rr_engine.models import ReportLikelihoods
    >>> answers = ReportLikelihoods(warner(0.8), [1] * 300 + [0] * 300)
    >>> found = correlation(answers, [40] * 200 + [20] * 100 + [40] * 100 + [20] * 200)
    >>> round(found.standard_error, 3), found.p_value < 0.001, found.n
    (0.064, True, 600)
    """

    value: float
    standard_error: float
    n: int
    ratio: float
    errors: FloatArray
    notes: tuple[Note, ...]

    @property
    def z_value(self) -> float:
        """The estimated covariance over its standard error; 0 where it cannot be told."""
        return self.ratio / float(np.sqrt(self.errors[0, 0])) if self.ratio else 0.0

    @property
    def p_value(self) -> float:
        """Two-sided p-value of the test that the correlation is zero."""
        return 2 * float(normal_sf(abs(self.z_value)))

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return the correlations that the estimates do not contradict.

        Those r at which the estimated covariance less r times the estimated product of standard
        deviations is not significantly different from zero, within -1 to 1.

        Parameters
        ----------
        level : float, default 0.95

        Returns
        -------
        ndarray of float, shape (2,)

        Raises
        ------
        ArgumentError
            For a level outside (0, 1).

        References
        ----------
        .. [1] E. C. Fieller, "Some Problems in Interval Estimation", Journal of the Royal
           Statistical Society B 16, 1954.
        """
        reach = margin_factor(level)
        if not np.isfinite(self.standard_error):
            return np.array([-1.0, 1.0])
        return _fieller(self.ratio, self.errors, reach**2)


@same_people("first", "second", "weights")
def correlation(
    first: Answers,
    second: Answers,
    *,
    first_scores: ArrayLike | None = None,
    second_scores: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    sample: WeightedSample | None = None,
) -> Correlation:
    """Estimate the correlation of two answers, each randomized or known exactly.

    Parameters
    ----------
    first, second : ReportLikelihoods, or array_like of float, shape (n,)
        Reports of an item, whose devices may differ between respondents, or numbers. A respondent
        with no report on one of them counts for neither.
    first_scores, second_scores : array_like of float, shape (truths,), optional
        What each category of an item counts; 0, 1, 2, ... when left out. Not for numbers.
    weights : array_like of float, shape (n,), optional
        Sampling weights, none negative and not all zero.
    sample : SurveySample, ProbabilitySample or calibrated sample, optional
        Weights, strata and clusters, for the standard errors. A finite population is not used:
        a model is about what made it (docs/methods/sampling.md).

    Returns
    -------
    Correlation

    Raises
    ------
    ArgumentError
        Also when both are the same reports: their noise is the same noise.
    NotIdentifiableError
        For a device whose reports say nothing of some truth.

    Notes
    -----
    Each report is replaced by a number whose mean, given the truth, is the score of the truth, and
    another whose mean is its square, both from the inverse of the respondent's own device. Means,
    variances and the covariance of these are unbiased for those of the true scores. Where devices
    differ, each respondent counts by the reliability of both scores, the share of their variance
    that is not the device's noise if all truths are equally frequent (as the weights of RRreg
    [3]_): who has which device must not depend on the true answers, as in :func:`estimate_strata`.
    The standard error is that of the influence function of their ratio. The devices of the two
    answers must be independent of each other. docs/methods/predictors.md.

    References
    ----------
    .. [1] J. A. Fox and P. E. Tracy, "Measuring Associations with Randomized Response", Social
       Science Research 13 (1984), 188-197.
    .. [2] S. Himmelfarb, "The Multi-Item Randomized Response Technique", Sociological Methods &
       Research 36 (2008), 495-514.
    .. [3] D. W. Heck and M. Moshagen, "RRreg: An R Package for Correlation and Regression Analyses
       of Randomized Response Data", Journal of Statistical Software 85 (2018).

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.models import ReportLikelihoods
    >>> answers = ReportLikelihoods(warner(0.8), [1] * 300 + [0] * 300)
    >>> ages = [40] * 200 + [20] * 100 + [40] * 100 + [20] * 200
    >>> found = correlation(answers, ages)
    >>> round(found.value, 3), found.interval().round(3).tolist()
    (0.556, [0.43, 0.681])
    """
    if first is second:
        rule = "be another answer than the first one"
        raise ArgumentError("second", "the same reports", rule, "same_answer")
    columns = (
        score_column(first, first_scores, "first", "first_scores"),
        score_column(second, second_scores, "second", "second_scores"),
    )

    n = len(columns[0].known)
    if len(columns[1].known) != n:
        rule = f"have one entry for each of the {n} respondents of the first answer"
        raise ArgumentError("second", f"{len(columns[1].known)} entries", rule, "lengths_differ")
    return correlate(*columns, sample_of(weights, sample, n))


def correlate(first: ScoreColumn, second: ScoreColumn, sample: WeightedSample) -> Correlation:
    """Return the correlation of two columns of scores; see :func:`correlation`."""
    both = (first.known & second.known & (sample.weights > 0)).astype(np.float64)
    n = int(both.sum())
    # Scores of much noise count for little: by the precision of the product of both scores.
    weights = sample.weights * both * first.reliability * second.reliability
    shares = weights / (fsum(weights) or 1.0)
    left, left_variance, left_squares = _centred(first, shares)
    right, right_variance, right_squares = _centred(second, shares)
    if n < 2 or min(left_variance, right_variance) <= ROUNDING:
        return Correlation(
            value=0.0,
            standard_error=float("inf"),
            n=n,
            ratio=0.0,
            errors=np.zeros((2, 2)),
            notes=(CORRELATION_NOTES.note("no_pairs" if n < 2 else "no_spread"),),
        )
    product = float(np.sqrt(left_variance * right_variance))
    crossed = left * right / product
    ratio = fsum(shares * crossed)
    # The product's relative error: half the sum of those of the two variances.
    product_terms = (left_squares / left_variance + right_squares / right_variance) / 2
    terms = np.column_stack([crossed - ratio, product_terms - 1]) * shares[:, None]
    errors = sample.covariance_of_total(terms)
    contrast = np.array([1.0, -ratio])
    found = {
        "beyond_one": abs(ratio) > 1,
        "thin_spread": errors[1, 1] * float(normal_isf(0.025)) ** 2 >= 1,
    }
    return Correlation(
        value=float(np.clip(ratio, -1, 1)),
        standard_error=float(np.sqrt(max(contrast @ errors @ contrast, 0.0))),
        n=n,
        ratio=ratio,
        errors=errors,
        notes=CORRELATION_NOTES.holding(found),
    )


def _centred(column: ScoreColumn, shares: FloatArray) -> tuple[FloatArray, float, FloatArray]:
    """Return scores less their mean, the variance of the truth, and the terms that make it up.

    Sums are exact before they are rounded, so that the order of the rows cannot show.
    """
    mean = fsum(shares * column.values)
    squares = column.squares - 2 * mean * column.values + mean**2
    return column.values - mean, fsum(shares * squares), squares


def _fieller(ratio: float, errors: FloatArray, square: float) -> FloatArray:
    """Return the range of r from -1 to 1 with ``(ratio - r)**2 <= square * variance(r)``."""
    leading = 1 - square * errors[1, 1]
    middle = ratio - square * errors[0, 1]
    last = ratio**2 - square * errors[0, 0]
    inside = [leading * end**2 - 2 * middle * end + last <= 0 for end in (-1.0, 1.0)]
    root = np.sqrt(max(middle**2 - leading * last, 0.0))
    if leading > 0:
        return np.clip([(middle - root) / leading, (middle + root) / leading], -1, 1)
    if all(inside) or not any(inside) or leading == 0:
        return np.array([-1.0, 1.0])
    # The solutions lie outside of two roots, of which one is in the range.
    roots = np.array([(middle + root) / leading, (middle - root) / leading])
    return np.array([-1.0, roots[0]]) if inside[0] else np.array([roots[1], 1.0])
