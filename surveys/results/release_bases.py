"""The people whom the joint numbers of a release are about, and the tallies of these alone."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, QuerySet

from surveys.models import Launch, ReportSet
from surveys.responses.counting import Content, Key, count, tally_spaces
from surveys.responses.patterns import USUAL, keeps_patterns
from surveys.responses.spaces import Counts
from surveys.results.described import Base, SourcePattern, base_of
from surveys.results.launch_strata import Tallies

# A launch with the tallies of one step, and the same of the earlier waves that it continues.
TalliesOfWaves = Sequence[tuple[Launch, Tallies]]


def base_of_release(waves: TalliesOfWaves, step: int) -> Base:
    """The base of the report sets that these tallies are of; the caller has locked the launches."""
    launch, _ = waves[0]
    if not keeps_patterns(launch.parameters):
        return Base()
    people: dict[SourcePattern, int] = {}
    for wave, _counts in waves:
        source, unusual = launch.source_of(wave.wave), _unusual(wave, step)
        people |= {(source, pattern): number for pattern, number in unusual.items()}
        people[source, USUAL] = wave.aggregated - sum(unusual.values())
    return base_of(
        {key: number for key, number in people.items() if number > 0},
        [(launch.source_of(wave.wave), wave.parameters_at(step)) for wave, _ in reversed(waves)],
        max(launch.parameters.release_threshold, 1),
        may_pick=launch.versions == 1,
    )


def tallies_of_base(base: Base, waves: TalliesOfWaves, step: int) -> list[Tallies]:
    """The tallies of each wave, or some of them, without the people whom the base leaves out."""
    if base.withheld:
        return [{} for _ in waves]
    launch, _ = waves[0]
    return [
        _without(_left_out(base, wave, launch.source_of(wave.wave), step), wave, counts, step)
        if base.people
        else counts
        for wave, counts in waves
    ]


def _unusual(launch: Launch, step: int) -> Mapping[str, int]:
    """How many people have each pattern but the usual one: read from the index of these alone."""
    rows = launch.report_sets.filter(step=step, pattern__isnull=False).order_by()
    return dict(rows.values_list("pattern").annotate(number=Count("pk")))


def _left_out(base: Base, launch: Launch, source: str, step: int) -> list[Content]:
    rows = launch.report_sets.filter(step=step)
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


def _without(
    contents: Sequence[Content], launch: Launch, counts: Tallies, step: int
) -> dict[Key, Counts]:
    parameters = launch.parameters_at(step)
    spaces, remaining = tally_spaces(parameters), dict(counts)
    for key, left_out in count(contents, parameters).items():
        if key in remaining:
            remaining[key] = spaces[key].subtract(remaining[key], left_out)
    return remaining
