"""The results of a table, declared or of a pair of joint questions, and of joint questions."""

from typing import ClassVar

from surveys.parameters import Joint
from surveys.results_document.parts import (
    ABSENT,
    Derived,
    HypothesisTest,
    Interval,
    Notes,
    Part,
    Share,
    ShareWithin,
    Told,
)


class TableStratum(Part, frozen=True, kw_only=True):
    """How many people used a pair of devices."""

    source: Told[str]
    stratum: Told[str]
    n: Told[int]


class Cell(Share, frozen=True, kw_only=True):
    """The share of everybody who gave both answers."""

    maximum_likelihood: float | None


class Margins(Part, frozen=True, kw_only=True):
    outcome: tuple[Share, ...]
    group: tuple[Share, ...]


class GroupDifference(Part, frozen=True, kw_only=True):
    """The share of an outcome in the first of two groups, less that in the second."""

    outcome: int
    groups: tuple[int, int]
    value: float | None
    standard_error: float | None
    interval: Interval
    notes: Notes


class Association(Part, frozen=True, kw_only=True):
    """`odds_ratio`: of two by two answers; `pearson_correlation`: of answers with an order."""

    cramers_v: Derived
    mutual_information: Derived
    entropy: Derived
    chi_square: Derived
    g_squared: Derived
    odds_ratio: Derived = ABSENT
    pearson_correlation: Derived = ABSENT


class TableResults(Part, frozen=True, kw_only=True):
    """`cells`, `conditional`: a row for each group, with a column for each outcome.

    Without cells there is nothing else, but for the margins of two direct questions.
    """

    few: ClassVar[str] = "table_below_threshold"

    id: Told[str]
    outcome: Told[str]
    group: Told[str]
    outcome_text: Told[str]
    group_text: Told[str]
    outcome_labels: Told[tuple[str, ...]]
    group_labels: Told[tuple[str, ...]]
    n: int
    suppressed: int
    strata: Told[tuple[TableStratum, ...]]
    cells: tuple[tuple[Cell, ...], ...] = ()
    margins: Margins = ABSENT
    conditional: tuple[tuple[ShareWithin, ...], ...] = ABSENT
    means: tuple[Derived | None, ...] | None = ABSENT
    differences: tuple[GroupDifference, ...] = ABSENT
    association: Association = ABSENT
    independence: HypothesisTest = ABSENT
    notes: Notes


class Combination(Part, frozen=True, kw_only=True):
    """The share of those who gave all of these answers, by their numbers."""

    codes: tuple[int, ...]
    estimate: float | None
    standard_error: float | None
    interval: Interval
    interval_50: Interval
    maximum_likelihood: float | None
    reported: int
    reported_share: float


class JointResults(Part, frozen=True, kw_only=True):
    """`cells`: all combinations, or the largest; `not_above_zero`: how many may be nobody's."""

    few: ClassVar[str] = "group_below_threshold"

    id: Told[str]
    stratum: Told[str]
    family: Told[str]
    epsilon: Told[str]
    strata: Told[tuple[TableStratum, ...]]
    questions: Told[tuple[str, ...]]
    texts: Told[tuple[str, ...]]
    labels: Told[tuple[tuple[str, ...], ...]]
    table: Told[Joint]
    combinations: Told[int]
    n: int
    suppressed: int
    pairs: tuple[TableResults, ...] = ()
    cells: tuple[Combination, ...] = ()
    not_above_zero: int = ABSENT
    notes: Notes
