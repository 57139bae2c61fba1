"""The crowd of a release: the pooled distribution behind its reports, of questions of one answer.

A cluster is what one device asks: a question, or all questions of a group. Its strata, such as a
physical randomizer or earlier waves, are pooled. What is in no cluster together is taken as
independent. Only counts that the release publishes are used, so that nothing of a crowd says more
than the results do. docs/methods/pooled.md
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.kinds import KINDS
from surveys.kinds.number_estimates import bins_of
from surveys.parameters import Device, Parameters, Question, Table
from surveys.parameters.exact import channel_of
from surveys.responses.spaces import Counts, space_of
from surveys.results.release import DeviceKey, Release

# Largest number of cells of a cluster, and of all clusters that overlap, so that a request or a
# download takes about a second.
LARGEST_CLUSTER, LARGEST_OVERLAP = 2**17, 2**16
# The tally of the report space of devices whose counts no question has, of all waves.
JointCounts = Mapping[DeviceKey, Counts]
Questions = tuple[str, ...]


@dataclass(slots=True)
class _Cluster:
    """The strata of one set of questions; reports to one and the same table are one of them."""

    tables: list[Table] = field(default_factory=list)
    channels: list[rr_engine.Channel] = field(default_factory=list)
    counts: list[npt.NDArray[np.int64]] = field(default_factory=list)
    priors: list[tuple[float, ...] | None] = field(default_factory=list)

    def add(self, device: Device, channel: rr_engine.Channel, tally: npt.NDArray[np.int64]) -> None:
        if device.table in self.tables:
            place = self.tables.index(device.table)
            self.counts[place] = self.counts[place] + tally
            return
        self.tables.append(device.table)
        self.channels.append(channel)
        self.counts.append(tally)
        search = device.search
        self.priors.append(tuple(map(float, search.prior)) if search else None)

    def reports(self, names: Questions) -> rr_engine.ClusterReports:
        """A searched device is as accurate as declared where its prior weighs the reports."""
        prior = self.priors[0] if len(self.priors) == 1 else None
        return rr_engine.ClusterReports(names, tuple(self.channels), tuple(self.counts), prior)


@dataclass(frozen=True, slots=True)
class Crowd:
    """`distribution` is None if no question fits, and if clusters together are too large."""

    release: Release
    questions: tuple[Question, ...]
    distribution: rr_engine.PooledDistribution | None
    too_large: bool
    seed: int

    @property
    def people(self) -> int:
        """How many responses the release rests on."""
        return self.release.responses

    def question(self, name: str) -> Question:
        return next(question for question in self.questions if question.id == name)

    @property
    def left_out(self) -> tuple[Question, ...]:
        """The questions of the survey that are not in the crowd."""
        inside = {question.id for question in self.questions}
        asked = self.release.parameters.questions
        return tuple(question for question in asked if question.id not in inside)

    @property
    def numeric(self) -> tuple[Question, ...]:
        """The questions whose answers stand for numbers."""
        return tuple(question for question in self.questions if scores_of(question) is not None)


def crowd_of(release: Release, joint: JointCounts) -> Crowd:
    """The crowd of a release; `joint`: tallies of its devices over several questions."""
    questions = {each.id: each for each in release.parameters.questions if _fits(each)}
    clusters = _clusters(release, questions, joint)
    covered = {name for names in clusters for name in names}
    asked = tuple(each for name, each in questions.items() if name in covered)
    seed = seed_of(release)
    if not clusters:
        return Crowd(release, asked, None, False, seed)
    attributes = [attribute_of(question) for question in asked]
    reports = [cluster.reports(names) for names, cluster in clusters.items()]
    try:
        distribution = rr_engine.pooled_distribution(attributes, reports)
    except rr_engine.DesignError as error:
        if error.code != "too_many_cells":
            raise
        return Crowd(release, asked, None, True, seed)
    too_large = any(
        len(part.clusters) > 1 and part.cells * len(part.clusters) > LARGEST_OVERLAP
        for part in distribution.components
    )
    return Crowd(release, asked, None if too_large else distribution, too_large, seed)


def seed_of(release: Release) -> int:
    """The seed of all that is drawn from this release: the same for everybody at any time.

    So a page that is loaded again shows the same numbers, a link to it can be cited, and nobody can
    pick the draws that suit them.
    """
    text = f"{release.launch.digest_at(release.rung)}:{release.revision}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])


def joint_keys(parameters: Parameters) -> list[tuple[str, str]]:
    """The devices whose counts no single question has."""
    return [device.key for device in parameters.devices if len(device.questions) > 1]


def has_crowd(parameters: Parameters) -> bool:
    """Whether a survey has questions of which exactly one answer is true."""
    return any(map(_fits, parameters.questions))


def _fits(question: Question) -> bool:
    """Whether exactly one of the categories is a person's true answer."""
    kind = KINDS[question.kind]
    return kind.has_margin and not (kind.several or question.whole_scale)


