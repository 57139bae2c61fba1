"""Audits of a draw: the integers that determine the reports of all others."""

from collections.abc import Iterator, Sequence
from itertools import accumulate


def borders(column: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last integer that draws each possible report, with that report."""
    for report, (end, entry) in enumerate(zip(accumulate(column), column, strict=True)):
        if entry:
            yield end - entry, report
            yield end - 1, report
