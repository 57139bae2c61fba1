"""The people whom a release describes together: disclosure control of everything in it, as one set.

A question alone is described by everybody who answered it. Whatever joins two answers of a person,
a table, a model, a weighted share, a pair of the crowd, is about the people who have reported to
certain questions. If two such sets of people differ by a few, their numbers can be subtracted, and
the difference is about these few, with their direct answers.

So all joint numbers of a release share one base of people. In the base, any two sets that are
described differ by nobody or by at least the release threshold, either way. Whoever makes a
difference of fewer is left out of all of them, and whoever answers everything never does. And the
base differs from everybody by nobody or by at least the threshold: if fewer are left out, others
are with them, whom chance has picked among those who answered everything.
docs/decisions/0048-one-release-one-set.md
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from surveys.features import crossed_pairs, weighting_of
from surveys.features.settings import stored
from surveys.parameters import Parameters, Question, keys_asked_directly, picked_questions
from surveys.parameters.analyses import is_listed
from surveys.responses.crossings import crossings
from surveys.responses.patterns import USUAL, Patterns, keeps_patterns
from surveys.results_document.document import LeftOut

# The name of a source of reports, and a pattern of its launch.
SourcePattern = tuple[str, str]
# How many people have each.
People = Mapping[SourcePattern, int]
Waves = Sequence[tuple[str, Parameters]]
Sets = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

# With more sets than this, people of a rare pattern are left out, which is enough and quick.
MOST_SETS = 600
NO_STRATUM = -1


@stored
class Base(msgspec.Struct, frozen=True):
    """The people whom joint numbers are about: all but those of some patterns and some others.

    `others`: so many of the usual pattern of the source `others_of`, those with the first keys,
    which are random. `people`: how many are left out in all. `withheld`: no base keeps the rule, so
    that no joint number is shown.
    """

    patterns: frozenset[SourcePattern] = frozenset()
    others: int = 0
    others_of: str = ""
    people: int = 0
    withheld: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return it as a result stores it, unpublished: it says what a few people left out."""
        content: dict[str, Any] = msgspec.to_builtins(self, order="deterministic")
        return content

    @property
    def published(self) -> LeftOut:
        """The part of it that everybody may read."""
        return LeftOut(people=self.people, withheld=self.withheld)

    def mark(
        self, contents: Iterable[Mapping[str, Any]], waves: Waves
    ) -> Iterator[tuple[Mapping[str, Any], bool]]:
        """Each report set, in the order of their keys, with whether its person is in the base."""
        patterns = {source: Patterns(parameters) for source, parameters in waves}
        passed = 0
        for content in contents:
            source = content.get("source", "")
            key = (source, patterns[source].of(content))
            if self.withheld or key in self.patterns:
                yield content, False
            elif passed < self.others and key == (self.others_of, USUAL):
                passed += 1
                yield content, False
            else:
                yield content, True


def base_of_json(content: Mapping[str, Any]) -> Base:
    """The base that a result has stored; everybody where it has stored none."""
    return msgspec.convert(content, Base)


def base_of(people: People, waves: Waves, threshold: int, *, may_pick: bool = True) -> Base:
    """The base of a release in which so many people have each pattern.

    `waves`: the parameters of each source of reports, the newest last. `may_pick`: whether others
    may be left out by chance. Not where there are several versions: in each of them other people
    would be picked, and the files of two could be subtracted.
    """
    parameters = waves[-1][1]
    if threshold < 2 or not people or not has_joint_numbers(parameters):
        return Base()
    columns = _columns(people, waves, threshold)
    everybody, nobody = columns.people, Base(people=sum(people.values()), withheld=True)
    kept = _settle(columns, everybody, threshold)
    if kept.all():
        return Base()
    left_out = (columns.strata != NO_STRATUM) @ (everybody * ~kept)
    # A question alone is described by all who have answered it.
    short = np.maximum(threshold - left_out, 0)[(columns.strata != NO_STRATUM).any(axis=1)]
    others = int(short.max(initial=0)) if left_out.any() else 0
    place = _most_usual(columns, kept)
    if others:
        if place is None or not may_pick or everybody[place] < others:
            return nobody
        remaining = np.where(kept, everybody, 0)
        remaining[place] -= others
        kept = kept & _settle(columns, remaining, threshold)
        if not kept[place]:
            return nobody
    return Base(
        frozenset(key for key, is_kept in zip(columns.keys, kept, strict=True) if not is_kept),
        others,
        columns.keys[place][0] if others and place is not None else "",
        int(everybody[~kept].sum()) + others,
    )


def has_joint_numbers(parameters: Parameters) -> bool:
    """Whether there are numbers about several answers of a person together."""
    return keeps_patterns(parameters) and len(_described(parameters)) > 1


