"""The document of weighted results, which a worker stores beside that of the results."""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from surveys.features.settings import stored
from surveys.results_document.document import Recoding
from surveys.results_document.parts import Part, Share

FORMAT: Final = 3


class WeightedShare(Share, frozen=True, kw_only=True):
    """A share or a mean; `fixed`: the margins say what it is."""

    fixed: bool


class WeightedQuestion(Part, frozen=True, kw_only=True):
    """`answers`: the original answers that each of the categories stands for."""

    n: int
    answers: Recoding
    categories: tuple[WeightedShare, ...]
    mean: WeightedShare | None


class WeightedTest(Part, frozen=True, kw_only=True):
    """A test of independence; without a p-value where the people are too few for one."""

    statistic: float | None
    numerator_freedom: int
    denominator_freedom: int
    p_value: float | None


class WeightedTable(Part, frozen=True, kw_only=True):
    """`cells`, `conditional`: a row for each group, with a column for each outcome."""

    n: int
    groups: Recoding
    outcomes: Recoding
    cells: tuple[tuple[WeightedShare, ...], ...]
    conditional: tuple[tuple[WeightedShare, ...], ...]
    independence: WeightedTest


@stored
class WeightedResults(Part, frozen=True, kw_only=True):
    """The weighted numbers of each question and table; None where they would tell of a few."""

    format: Literal[3]
    n: int
    design_effect: float
    effective_n: float
    largest_weight: float
    questions: dict[str, WeightedQuestion | None]
    tables: dict[str, WeightedTable | None]


def read_weighted(content: Mapping[str, Any]) -> WeightedResults | None:
    """Read stored weighted results; None where there are none of this format."""
    return msgspec.convert(content, WeightedResults) if content.get("format") == FORMAT else None
