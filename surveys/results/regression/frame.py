"""The people of an analysis: what each has reported to its questions, equal ones counted together.

A column is what one device reports of one person: a question has one, a multiple choice one for
each option. Nobody is left out because of a predictor: an answer that is missing is one more
category where the question is direct, and says nothing where it is randomized. So two analyses of
one outcome are of the same people. Who is in no analysis at all says `surveys.results.described`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import rr_engine
from rr_engine.regression.report_likelihoods import NO_REPORT
from surveys.kinds.multiple_choice import option_design
from surveys.parameters import Device, Parameters, Question, joint_of, parts_of_all, picked_of
from surveys.parameters.analyses import is_listed
from surveys.parameters.exact import channel_of
from surveys.responses.counting import content_with_parts
from surveys.responses.spaces import Space, space_of
from surveys.results.release import DeviceKey

# The number of a device and of one of its reports.
Report = tuple[int, int]
MISSING: Report = (0, NO_REPORT)
Waves = Sequence[tuple[str, Parameters]]


@dataclass(frozen=True, slots=True, eq=False)
class Reporter:
    """A device as a column sees it; `codes`: what each of its reports counts as there.

    None where each counts as itself. Of a set of ticks one option is seen, not ticked or ticked.
    """

    channel: rr_engine.channels.Channel
    space: Space
    codes: npt.NDArray[np.int64] | None = None

    def number(self, report: Any) -> int | None:
        number = self.space.number(report)
        return number if number is None or self.codes is None else int(self.codes[number])


@dataclass(frozen=True, slots=True, eq=False)
class AnswerColumn:
    """One question of the people, or an option of one: its devices of all waves and strata."""

    question: Question
    option: int | None
    reporters: tuple[Reporter, ...]
    devices: Mapping[DeviceKey, int]
    device_names: tuple[str, ...]
    direct: bool

    @property
    def name(self) -> str:
        return name_of_column(self.question.id, self.option)

    @property
    def channels(self) -> tuple[rr_engine.channels.Channel, ...]:
        return tuple(reporter.channel for reporter in self.reporters)

    def report(self, content: Mapping[str, Any], source: str) -> Report:
        """The report of a person; MISSING where there is none, or too few used the device."""
        for name in self.device_names:
            device = self.devices.get((source, name, content["strata"].get(name)))
            if device is not None:
                number = self.reporters[device].number(content["reports"][name])
                return MISSING if number is None else (device, number)
        return MISSING


def name_of_column(question: str, option: int | None = None) -> str:
    """The name of a column in its frame: that of a question, with a number behind it of options."""
    return question if option is None else f"{question}.{option}"


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """`rows`: shape (patterns, columns, 2), the device and the report; `people` of each."""

    columns: tuple[AnswerColumn, ...]
    rows: npt.NDArray[np.int64]
    people: npt.NDArray[np.int64]

    @property
    def n(self) -> int:
        return int(self.people.sum())

    def place(self, name: str) -> int:
        return [column.name for column in self.columns].index(name)

    def column(self, name: str) -> AnswerColumn:
        return self.columns[self.place(name)]

    def reports(self, name: str) -> npt.NDArray[np.int64]:
        """The report of each pattern; -1 where there is none."""
        return self.rows[:, self.place(name), 1]

    def with_report(self, name: str) -> "Frame":
        """The people who have a report in this column."""
        reported = self.reports(name) != NO_REPORT
        return Frame(self.columns, self.rows[reported], self.people[reported])

    def likelihoods(self, name: str) -> rr_engine.models.ReportLikelihoods:
        """Return what the reports of all people say of their answers, one row a person."""
        column, rows = self.column(name), self.each(self.rows[:, self.place(name)])
        return rr_engine.models.ReportLikelihoods(column.channels, rows[:, 1], rows[:, 0])

    def each(self, values: npt.NDArray) -> npt.NDArray:
        """Values of the patterns, once for each person."""
        return np.repeat(values, self.people, axis=0)


def columns_of(
    waves: Waves, names: Iterable[str], suppressed: frozenset[DeviceKey]
) -> tuple[AnswerColumn, ...]:
    """The columns of these questions; devices that too few people used are left out."""
    columns = []
    for name in dict.fromkeys(names):
        question = waves[-1][1].question(name)
        columns += [_column(waves, question, option, suppressed) for option in options_of(question)]
    return tuple(columns)


def options_of(question: Question) -> Sequence[int | None]:
    """Return what has columns: each option of a multiple choice, else the whole, as None."""
    return range(len(question.categories)) if question.several else [None]


def _column(
    waves: Waves, question: Question, option: int | None, suppressed: frozenset[DeviceKey]
) -> AnswerColumn:
    used = [
        ((source, device.id, device.stratum), device)
        for source, parameters in waves
        for device in parts_of_all(parameters.devices)
        if device.questions == (question.id,)
        and device.option in (None, option)
        and (source, device.id, device.stratum) not in suppressed
    ]
    return AnswerColumn(
        question,
        option,
        tuple(_reporter(device, question, option) for _, device in used),
        {key: number for number, (key, _) in enumerate(used)},
        tuple(dict.fromkeys(device.id for _, device in used)),
        not question.randomized,
    )


def _reporter(device: Device, question: Question, option: int | None) -> Reporter:
    channel, space = channel_of(device, question), space_of(device)
    if device.option == option:
        return Reporter(channel, space)
    design, groups = option_design(channel, option or 0, refusal=question.prefer_not)
    codes = np.zeros(channel.tally_size, dtype=np.int64)
    codes[groups[1]] = 1
    return Reporter(design, space, codes)


def frame_of(
    contents: Iterable[Mapping[str, Any]],
    waves: Waves,
    columns: Sequence[AnswerColumn],
) -> Frame:
    """The people with these report sets."""
    groups = {source: joint_of(parameters) for source, parameters in waves}
    patterns = Counter[tuple[Report, ...]]()
    for stored in contents:
        source = stored.get("source", "")
        content = content_with_parts(dict(stored), groups[source]) if groups[source] else stored
        patterns[tuple(column.report(content, source) for column in columns)] += 1
    rows = np.array(sorted(patterns), dtype=np.int64).reshape(-1, len(columns), 2)
    people = np.array([patterns[pattern] for pattern in sorted(patterns)], dtype=np.int64)
    return Frame(tuple(columns), rows, people)


def analysable(parameters: Parameters) -> list[Question]:
    """The questions that an analysis can be about."""
    return [question for question in parameters.questions if is_listed(question)]


def takes_analyses(parameters: Parameters) -> bool:
    """Whether there are two such questions whose answers by one person are kept together."""
    together = parameters.linkage == "together" and not picked_of(parameters)
    return together and len(analysable(parameters)) > 1
