"""What arms add to the results of a question: a part for each arm."""

import msgspec

from surveys.results_document.parts import HypothesisTest, Interval, Notes, Part, Share


class ArmDifference(Part, frozen=True, kw_only=True):
    """Of one answer the others' share less the arm's; `detectable`: what would have been found."""

    others: float | None
    difference: float | None
    standard_error: float | None
    interval: Interval
    statistic: float | None
    p_value: float | None
    detectable: float | None


class Cheating(Part, frozen=True, kw_only=True):
    """The share of people who would send no, whatever the device draws."""

    share: float | None
    standard_error: float | None
    interval: Interval
    maximum_likelihood: float | None
    statistic: float | None
    p_value: float | None
    notes: Notes


class Comparison(Part, frozen=True, kw_only=True):
    """An arm beside others. `focal`: the answer that it is about; None where it is about all."""

    others: tuple[str, ...] = msgspec.field(name="with")
    focal: int | None
    differences: tuple[ArmDifference, ...]
    homogeneity: HypothesisTest | None
    p_value: float | None
    cheating: Cheating | None


class Arm(Part, frozen=True, kw_only=True):
    """`share`: of how many people in a hundred chance puts into it.

    `waiting`: how many more have answered, whose answers are not shown yet. `asked`: how many were
    asked directly, where that is known.
    """

    stratum: str
    share: int
    directly: bool
    epsilon: str | None
    n: int
    suppressed: int
    waiting: int
    asked: int | None
    categories: tuple[Share, ...]
    comparison: Comparison | None


# Without arms where one of them has too few people for a release.
ArmsOfQuestion = tuple[Arm, ...] | None
