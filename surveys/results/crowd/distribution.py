"""The crowd of a release: the pooled distribution behind its reports, of questions of one answer.

A cluster is what one device asks: a question, or several joint ones. Its strata, such as a
physical randomizer or earlier waves, are pooled. Where one person's answers are kept together,
every pair of questions has a table as well. What was not measured together is in no statistic and
in no file together: nothing is taken as independent. Only counts that the release publishes are
used, and pairs by the rules of tables (pairs.py). docs/methods/pooled.md
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import comb, prod

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.kinds import KINDS
from surveys.parameters import Device, Parameters, Question, Table
from surveys.parameters.exact import channel_of
from surveys.responses.pair_counts import ALL_PAIRS, all_pairs
from surveys.responses.spaces import Counts, space_of
from surveys.results.crowd.answers import Answers, answers_of
from surveys.results.crowd.pairs import APART, Pair, measured_pairs
from surveys.results.release import DeviceKey, Release

# Largest number of cells of a cluster, and of all clusters that overlap, so that a request or a
# download takes about a second.
LARGEST_CLUSTER, LARGEST_OVERLAP = 2**17, 2**16
# Rows of a file of people who are drawn at most, and those that are drawn at once.
MOST_PEOPLE, AT_ONCE = 100_000, 2000
# The tally of the report space of devices whose counts no question has, and of all pairs, of all
# waves.
JointCounts = Mapping[DeviceKey, Counts]
Questions = tuple[str, ...]


@dataclass(slots=True)
class _Cluster:
    """The strata of one set of questions; reports to one and the same table are one of them."""

    tables: list[Table] = field(default_factory=list)
    channels: list[rr_engine.channels.Channel] = field(default_factory=list)
    counts: list[npt.NDArray[np.int64]] = field(default_factory=list)
    priors: list[tuple[float, ...] | None] = field(default_factory=list)

    def add(
        self, device: Device, channel: rr_engine.channels.Channel, tally: npt.NDArray[np.int64]
    ) -> None:
        if device.table in self.tables:
            place = self.tables.index(device.table)
            self.counts[place] = self.counts[place] + tally
            return
        self.tables.append(device.table)
        self.channels.append(channel)
        self.counts.append(tally)
        search = device.search
        self.priors.append(tuple(map(float, search.prior)) if search else None)

    def reports(self, names: Questions) -> rr_engine.crowd.ClusterReports:
        """A searched device is as accurate as declared where its prior weighs the reports."""
        prior = self.priors[0] if len(self.priors) == 1 else None
        return rr_engine.crowd.ClusterReports(
            names, tuple(self.channels), tuple(self.counts), prior
        )


@dataclass(frozen=True)
class Crowd:
    """`distribution` is None if no question fits, and if clusters together are too large.

    `withheld`: why two questions have no table.
    """

    release: Release
    answers: Mapping[str, Answers]
    distribution: rr_engine.crowd.PooledDistribution | None
    too_large: bool
    seed: int
    withheld: Mapping[Pair, str] = field(default_factory=dict)

    @property
    def people(self) -> int:
        """How many responses the release rests on."""
        return self.release.responses

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(each.question for each in self.answers.values())

    def question(self, name: str) -> Question:
        return self.answers[name].question

    def labels(self, name: str) -> tuple[str, ...]:
        """The answers that a question has here."""
        return self.answers[name].labels

    @property
    def put_together(self) -> tuple[Answers, ...]:
        """The questions some of whose answers were put together."""
        return tuple(each for each in self.answers.values() if each.recoded)

    def apart(self, names: Iterable[str]) -> dict[tuple[str, str], str]:
        """The pairs of these questions that were not measured together, each with the reason."""
        wanted = set(names)
        ordered = [name for name in self.answers if name in wanted]
        return {
            pair: self.withheld.get(frozenset(pair), APART)
            for pair in combinations(ordered, 2)
            if not self.together(*pair)
        }

    def together(self, first: str, second: str) -> bool:
        """Whether two questions were measured together: as a pair, or by overlapping devices."""
        if self.distribution is None:
            return False
        one_component = any(
            {first, second} <= set(part.names) for part in self.distribution.components
        )
        return one_component or frozenset((first, second)) in self.distribution.pairs

    @cached_property
    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """Questions of which all pairs were measured together: each question is in one at least.

        The largest comes first. A question whose pairs are withheld here and there has a block of
        its own with all that it was measured with.
        """
        names = list(self.answers) if self.distribution else []
        near = {name: {each for each in names if self.together(name, each)} for name in names}
        most = sorted(names, key=lambda name: -len(near[name]))
        found: list[tuple[str, ...]] = []
        for start in most:
            if not any(start in block for block in found):
                block = [start]
                for name in most:
                    if name != start and near[name].issuperset(block):
                        block.append(name)
                found.append(tuple(name for name in names if name in block))
        return tuple(sorted(found, key=len, reverse=True))

    @property
    def left_out(self) -> tuple[Question, ...]:
        """The questions of the survey that are not in the crowd."""
        inside = {question.id for question in self.questions}
        asked = self.release.parameters.questions
        return tuple(question for question in asked if question.id not in inside)

    @property
    def numeric(self) -> tuple[Question, ...]:
        """The questions whose answers stand for numbers."""
        return tuple(each.question for each in self.answers.values() if each.scores is not None)


def crowd_of(release: Release, joint: JointCounts) -> Crowd:
    """The crowd of a release; `joint`: tallies of its devices over several questions, and of all
    pairs.
    """
    answers = _answers(release)
    clusters = _clusters(release, answers, joint)
    covered = {name for names in clusters for name in names}
    asked = {name: each for name, each in answers.items() if name in covered}
    seed = seed_of(release)
    if not clusters:
        return Crowd(release, asked, None, False, seed)
    attributes = [each.attribute() for each in asked.values()]
    reports = [cluster.reports(names) for names, cluster in clusters.items()]
    pairs = measured_pairs(release, joint, asked)
    measured = [each for each in pairs.reports if not _held(each.attributes, clusters)]
    try:
        distribution = rr_engine.crowd.pooled_distribution(attributes, reports, measured)
    except rr_engine.errors.DesignError as error:
        if error.code != "too_many_cells":
            raise
        return Crowd(release, asked, None, True, seed)
    too_large = any(
        len(part.clusters) > 1 and part.cells * len(part.clusters) > LARGEST_OVERLAP
        for part in distribution.components
    )
    found = None if too_large else distribution
    return Crowd(release, asked, found, too_large, seed, pairs.withheld)


def _answers(release: Release) -> dict[str, Answers]:
    """The answers of the questions that fit, as the tables of the release combine them."""
    questions = release.content.questions if release.content else ()
    recodings = release.content.recodings if release.content else {}
    counts = _published_counts(release)
    people: dict[str, list[int]] = {}
    for question in questions:
        tallies = [counts[each.key] for each in question.devices if each.key in counts]
        if tallies and not question.randomized:
            people[question.id] = np.sum(tallies, axis=0).tolist()
    return {
        each.id: answers_of(each, recodings.get(each.id, ()), people.get(each.id, ()))
        for each in release.parameters.questions
        if _fits(each)
    }


def _held(names: Questions, clusters: Iterable[Questions]) -> bool:
    """Whether overlapping clusters hold both already, so that they need no pair."""
    return _component(names[0], clusters) == _component(names[1], clusters)


def _component(name: str, clusters: Iterable[Questions]) -> frozenset[str]:
    """The questions that clusters relate to this one, directly or through others."""
    found, before = {name}, set[str]()
    while found != before:
        before = set(found)
        for names in clusters:
            if before & set(names):
                found |= set(names)
    return frozenset(found)


def seed_of(release: Release) -> int:
    """The seed of all that is drawn from this release: the same for everybody at any time.

    So a page that is loaded again shows the same numbers, a link to it can be cited, and nobody can
    pick the draws that suit them.
    """
    text = f"{release.launch.digest_at(release.step)}:{release.revision}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])


def joint_keys(parameters: Parameters) -> list[tuple[str, str]]:
    """The tallies that no single question has: of devices over several, and of all pairs."""
    several = [device.key for device in parameters.devices if len(device.questions) > 1]
    return [*several, *([ALL_PAIRS] if all_pairs(parameters) else [])]


def has_crowd(parameters: Parameters) -> bool:
    """Whether a survey has questions of which exactly one answer is true."""
    return any(map(_fits, parameters.questions))


def pairs_in(parameters: Parameters) -> int:
    """How many pairs of questions have a table of their own at most."""
    space = all_pairs(parameters)
    return comb(len({each.device.questions for each in space.places}), 2) if space else 0


def _fits(question: Question) -> bool:
    """Whether exactly one of the categories is a person's true answer."""
    kind = KINDS[question.kind]
    return kind.has_margin and not (kind.several or question.whole_scale)


