"""Correlations of several answers, each with each."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray, as_list
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note, NoteTexts
from rr_engine.labelled import same_people
from rr_engine.library.correlation import correlation
from rr_engine.regression.engine.samples import sample_of
from rr_engine.sampling.weighted_sample import WeightedSample

# Below it an eigenvalue of a matrix of correlations is negative and not merely rounded.
NEGATIVE = -1e-10
MATRIX_NOTES = NoteTexts(
    not_positive="No answers have all these correlations at once, as chance can bring about: "
    "the matrix has a negative eigenvalue.",
    pair_notes="Some pairs have notes of their own.",
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CorrelationMatrix(FrozenArrays):
    """Correlations of m answers.

    Attributes
    ----------
    values : ndarray of float, shape (m, m)
        1 on the diagonal.
    standard_errors : ndarray of float, shape (m, m)
        0 on the diagonal; infinite where a correlation cannot be told.
    n : ndarray of int, shape (m, m)
        Respondents of whom both answers are there.
    names : tuple of str
    pairs : tuple of Correlation
        Of the first with the second, the third, ..., then of the second with the third, ...
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.association import correlation_matrix
    >>> from rr_engine.models import ReportLikelihoods
    >>> drugs = ReportLikelihoods(warner(0.8), [0] * 600 + [1] * 400)
    >>> alcohol = ReportLikelihoods(warner(0.8), [0] * 400 + [1] * 200 + [0] * 200 + [1] * 200)
    >>> found = correlation_matrix([drugs, alcohol], names=["drugs", "alcohol"])
    >>> round(found.pair(0, 1).value, 3), found.standard_errors.round(2).tolist()[0]
    (0.5, [0.0, 0.09])
    """

    values: FloatArray
    standard_errors: FloatArray
    n: IntArray
    names: tuple[str, ...]
    pairs: tuple[correlation.Correlation, ...]
    notes: tuple[Note, ...]

    @property
    def p_values(self) -> FloatArray:
        """Two-sided p-values of the tests that each correlation is zero; 0 on the diagonal."""
        return self._table([pair.p_value for pair in self.pairs], 0.0)

    def pair(self, first: int, second: int) -> correlation.Correlation:
        """Return the correlation of two different answers, by their places.

        Raises
        ------
        ArgumentError
            For places that are not there, or the same.
        """
        most = len(self.names) - 1
        places = (
            check.whole(first, "first", maximum=most),
            check.whole(second, "second", maximum=most),
        )
        if places[0] == places[1]:
            rule = "be another place than the first"
            raise ArgumentError("second", second, rule, "not_two_indices")
        low, high = sorted(places)
        return self.pairs[list(combinations(range(len(self.names)), 2)).index((low, high))]

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return the interval of each correlation, shape (m, m, 2); see :class:`Correlation`.

        References
        ----------
        .. [1] E. C. Fieller, "Some Problems in Interval Estimation", Journal of the Royal
           Statistical Society B 16, 1954.
        """
        ends = np.array([pair.interval(level) for pair in self.pairs])
        return np.stack([self._table(ends[:, end], 1.0) for end in (0, 1)], axis=-1)

    def _table(self, entries: ArrayLike, diagonal: float) -> FloatArray:
        return symmetric_table(np.asarray(entries, dtype=np.float64), len(self.names), diagonal)


@same_people("answers", "weights")
def correlation_matrix(
    answers: Sequence[correlation.Answers],
    *,
    scores: Sequence[ArrayLike | None] | None = None,
    names: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    sample: WeightedSample | None = None,
) -> CorrelationMatrix:
    """Estimate the correlations of several answers, each randomized or known exactly.

    Parameters
    ----------
    answers : sequence of ReportLikelihoods or array_like of float, shape (n,)
        Two or more.
    scores : sequence of array_like or None, optional
        What the categories of each answer count; None for 0, 1, 2, ..., and for numbers.
    names : sequence of str, optional
        "1", "2", ... when left out.
    weights : array_like of float, shape (n,), optional
    sample : SurveySample, optional

    Returns
    -------
    CorrelationMatrix
        Each pair by itself, of those who gave both answers: see :func:`correlation`.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    References
    ----------
    .. [1] J. A. Fox and P. E. Tracy, "Measuring Associations with Randomized Response", Social
       Science Research 13 (1984), 188-197.

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.models import ReportLikelihoods
    >>> items = [
    ...     ReportLikelihoods(warner(0.8), [0] * 600 + [1] * 400),
    ...     ReportLikelihoods(warner(0.8), [0] * 400 + [1] * 200 + [0] * 200 + [1] * 200),
    ... ]
    >>> correlation_matrix(items, names=["drugs", "alcohol"]).values.round(3).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    given = as_list(answers)
    if given is None or len(given) < 2:
        rule = "be a list of two or more answers"
        raise ArgumentError("answers", answers, rule, "not_answers")
    labels = _check_names(names, len(given))
    columns = _columns(given, scores)
    whole = sample_of(weights, sample, len(columns[0].known))
    pairs = tuple(correlation.correlate(*pair, whole) for pair in combinations(columns, 2))
    values = symmetric_table(np.array([pair.value for pair in pairs]), len(given), 1.0)
    errors = symmetric_table(np.array([pair.standard_error for pair in pairs]), len(given), 0.0)
    counts = symmetric_table(np.array([pair.n for pair in pairs], dtype=np.float64), len(given), 0)
    counts[np.diag_indices(len(given))] = [column.known.sum() for column in columns]
    found = {
        "not_positive": np.linalg.eigvalsh(values)[0] < NEGATIVE,
        "pair_notes": any(pair.notes for pair in pairs),
    }
    return CorrelationMatrix(
        values=values,
        standard_errors=errors,
        n=counts.astype(np.int64),
        names=labels,
        pairs=pairs,
        notes=MATRIX_NOTES.holding(found),
    )


def symmetric_table(entries: FloatArray, size: int, diagonal: float) -> FloatArray:
    """Return the symmetric table with these entries above its diagonal, row by row."""
    table = np.zeros((size, size))
    table[np.triu_indices(size, 1)] = entries
    table += table.T
    table[np.diag_indices(size)] = diagonal
    return table


def _columns(
    answers: tuple[correlation.Answers, ...], scores: Sequence[ArrayLike | None] | None
) -> list[correlation.ScoreColumn]:
    size = len(answers)
    rule = f"have one entry for each of the {size} answers"
    given = [None] * size if scores is None else scores
    points = check.entries(given, "scores", size, rule, "lengths_differ")
    for first, second in combinations(range(len(answers)), 2):
        if answers[first] is answers[second]:
            rule = f"be different answers: {first} and {second} are the same reports"
            raise ArgumentError("answers", "the same reports", rule, "same_answer")
    columns = [
        correlation.score_column(answer, point, f"answers[{place}]", f"scores[{place}]")
        for place, (answer, point) in enumerate(zip(answers, points, strict=True))
    ]
    sizes = [len(column.known) for column in columns]
    if len(set(sizes)) > 1:
        rule = "have as many entries each"
        raise ArgumentError("answers", f"{sizes} entries", rule, "lengths_differ")
    return columns


def _check_names(names: Sequence[str] | None, size: int) -> tuple[str, ...]:
    if names is None:
        return tuple(str(place + 1) for place in range(size))
    labels = check.labels(names, "names")
    if len(labels) != size:
        rule = f"have one entry for each of the {size} answers"
        raise ArgumentError("names", names, rule, "labels_do_not_fit")
    return labels