def _clusters(
    release: Release, questions: Mapping[str, Question], joint: JointCounts
) -> dict[Questions, _Cluster]:
    """The clusters by their questions, in the order of the devices of all waves."""
    counts = _published_counts(release)
    clusters: dict[Questions, _Cluster] = {}
    for source, device in _devices(release):
        if not set(device.questions) <= questions.keys() or device.option is not None:
            continue
        asked = [questions[name] for name in device.questions]
        key = (source, *device.key)
        tally = counts.get(key)
        if len(asked) > 1 and key not in release.suppressed:
            tally = space_of(device).array(joint.get(key)).ravel()
        channel = channel_of(device, asked[0])
        if tally is None or not tally.any() or not _is_cluster(channel, asked, tally):
            continue
        clusters.setdefault(device.questions, _Cluster()).add(device, channel, tally)
    return clusters


def _devices(release: Release) -> list[tuple[str, Device]]:
    """The devices of all waves, each with the name of its wave."""
    launch, rung = release.launch, release.rung
    if launch.wave == 1:
        return [("", device) for device in release.parameters.devices]
    return [
        (launch.source_of(wave.wave), device)
        for wave in launch.waves()
        for device in wave.parameters_at(rung).devices
    ]


def _published_counts(release: Release) -> dict[DeviceKey, npt.NDArray[np.int64]]:
    """The counts of single questions; none of devices whose reports are in no estimate."""
    questions = release.content["questions"] if release.content else []
    counts = {
        (device["source"], device["id"], device["stratum"]): device["counts"]
        for question in questions
        for device in question["devices"]
    }
    return {key: np.array(each) for key, each in counts.items() if key not in release.suppressed}


def _is_cluster(
    channel: rr_engine.Channel, asked: Sequence[Question], tally: npt.NDArray[np.int64]
) -> bool:
    cells = prod(len(question.categories) for question in asked)
    fits = channel.exclusive and channel.truth_size == cells and channel.tally_size == tally.size
    return fits and cells <= LARGEST_CLUSTER


# --- questions as attributes --------------------------------------------------------------------


def attribute_of(question: Question) -> rr_engine.CrowdAttribute:
    scale = question.scale
    return rr_engine.CrowdAttribute(
        question.id,
        question.categories,
        scores_of(question),
        tuple(bins_of(scale).boundaries.tolist()) if scale else None,
    )


def scores_of(question: Question) -> tuple[float | None, ...] | None:
    """The numbers that the answers stand for: 0 and 1 of No and Yes, 1, 2, ... of a scale, the
    middles of bins; None where they stand for none.
    """
    kind = KINDS[question.kind]
    refusal = (None,) * question.prefer_not
    if question.scale is not None:
        return (*bins_of(question.scale).middles.tolist(), *refusal)
    if kind.opposites or kind.ordered:
        first = 0 if kind.opposites else 1
        return (*(float(first + place) for place in range(question.answer_count)), *refusal)
    return None
