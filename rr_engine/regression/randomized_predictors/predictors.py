"""Randomized predictors of a model: their combinations, terms, and likelihoods."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray, as_list
from rr_engine.association.table import check_scores
from rr_engine.errors import ArgumentError, NotIdentifiableError
from rr_engine.precision import CONDITION_LIMIT, condition_number
from rr_engine.regression.report_likelihoods import ReportLikelihoods

# Each combination has coefficients of its own; of more, samples of surveys say too little.
MOST_COMBINATIONS = 64


@dataclass(frozen=True, slots=True, eq=False)
class RandomizedPredictors(FrozenArrays):
    """The true answers to several randomized questions, all their combinations in a row.

    Attributes
    ----------
    reports : tuple of ReportLikelihoods
    combinations : ndarray of int, shape (combinations, predictors)
        The true answer to each; the first is 0 to all.
    terms : ndarray of float, shape (combinations, terms)
        What each combination adds to the linear predictor, per coefficient: an indicator of each
        category but the first, or a score.
    names : tuple of str
        Of the terms.
    """

    reports: tuple[ReportLikelihoods, ...]
    combinations: IntArray
    terms: FloatArray
    names: tuple[str, ...]

    @property
    def codes(self) -> IntArray:
        """The row of each respondent's report in the table of its devices, by predictor."""
        return np.column_stack([reports.row_of for reports in self.reports])

    def likelihoods(self, codes: IntArray) -> FloatArray:
        """Return how likely each combination makes reports, shape (rows, combinations)."""
        product = np.ones((len(codes), len(self.combinations)))
        for place, reports in enumerate(self.reports):
            product *= reports.table[codes[:, place]][:, self.combinations[:, place]]
        return product


def check_predictors(
    predictors: Sequence[ReportLikelihoods],
    scores: Sequence[ArrayLike | None] | None,
    names: Sequence[str] | None,
    n: int,
) -> RandomizedPredictors:
    """Return the predictors of n respondents.

    Raises
    ------
    ArgumentError, NotIdentifiableError
    """
    rule = "be a list of one or more ReportLikelihoods"
    kind = ReportLikelihoods
    given = check.instances(predictors, "predictors", kind, rule, "not_report_likelihoods")
    for place, reports in enumerate(given):
        _check_reports(reports, f"predictors[{place}]", n)
    sizes = [reports.truths for reports in given]
    if np.prod(sizes, dtype=float) > MOST_COMBINATIONS:
        rule = f"have at most {MOST_COMBINATIONS} combinations of categories; these have "
        rule += f"{' x '.join(map(str, sizes))}: leave some out, or merge categories"
        raise ArgumentError("predictors", given, rule, "too_many_combinations", MOST_COMBINATIONS)
    labels = _check_names(names, len(given))
    combinations = np.indices(sizes).reshape(len(sizes), -1).T
    columns, terms = [], []
    for place, points in enumerate(_check_scores(scores, given)):
        truths = combinations[:, place]
        if points is not None:
            columns.append(points[truths])
            terms.append(labels[place])
            continue
        for category in range(1, sizes[place]):
            columns.append((truths == category).astype(np.float64))
            terms.append(f"{labels[place]}[{category}]")
    if len(set(terms)) < len(terms):
        rule = f"name coefficients that differ; these are {', '.join(terms)}"
        raise ArgumentError("predictor_names", labels, rule, "repeated_label")
    return RandomizedPredictors(given, combinations, np.column_stack(columns), tuple(terms))


def check_terms(predictors: RandomizedPredictors, columns: Sequence[str]) -> None:
    """Refuse predictors that are called like columns of X."""
    if {*predictors.names} & {*columns}:
        rule = "be others than those of the columns of X"
        raise ArgumentError("predictor_names", predictors.names, rule, "repeated_label")


def _check_reports(reports: ReportLikelihoods, argument: str, n: int) -> None:
    if reports.n != n:
        rule = f"have one entry for each of the {n} respondents"
        raise ArgumentError(argument, f"{reports.n} entries", rule, "lengths_differ")
    if not condition_number(np.vstack([design.matrix for design in reports.designs])) < (
        CONDITION_LIMIT
    ):
        rule = "determine the proportions by their reports, all devices together"
        raise NotIdentifiableError(argument, reports, rule, "not_identifiable")


def _check_scores(
    scores: Sequence[ArrayLike | None] | None, given: tuple[ReportLikelihoods, ...]
) -> list[FloatArray | None]:
    size = len(given)
    rule = f"have one entry for each of the {size} predictors, None or its scores"
    every = [None] * size if scores is None else scores
    points = check.entries(every, "scores", size, rule, "lengths_differ")
    return [
        None if point is None else check_scores(point, reports.truths, f"scores[{place}]")
        for place, (point, reports) in enumerate(zip(points, given, strict=True))
    ]


def _check_names(names: Sequence[str] | None, size: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"z{place + 1}" for place in range(size))
    rule = f"be {size} different texts, one for each predictor"
    labels = as_list(names)
    if labels is not None and len(labels) == size == 1 and isinstance(labels[0], str):
        return (labels[0],) if labels[0] else check.labels(names, "predictor_names")
    labels = check.labels(names, "predictor_names")
    if len(labels) != size:
        raise ArgumentError("predictor_names", names, rule, "labels_do_not_fit")
    return labels
