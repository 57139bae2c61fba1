"""The pairs of questions whose table a release knows, because one person's answers are together.

The tallies are of the people whom all joint numbers of a release are about (described.py). Of these
a pair has those who reported to both, as in tables, and with their rules, which
`measured_pairs` applies. Each pair of devices with too few people is left out; nobody learns of a
few people who gave an answer, or a combination of answers, that is known.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.responses.pair_counts import ALL_PAIRS, AllPairs, Place, all_pairs
from surveys.responses.spaces import Counts
from surveys.results.crowd.answers import Answers
from surveys.results.release import DeviceKey, Release

# Why two questions have no table: their answers were kept apart or not counted together; too few
# people answered both; too few gave an answer, or a combination, that is known.
APART, FEW, KNOWN = "apart", "few", "known"
# No joint number can be shown of this release, since that would tell of those who left out a few.
SKIPPED = "skipped"
Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Pairs:
    """`reports`: those of each measured pair. `withheld`: why another has none."""

    reports: tuple[rr_engine.crowd.ClusterReports, ...]
    withheld: Mapping[Pair, str]


@dataclass(frozen=True, slots=True)
class _Stratum:
    """The people who used one device for each of two questions."""

    devices: tuple[Place, Place]
    counts: npt.NDArray[np.int64]


def measured_pairs(
    release: Release, tallies: Mapping[DeviceKey, Counts], answers: Mapping[str, Answers]
) -> Pairs:
    """The pairs of these questions that may be shown.

    `tallies`: those of ALL_PAIRS, of all waves. Questions that one device reports together have a
    table of their own, and are no pair here.
    """
    if release.base.withheld:
        return Pairs((), {frozenset(pair): SKIPPED for pair in combinations(answers, 2)})
    found = dict[Pair, list[_Stratum]]()
    for source, parameters in release.waves():
        space = all_pairs(parameters)
        if space is not None:
            table = space.table(tallies.get((source, *ALL_PAIRS)))
            for names, stratum in _strata(space, table, source, release, answers):
                found.setdefault(names, []).append(stratum)
    threshold = max(release.threshold, 1)
    reports, withheld = [], dict[Pair, str]()
    for pair in combinations(answers, 2):
        used = [each for each in found.get(frozenset(pair), ()) if each.counts.sum() >= threshold]
        if not used:
            withheld[frozenset(pair)] = FEW if frozenset(pair) in found else APART
        elif _has_few(used, pair, answers, threshold):
            withheld[frozenset(pair)] = KNOWN
        else:
            reports.append(_reports(used, pair, answers))
    return Pairs(tuple(reports), withheld)


def _strata(
    space: AllPairs,
    table: npt.NDArray[np.int64],
    source: str,
    release: Release,
    answers: Mapping[str, Answers],
) -> Iterator[tuple[Pair, _Stratum]]:
    """The pairs of devices that some people used, without those whose reports are shown to nobody.

    The question that comes first among `answers` is the first one.
    """
    order = list(answers)
    shown = [
        place
        for place in space.places
        if place.device.questions[0] in answers
        and (source, *place.owner) not in release.suppressed
        and (source, *place.device.key) not in release.suppressed
    ]
    shown.sort(key=lambda place: order.index(place.device.questions[0]))
    for first, second in combinations(shown, 2):
        names = frozenset((first.device.questions[0], second.device.questions[0]))
        counts = table[first.codes, second.codes]
        if len(names) == 2 and counts.any():
            yield names, _Stratum((first, second), counts)


def _has_few(
    strata: Sequence[_Stratum],
    pair: Sequence[str],
    answers: Mapping[str, Answers],
    threshold: int,
) -> bool:
    """Whether fewer than the threshold are known to have given an answer, or two."""
    direct = [answers[name].direct for name in pair]
    if not any(direct):
        return False
    # Two devices of one question need not have as many reports.
    counts = [_recoded(each, pair, answers) for each in strata]
    sizes = [
        np.sum([each.sum(axis=1 - axis) for each in counts], axis=0)
        for axis in (0, 1)
        if direct[axis]
    ]
    if all(direct):
        sizes.append(np.sum(counts, axis=0).ravel())
    return any(bool(((each > 0) & (each < threshold)).any()) for each in sizes)


def _reports(
    strata: Sequence[_Stratum], pair: Sequence[str], answers: Mapping[str, Answers]
) -> rr_engine.crowd.ClusterReports:
    channels = [
        rr_engine.channels.ProductChannel(
            tuple(
                answers[name].channel(place.device)
                for name, place in zip(pair, stratum.devices, strict=True)
            )
        )
        for stratum in strata
    ]
    counts = [_recoded(stratum, pair, answers).ravel() for stratum in strata]
    return rr_engine.crowd.ClusterReports(tuple(pair), tuple(channels), tuple(counts))


def _recoded(
    stratum: _Stratum, pair: Sequence[str], answers: Mapping[str, Answers]
) -> npt.NDArray[np.int64]:
    counts = stratum.counts
    for axis, name in enumerate(pair):
        counts = answers[name].put_together(counts, axis)
    return counts