def _clusters(
    release: Release, answers: Mapping[str, Answers], joint: JointCounts
) -> dict[Questions, _Cluster]:
    """The clusters by their questions, in the order of the devices of all waves."""
    counts = _published_counts(release)
    clusters: dict[Questions, _Cluster] = {}
    used = [(source, each) for source, wave in release.waves() for each in wave.devices]
    for source, device in used:
        if not set(device.questions) <= answers.keys() or device.option is not None:
            continue
        asked = [answers[name] for name in device.questions]
        key = (source, *device.key)
        tally = counts.get(key)
        if len(asked) > 1 and key not in release.suppressed:
            tally = space_of(device).array(joint.get(key)).ravel()
        channel = channel_of(device, asked[0].question)
        if tally is not None and asked[0].recoded:
            channel, tally = asked[0].channel(device), asked[0].put_together(tally)
        if tally is None or not tally.any() or not _is_cluster(channel, asked, tally):
            continue
        clusters.setdefault(device.questions, _Cluster()).add(device, channel, tally)
    return clusters


def _published_counts(release: Release) -> dict[DeviceKey, npt.NDArray[np.int64]]:
    """The counts of single questions; none of devices whose reports are in no estimate."""
    questions = release.content.questions if release.content else ()
    counts = {device.key: device.counts for question in questions for device in question.devices}
    return {key: np.array(each) for key, each in counts.items() if key not in release.suppressed}


