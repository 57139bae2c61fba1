"""Answers as numbers: unbiased scores of reports, beside numbers that are known exactly."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import BoolArray, FloatArray
from rr_engine.association.table import LARGEST_SCORE, check_scores
from rr_engine.codes import as_numbers
from rr_engine.errors import ArgumentError
from rr_engine.regression.randomized_outcome.linear_probability import unbiased_scores
from rr_engine.regression.report_likelihoods import ReportLikelihoods

# Input of a correlation: reports of an item, or a number for each respondent.
Answers = ReportLikelihoods | npt.ArrayLike


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
    answers: Answers, scores: npt.ArrayLike | None, argument: str, scores_argument: str
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
    reports: ReportLikelihoods, scores: npt.ArrayLike | None, argument: str
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


def _check_numbers(value: npt.ArrayLike, argument: str) -> FloatArray:
    numbers = as_numbers(value)
    rule = f"be ReportLikelihoods, or numbers of at most {LARGEST_SCORE:g} in size, one for each"
    rule += " respondent"
    if numbers is None or numbers.ndim != 1 or not numbers.size:
        raise ArgumentError(argument, value, rule, "not_numbers")
    # NaN fails the comparison.
    if not (np.abs(numbers) <= LARGEST_SCORE).all():
        raise ArgumentError(argument, value, rule, "not_numbers")
    return numbers
