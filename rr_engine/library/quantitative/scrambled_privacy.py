"""Privacy of a scrambled number, computed over every line that can be drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.design import DesignMatrix
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import QUANTITY_NOTES, Note
from rr_engine.library.quantitative.branches import Branch, Card
from rr_engine.library.quantitative.scrambling import check_quantities, exactly
from rr_engine.privacy.loss import log_ratio

# Lines times true numbers; about a second.
MOST_CELLS = 200_000
# Reports, with the chance of each for every listed number.
Table = dict[Fraction, list[Fraction]]


@dataclass(frozen=True, slots=True)
class ScramblingPrivacy(Shown):
    """Privacy of one report about which of some numbers is a person's.

    Attributes
    ----------
    epsilon : float
        Largest log ratio of the chances of a report under two of the numbers; inf where a report
        is possible for one and impossible for another, or where it is not computed.
    delta : float
        Largest chance that the report of a person is one that some other number cannot give: no
        (epsilon, delta) guarantee with a finite epsilon holds below it. 1 where not computed.
    values : tuple of float
        The numbers it is about.
    notes : tuple of Note
        Codes "infinite_epsilon", "listed_values", "not_computed".

    Examples
    --------
    >>> from rr_engine.quantities import Eriksson, Scrambling
    >>> design = Eriksson(0.75, Scrambling.from_cards([0, 1, 2, 3]))
    >>> privacy = design.privacy([0, 1, 2, 3])
    >>> round(privacy.epsilon, 3), privacy.delta
    (2.565, 0.0)
    """

    epsilon: float
    delta: float
    values: tuple[float, ...]
    notes: tuple[Note, ...]


def check_values(value: object) -> list[float]:
    """Return two or more different true numbers, in order."""
    numbers = np.unique(check_quantities(value, "values")).tolist()
    if len(numbers) < 2:
        raise ArgumentError("values", value, "hold at least 2 different numbers", "too_few_answers")
    return numbers


def privacy_of(branches: Sequence[Branch], values: ArrayLike) -> ScramblingPrivacy:
    """Return the exact privacy of lines that are drawn from finite lists."""
    numbers = check_values(values)
    if not _listed(branches):
        return ScramblingPrivacy(
            np.inf, 1.0, tuple(numbers), QUANTITY_NOTES.holding({"not_computed": True})
        )
    table = _table(_cards(branches, numbers), numbers)
    ratio = _largest_ratio(table)
    codes = {"infinite_epsilon": ratio is None, "listed_values": ratio is not None}
    return ScramblingPrivacy(
        log_ratio(ratio), _exposed(_floats(table)), tuple(numbers), QUANTITY_NOTES.holding(codes)
    )


def table_of(branches: Sequence[Branch], values: ArrayLike) -> DesignMatrix:
    """Return the table of reports of lines that are drawn from finite lists."""
    numbers = check_values(values)
    if not _listed(branches):
        rule = "draw from cards for a table of its reports"
        raise ArgumentError("scrambling", "a distribution", rule, "scrambling_not_listed")
    table = _table(_cards(branches, numbers), numbers)
    labels = [_label(exactly(number)) for number in numbers]
    return DesignMatrix(_floats(table), labels, [_label(report) for report in table])


def _listed(branches: Sequence[Branch]) -> bool:
    return all(branch.size() for branch in branches)


def _cards(branches: Sequence[Branch], numbers: Sequence[float]) -> list[Card]:
    if sum(branch.size() for branch in branches) * len(numbers) > MOST_CELLS:
        rule = f"make at most {MOST_CELLS} combinations with the cards"
        raise ArgumentError("values", len(numbers), rule, "too_many_cells")
    return [card for branch in branches for card in branch.cards() if card[2]]


def _table(cards: Sequence[Card], numbers: Sequence[float]) -> Table:
    table: Table = {}
    for place, number in enumerate(map(exactly, numbers)):
        for multiplier, addend, chance in cards:
            report = multiplier * number + addend
            table.setdefault(report, [Fraction(0)] * len(numbers))[place] += chance
    return {report: table[report] for report in sorted(table)}


def _largest_ratio(table: Table) -> Fraction | None:
    """Return the largest ratio within a row; None where a row has a zero beside a chance."""
    if any(min(row) == 0 for row in table.values()):
        return None
    return max(max(row) / min(row) for row in table.values())


def _floats(table: Table) -> FloatArray:
    return np.array([[float(chance) for chance in row] for row in table.values()])


def _exposed(matrix: FloatArray) -> float:
    """Return the largest chance, under one number, of reports that another cannot give."""
    return min(float((matrix.T @ (matrix == 0.0)).max()), 1.0)


def _label(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    return repr(float(number)) if exactly(float(number)) == number else str(number)
