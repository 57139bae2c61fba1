"""The tallies of a launch without the people whom the base of a release leaves out.

These are few, and found by an index or by their keys: no row of anybody else is read.
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from surveys.models import Launch, ReportSet
from surveys.responses.counting import Content, Key, count, tally_spaces
from surveys.responses.patterns import USUAL
from surveys.responses.spaces import Counts
from surveys.results.described import Base
from surveys.results.launch_strata import Tallies


def _left_out(base: Base, launch: Launch, source: str, rung: int) -> list[Content]:
    rows = launch.report_sets.filter(rung=rung)
    patterns = [pattern for name, pattern in base.patterns if name == source]
    contents = _contents(rows.filter(pattern__in=[each for each in patterns if each != USUAL]))
    usual = rows.filter(pattern__isnull=True)
    if USUAL in patterns:
        return [*contents, *_contents(usual)]
    if base.others and source == base.others_of:
        return [*contents, *_contents(usual.order_by("pk")[: base.others])]
    return [*contents]


def _contents(rows: QuerySet[ReportSet]) -> Iterable[Any]:
    return rows.values_list("content", flat=True)


def without_left_out(
    base: Base, launch: Launch, source: str, counts: Tallies, rung: int
) -> dict[Key, Counts]:
    """These tallies of a launch without the people of it whom the base leaves out."""
    contents = _left_out(base, launch, source, rung)
    parameters = launch.parameters_at(rung)
    spaces, remaining = tally_spaces(parameters), dict(counts)
    for key, left_out in count(contents, parameters).items():
        if key in remaining:
            remaining[key] = spaces[key].subtract(remaining[key], left_out)
    return remaining