def _is_cluster(
    channel: rr_engine.channels.Channel, asked: Sequence[Answers], tally: npt.NDArray[np.int64]
) -> bool:
    cells = prod(len(each.labels) for each in asked)
    fits = channel.exclusive and channel.truth_size == cells and channel.tally_size == tally.size
    return fits and cells <= LARGEST_CLUSTER


# --- people drawn from the crowd, some at a time ------------------------------------------------


def synthetic_size(crowd: Crowd) -> int:
    """How many people are drawn: as many as have answered."""
    return min(crowd.people, MOST_PEOPLE) if crowd.distribution else 0


def synthetic_people(crowd: Crowd, block: int = 0) -> Iterator[list[int]]:
    """The codes of the answers of each to the questions of a block, in its order.

    Answers that were put together have the code of the first of them. Drawn anew for each batch of
    rows, with seeds of their own, so that a file of any length takes constant memory and is the
    same each time.
    """
    if crowd.distribution is None:
        return
    count, names = synthetic_size(crowd), crowd.blocks[block]
    codes = [np.array([each[0] for each in crowd.answers[name].together]) for name in names]
    for batch, start in enumerate(range(0, count, AT_ONCE)):
        size = min(AT_ONCE, count - start)
        # The seeds of two releases are 32 bits apart at most; their batches must not meet.
        people = crowd.distribution.synthetic(size, crowd.seed + (batch << 32), names)
        columns = [each[people[:, place]] for place, each in enumerate(codes)]
        yield from np.column_stack(columns).tolist()
