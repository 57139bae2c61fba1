"""Known margins, and weights that meet them: iterative proportional fitting of respondents.

The pooled tables of :mod:`rr_engine.crowd.fitting` start from equal cells over all combinations.
Here only combinations that somebody has are cells, they start from the sampling weights, an answer
may be missing, and weights may have limits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray, as_array, as_list
from rr_engine.codes import check_codes
from rr_engine.errors import ArgumentError
from rr_engine.labelled import entries_of, in_order, is_labelled

# Largest difference of a share at which margins count as met.
TOLERANCE = 1e-10
# Rounds before a standstill counts as the end.
PATIENCE = 20
# Rounds of holding weights at their limits, and by how much of the mean a weight may pass one.
LIMIT_ROUNDS = 500
LIMIT_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class RakedWeights:
    """Weights after raking, and how it went."""

    weights: FloatArray
    deviation: float
    rounds: int
    trimmed: int


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """Known shares of the categories of some questions, and who answered what.

    Attributes
    ----------
    cell_of : ndarray of int, shape (n,)
        Which combination of answers each respondent has.
    cells : ndarray of int, shape (cells, questions)
        The combinations; -1 for no answer.
    shares : tuple of ndarray of float
        Known shares of each question's categories.
    total : float or None
        What the weights shall sum to; as they did before for None.
    limits : tuple of float
        Least and largest weight, as multiples of the mean.
    max_rounds : int
    """

    cell_of: IntArray
    cells: IntArray
    shares: tuple[FloatArray, ...]
    total: float | None
    limits: tuple[float, float]
    max_rounds: int

    def columns(self) -> FloatArray:
        """Return what is known to sum to nothing in the population, and a one for its size.

        Shape (cells, columns): for each category one for those who have it, less its share for
        all who answered the question.
        """
        known = [np.ones((len(self.cells), 1))] if self.total is not None else []
        for question, shares in enumerate(self.shares):
            answers = self.cells[:, question]
            indicators = (answers[:, None] == np.arange(len(shares))).astype(np.float64)
            known.append(indicators - (answers >= 0)[:, None] * shares)
        return np.hstack(known)

    def rake(self, weights: FloatArray) -> RakedWeights:
        """Return the nearest weights that meet the margins, as far as the limits allow."""
        # Sorted before anything is added, so that the order of respondents changes no digit.
        order = np.lexsort((weights, self.cell_of))
        cells = self.cell_of[order]
        total = float(weights[order].sum()) if self.total is None else self.total
        raked, rounds = self._fit(weights[order], cells, total)
        mean = raked.sum() / max(np.count_nonzero(raked), 1)
        least, largest = self.limits[0] * mean, self.limits[1] * mean
        for _ in range(LIMIT_ROUNDS):
            held = _hold(raked, least, largest)
            if np.abs(held - raked).max() <= LIMIT_TOLERANCE * mean:
                break
            raked, more = self._fit(held, cells, total)
            rounds += more
        held = _hold(raked, least, largest)
        trimmed = int(((held == least) | (held == largest))[held > 0].sum())
        sums = np.bincount(cells, held, minlength=len(self.cells)).astype(np.float64)
        deviation = self._miss(sums)
        result = np.empty_like(held)
        result[order] = held
        return RakedWeights(result, deviation, rounds, trimmed)

    def _fit(self, weights: FloatArray, cell_of: IntArray, total: float) -> tuple[FloatArray, int]:
        sums = np.bincount(cell_of, weights, minlength=len(self.cells))
        fitted, rounds = sums * (total / sums.sum()), 0
        before, deviation = np.inf, np.inf
        while rounds < self.max_rounds and deviation > TOLERANCE:
            for question in range(len(self.shares)):
                fitted = self._meet(fitted, question)
            fitted = fitted * (total / fitted.sum())
            before, deviation = deviation, self._miss(fitted)
            rounds += 1
            # Margins that contradict each other are missed by the same again and again.
            if rounds > PATIENCE and before - deviation <= 1e-6 * TOLERANCE:
                break
        factors = np.divide(fitted, sums, out=np.zeros_like(sums), where=sums > 0)
        return weights * factors[cell_of], rounds

    def _meet(self, fitted: FloatArray, question: int) -> FloatArray:
        answers, shares = self.cells[:, question], self.shares[question]
        answered = answers >= 0
        sums = np.bincount(answers[answered], fitted[answered], minlength=len(shares))
        targets = shares * sums.sum()
        factors = np.divide(targets, sums, out=np.ones_like(sums), where=sums > 0)
        return fitted * np.where(answered, factors[answers], 1.0)

    def _miss(self, sums_of_cells: FloatArray) -> float:
        misses = [0.0]
        for question, shares in enumerate(self.shares):
            answers = self.cells[:, question]
            answered = answers >= 0
            sums = np.bincount(answers[answered], sums_of_cells[answered], minlength=len(shares))
            misses.append(float(np.abs(sums / sums.sum() - shares).max()))
        return max(misses)


def _hold(weights: FloatArray, least: float, largest: float) -> FloatArray:
    return np.where(weights > 0, np.clip(weights, least, largest), 0.0)


def check_margins(
    answers: object, shares: object, weights: FloatArray, names: object, argument: str = "answers"
) -> tuple[IntArray, tuple[FloatArray, ...], tuple[str, ...]]:
    """Return codes (n, questions), known shares and the names of the questions."""
    lists, known = as_list(answers), as_list(shares)
    rule = "be a list of answers, one number of a category for each respondent, for each margin"
    if not lists or known is None:
        raise ArgumentError(argument, answers, rule, "answers_do_not_fit")
    if len(known) != len(lists):
        rule = f"have one list of shares for each of the {len(lists)} lists of answers"
        raise ArgumentError("shares", shares, rule, "answers_do_not_fit")
    labels = _check_names(names, len(lists))
    codes, tables = [], []
    for label, one, share in zip(labels, lists, known, strict=True):
        texts, table = _known_shares(share)
        size = len(table)
        tables.append(check.distribution(table, max(size, 2), "shares"))
        codes.append(_check_answers(one, len(weights), size, argument, texts))
        _check_filled((codes[-1], tables[-1], weights), label, argument)
    return np.stack(codes, axis=1), tuple(tables), labels


def _known_shares(value: object) -> tuple[tuple[str, ...], npt.NDArray]:
    """Return the labels of the categories of a margin, none where they are numbers, and shares."""
    if is_labelled(value):
        given = entries_of(value)
        labels = tuple(label for label, _ in given if isinstance(label, str))
        if labels and len(labels) == len(given):
            return labels, np.array([share for _, share in given])
        return (), np.array(in_order(value, check.number_labels(len(given)), "shares"))
    array = as_array(value)
    return (), np.empty(0) if array is None or array.ndim != 1 else array


def _check_names(names: object, count: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"margin {index}" for index in range(count))
    labels = as_list(names)
    if labels is None or len(labels) != count or not all(isinstance(x, str) for x in labels):
        rule = f"be {count} texts, one for each margin"
        raise ArgumentError("names", names, rule, "labels_do_not_fit")
    return labels


def _check_answers(
    value: object, n: int, size: int, argument: str, labels: tuple[str, ...]
) -> IntArray:
    remedy = "give -1 for no answer"
    array = as_array(value)
    if labels and array is not None and array.dtype.kind in "iuf":
        rule = f"be labels, as the shares have them, and no places among {', '.join(labels)}"
        raise ArgumentError(argument, value, rule, "answers_do_not_fit")
    codes = check_codes(
        value, argument, [labels], error=ArgumentError, code="answers_do_not_fit", remedy=remedy
    )
    if len(codes) != n:
        rule = f"be {n} numbers of a category, one for each respondent"
        raise ArgumentError(argument, value, rule, "answers_do_not_fit")
    if codes.min() < -1 or codes.max() >= size:
        rule = f"hold numbers of categories from 0 to {size - 1}, or -1 for no answer"
        raise ArgumentError(argument, value, rule, "answers_do_not_fit")
    return codes


def _check_filled(
    margin: tuple[IntArray, FloatArray, FloatArray], label: str, argument: str
) -> None:
    """Refuse a category that the population has and nobody in the sample."""
    codes, shares, weights = margin
    present = np.bincount(codes[(codes >= 0) & (weights > 0)], minlength=len(shares)) > 0
    empty = np.flatnonzero(~present & (shares > 0))
    if empty.size:
        category = int(empty[0])
        rule = (
            f"have respondents in each category with a known share, which category {category} of "
            f"{label} (share {shares[category]:.4g}) has not: join it with another category, or "
            "leave the margin out"
        )
        raise ArgumentError(argument, codes, rule, "empty_category")


def check_limits(limits: Sequence[float] | None) -> tuple[float, float]:
    """Return the least and largest weight as multiples of the mean."""
    if limits is None:
        return 0.0, np.inf
    rule = "be two multiples of the mean weight, from 0 to below 1, and above 1"
    pair = check.entries(limits, "limits", 2, rule, "limits_do_not_fit")
    low, high = (check.real(each, "limits", rule) for each in pair)
    if not 0 <= low < 1 < high:
        raise ArgumentError("limits", limits, rule, "limits_do_not_fit")
    return low, high


def make_margins(
    codes: IntArray,
    shares: tuple[FloatArray, ...],
    total: float | None,
    limits: Sequence[float] | None,
    max_rounds: int,
) -> Margins:
    """Return margins with the combinations that occur."""
    cells, cell_of = np.unique(codes, axis=0, return_inverse=True)
    size = None if total is None else check.positive(total, "total", "be a number above 0")
    rounds = check.whole(max_rounds, "max_rounds", minimum=1, maximum=10**6)
    return Margins(cell_of.reshape(-1), cells, shares, size, check_limits(limits), rounds)
