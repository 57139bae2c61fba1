"""The people that a model or a correlation is computed from, with their weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, IntArray
from rr_engine.errors import ArgumentError
from rr_engine.sampling.checks import check_weights
from rr_engine.sampling.survey_sample import SurveySample
from rr_engine.sampling.weighted_sample import WeightedSample
from rr_engine.sampling.weighted_sample import check_sample as check_weighted_sample

# Rows in which a column of different numbers must not repeat one.
A_FEW = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class GroupedRows:
    """Respondents with equal columns and equal codes, as one row each.

    Attributes
    ----------
    columns : ndarray of float, shape (groups, p)
    codes : ndarray of int, shape (groups, codes)
        Such as the row of each report in the table of its devices.
    weights, squares : ndarray of float, shape (groups,)
        Sums of the respondents' weights and of their squares.
    group_of : ndarray of int, shape (n,)
        The group of each respondent; -1 of those whose weight is zero.
    """

    columns: FloatArray
    codes: IntArray
    weights: FloatArray
    squares: FloatArray
    group_of: IntArray


def group_rows(columns: FloatArray, codes: IntArray, weights: FloatArray) -> GroupedRows:
    """Return the groups in an order that does not depend on that of the rows.

    `columns`: shape (n, p); `codes`: shape (n, codes); `weights`: shape (n,), not negative.
    """
    used = np.flatnonzero(weights > 0)
    chosen, kinds, amounts = columns[used], codes[used], weights[used]
    order = _order(chosen, kinds, amounts)
    sorted_columns, sorted_codes = chosen[order], kinds[order]
    starts = np.concatenate(
        [
            [True],
            (sorted_codes[1:] != sorted_codes[:-1]).any(axis=1)
            | (sorted_columns[1:] != sorted_columns[:-1]).any(axis=1),
        ]
    )[: len(order)]
    first = np.flatnonzero(starts)
    group_of = np.full(len(weights), -1, np.int64)
    group_of[used[order]] = np.cumsum(starts) - 1
    sorted_weights = amounts[order]
    return GroupedRows(
        columns=sorted_columns[first],
        codes=sorted_codes[first],
        weights=np.add.reduceat(sorted_weights, first),
        squares=np.add.reduceat(sorted_weights**2, first),
        group_of=group_of,
    )


def _order(columns: FloatArray, codes: IntArray, weights: FloatArray) -> IntArray:
    """Return an order of the rows that is the same whatever order they came in."""
    varying = [column for column in columns.T if column.size and np.ptp(column) > 0]
    for column in varying:
        # A column of different numbers decides all by itself, and far more quickly: always the
        # first there is. The first rows only rule a column out, so that they do not choose it.
        if len(np.unique(column[:A_FEW])) == len(column[:A_FEW]):
            order = np.argsort(column)
            if (np.diff(column[order]) > 0).all():
                return order
    # The last key decides first. Weights are a key too: sums of floats depend on their order.
    keys = [] if weights.size and np.ptp(weights) == 0 else [weights]
    return np.lexsort([*keys, *varying, *codes.T])


def mean_one(weights: FloatArray) -> FloatArray:
    """Return weights with a mean of 1 over those above zero."""
    used = np.count_nonzero(weights)
    # Over the largest, as one over the sum of the smallest doubles is none.
    shares = weights / weights.max()
    # In sorted order, so that the sum does not depend on the order of the rows.
    return shares * (used / np.sort(shares).sum())


@dataclass(frozen=True, slots=True, eq=False)
class ModelSample:
    """The respondents of a model.

    Attributes
    ----------
    weights : ndarray of float, shape (n,)
        Zero for respondents who do not count.
    weighted : bool
        Whether weights or a sample were given, so that standard errors are robust.
    variance_of : callable or None
        Returns the variance of a total of weighted contributions, from a survey sample; None for
        independent respondents.
    """

    weights: FloatArray
    weighted: bool
    variance_of: Callable[[FloatArray], FloatArray] | None

    @property
    def n(self) -> int:
        """Respondents that count."""
        return int(np.count_nonzero(self.weights))

    @property
    def error_kind(self) -> str:
        """Kind of the standard errors of a fit by maximum likelihood."""
        return "robust" if self.weighted else "observed"

    def of_those(self, counting: BoolArray) -> ModelSample:
        """Return the sample with the weight 0 for all others."""
        return replace(self, weights=counting * self.weights)

    def with_mean_one(self) -> ModelSample:
        """Return the sample with weights of mean 1 over those above zero."""
        return replace(self, weights=mean_one(self.weights))

    def score_variance(self, scores: FloatArray, groups: GroupedRows) -> FloatArray:
        """Return the estimated variance of the weighted sum of scores, from their spread.

        `scores`: of one respondent of each group.
        """
        if self.variance_of is not None:
            return self.variance_of(scores[groups.group_of] * self.weights[:, None])
        # The usual factor n/(n - 1) of a variance of respondents.
        squares = (scores * groups.squares[:, None]).T @ scores
        return squares * self.n / max(self.n - 1, 1)


def model_sample(weights: ArrayLike | None, sample: object, n: int) -> ModelSample:
    """Return the n respondents of a model by the arguments of its fit."""
    whole = sample_of(weights, sample, n)
    variance_of = None if sample is None else whole.covariance_of_total
    return ModelSample(whole.weights, weights is not None or sample is not None, variance_of)


def check_sample(sample: object, n: int) -> WeightedSample | None:
    """Return a sample of n respondents, or None where none was given.

    As if drawn with replacement: a model is about what made the population, whatever part of it
    was drawn, and the devices' chance does not end with the population.
    """
    if sample is None:
        return None
    chosen = check_weighted_sample(sample)
    if chosen.n != n:
        rule = f"be of the {n} respondents"
        raise ArgumentError("sample", f"{chosen.n} respondents", rule, "lengths_differ")
    return chosen.with_replacement()


def sample_of(weights: ArrayLike | None, sample: object, n: int) -> WeightedSample:
    """Return the sample of n respondents, with equal weights where there are none."""
    given = check_sample(sample, n)
    amounts = None if weights is None else check_weights(weights, n)
    if given is None:
        return SurveySample(n=n) if amounts is None else SurveySample(amounts)
    if amounts is None:
        return given
    if not isinstance(given, SurveySample):
        rule = "be left out beside a sample whose weights were made for it"
        raise ArgumentError("weights", weights, rule, "weights_twice")
    return given.with_weights(amounts)