def _described(parameters: Parameters) -> dict[str, list[tuple[str, str]]]:
    """Return what joint numbers can be about, each with its devices.

    Each option of a multiple choice is one of these. Nothing is joint of people who are asked
    something sensitive directly by chance, nor of what the page picks for each by chance.
    """
    alone = {question.id for question in picked_questions(parameters)}
    directly = keys_asked_directly(parameters)
    devices = [device for device in parameters.devices if device.key not in directly]
    found: dict[str, list[tuple[str, str]]] = {}
    for question in parameters.questions:
        if question.id in alone or not _is_joint(question, parameters):
            continue
        for device in devices:
            if question.id in device.questions:
                name = device.id if question.several else question.id
                found.setdefault(name, []).append(device.key)
    return found


def _is_joint(question: Question, parameters: Parameters) -> bool:
    weighted = weighting_of(parameters) is not None
    return (
        is_listed(question)
        or any(question.id in pair for pair in crossed_pairs(parameters))
        or (weighted and (question.several or question.whole_scale is not None))
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """The people of a release by what they have reported to.

    `strata`: shape (questions, patterns), the number of the device whose released report they have,
    NO_STRATUM without one. `tables`: the places of the questions of each. `everybody`: whether
    something is about all of them, whatever they have answered.
    """

    keys: list[SourcePattern]
    people: Numbers
    strata: Numbers
    tables: list[tuple[int, int]]
    everybody: bool


def _columns(people: People, waves: Waves, threshold: int) -> _Columns:
    keys, parameters = sorted(people), waves[-1][1]
    numbers = np.array([people[key] for key in keys], dtype=np.int64)
    names = list(_described(parameters))
    devices = {source: _described(each) for source, each in waves}
    patterns = {source: Patterns(each) for source, each in waves}
    strata = np.full((len(names), len(keys)), NO_STRATUM, dtype=np.int64)
    numbered: dict[tuple[str, str, str], int] = {}
    for place, (source, pattern) in enumerate(keys):
        used = patterns[source].strata(pattern)
        for index, name in enumerate(names):
            for device, stratum in devices[source].get(name, ()):
                if used.get(device) == stratum:
                    key = (source, name, stratum)
                    strata[index, place] = numbered.setdefault(key, len(numbered))
    for row in strata:
        for used_by in np.unique(row[row != NO_STRATUM]):
            if numbers[row == used_by].sum() < threshold:
                row[row == used_by] = NO_STRATUM
    places = {name: place for place, name in enumerate(names)}
    tables = [(places[table.outcome], places[table.group]) for table in crossings(parameters)]
    return _Columns(keys, numbers, strata, tables, weighting_of(parameters) is not None)


def _most_usual(columns: _Columns, kept: Sets) -> int | None:
    """The place of the most people who have answered everything on the page, in one source."""
    answered = (columns.strata != NO_STRATUM)[(columns.strata != NO_STRATUM).any(axis=1)]
    places = [
        place
        for place, (_source, pattern) in enumerate(columns.keys)
        if pattern == USUAL and kept[place] and answered[:, place].all()
    ]
    return max(places, key=lambda place: columns.people[place], default=None)


def _settle(columns: _Columns, people: Numbers, threshold: int) -> Sets:
    """Whether the people of each pattern are kept, so that no two sets differ by a few."""
    kept = people > 0
    while True:
        sets = _sets(columns, np.where(kept, people, 0), threshold)
        if sets is None:
            return kept & (people >= threshold)
        few = _in_few(sets, np.where(kept, people, 0), threshold)
        if not few.any():
            return kept
        kept = kept & ~few


def _sets(columns: _Columns, people: Numbers, threshold: int) -> Sets | None:
    """The sets that joint numbers are about, shape (sets, patterns); None if they are many."""
    reported = (columns.strata != NO_STRATUM) & (people > 0)
    alone = np.unique(reported, axis=0)
    if len(alone) * (len(alone) - 1) // 2 > MOST_SETS:
        return None
    both = [first & second for first, second in combinations(alone, 2)]
    tables = [_of_table(columns.strata[[*pair]], people, threshold) for pair in columns.tables]
    everybody = [people > 0] if columns.everybody else []
    sets = np.unique(np.array([*alone, *both, *tables, *everybody]), axis=0)
    # Sets of fewer people are not shown.
    return sets[sets @ people >= threshold]


def _of_table(strata: Numbers, people: Numbers, threshold: int) -> Sets:
    """The people of a table: those whose pair of devices has enough people."""
    inside = (strata != NO_STRATUM).all(axis=0) & (people > 0)
    for pair in np.unique(strata[:, inside], axis=1).T:
        own = inside & (strata == pair[:, None]).all(axis=0)
        if people[own].sum() < threshold:
            inside = inside & ~own
    return inside


def _in_few(sets: Sets, people: Numbers, threshold: int) -> Sets:
    """Return who is in one set and not in another together with fewer than `threshold` in all."""
    # Whole numbers far below 2^53: exact as floats, whose products are a hundred times as fast.
    inside, outside = sets.astype(np.float64), (~sets).astype(np.float64)
    differences = (inside * people) @ outside.T
    few = (differences > 0) & (differences < threshold)
    if not few.any():
        return np.zeros(len(people), dtype=np.bool_)
    return (sets & ((few.astype(np.float64) @ outside) > 0)).any(axis=0) & (people > 0)
