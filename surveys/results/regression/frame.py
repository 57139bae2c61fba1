"""The people of an analysis: what each has reported to its questions, equal ones counted together.

Nobody is left out because of a predictor: an answer that is missing is one more category where the
question is direct, and says nothing where it is randomized. So two analyses of one outcome are of
the same people. Only of direct questions that a few left out these few are in no analysis at all.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import rr_engine
from rr_engine.regression.report_likelihoods import NO_REPORT
from surveys.parameters import Parameters, Question, joint_of, pairs_of, parts_of_all
from surveys.parameters.analysis_rules import is_listed
from surveys.parameters.exact import channel_of
from surveys.responses.counting import content_with_parts
from surveys.responses.spaces import Space, space_of
from surveys.results.release import DeviceKey

# The name of a source of reports, and that of a stratum.
Place = tuple[str, str]
# The number of a device and of one of its reports.
Report = tuple[int, int]
MISSING: Report = (0, NO_REPORT)
Waves = Sequence[tuple[str, Parameters]]


@dataclass(frozen=True, slots=True, eq=False)
class AnswerColumn:
    """One question of the people: its devices of all waves and strata, by where they were used."""

    question: Question
    channels: tuple[rr_engine.Channel, ...]
    spaces: tuple[Space, ...]
    devices: Mapping[Place, int]
    direct: bool

    def report(self, content: Mapping[str, Any], source: str) -> Report:
        """The report of a person; MISSING where there is none, or too few used the device."""
        name = self.question.id
        device = self.devices.get((source, content["strata"].get(name)))
        if device is None:
            return MISSING
        number = self.spaces[device].number(content["reports"][name])
        return MISSING if number is None else (device, number)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """`rows`: shape (patterns, questions, 2), the device and the report; `people` of each."""

    columns: tuple[AnswerColumn, ...]
    rows: npt.NDArray[np.int64]
    people: npt.NDArray[np.int64]

    @property
    def n(self) -> int:
        return int(self.people.sum())

    def place(self, question: str) -> int:
        return [column.question.id for column in self.columns].index(question)

    def column(self, question: str) -> AnswerColumn:
        return self.columns[self.place(question)]

    def reports(self, question: str) -> npt.NDArray[np.int64]:
        """The report of each pattern; -1 where there is none."""
        return self.rows[:, self.place(question), 1]

    def with_report(self, question: str) -> "Frame":
        """The people who have a report to this question."""
        reported = self.reports(question) != NO_REPORT
        return Frame(self.columns, self.rows[reported], self.people[reported])

    def likelihoods(self, question: str) -> rr_engine.ReportLikelihoods:
        """What the reports of all people say of their answers, one row a person."""
        column, rows = self.column(question), self.each(self.rows[:, self.place(question)])
        return rr_engine.ReportLikelihoods(column.channels, rows[:, 1], rows[:, 0])

    def each(self, values: npt.NDArray) -> npt.NDArray:
        """Values of the patterns, once for each person."""
        return np.repeat(values, self.people, axis=0)


def columns_of(
    waves: Waves, names: Iterable[str], suppressed: frozenset[DeviceKey]
) -> tuple[AnswerColumn, ...]:
    """The columns of these questions; devices that too few people used are left out."""
    return tuple(_column(waves, name, suppressed) for name in dict.fromkeys(names))


def _column(waves: Waves, name: str, suppressed: frozenset[DeviceKey]) -> AnswerColumn:
    question = waves[-1][1].question(name)
    used = [
        ((source, device.stratum), device)
        for source, parameters in waves
        for device in parts_of_all(parameters.devices)
        if device.questions == (name,) and (source, device.id, device.stratum) not in suppressed
    ]
    return AnswerColumn(
        question,
        tuple(channel_of(device, question) for _, device in used),
        tuple(space_of(device) for _, device in used),
        {place: number for number, (place, _) in enumerate(used)},
        not question.randomized,
    )


def few_left_out(content: Mapping[str, Any], threshold: int) -> list[str]:
    """The direct questions of results that some people left out, but fewer than the threshold."""
    left_out = {
        question["id"]: content["responses"] - question["n"] - question["suppressed"]
        for question in content["questions"]
        if not question["randomized"]
    }
    return [name for name, people in left_out.items() if 0 < people < threshold]


def frame_of(
    contents: Iterable[Mapping[str, Any]],
    waves: Waves,
    columns: Sequence[AnswerColumn],
    answered: Iterable[str],
) -> Frame:
    """The people who have a report to each question of `answered`."""
    groups = {source: joint_of(parameters) for source, parameters in waves}
    needed, patterns = tuple(answered), Counter[tuple[Report, ...]]()
    for stored in contents:
        source = stored.get("source", "")
        content = content_with_parts(dict(stored), groups[source]) if groups[source] else stored
        if all(name in content["reports"] for name in needed):
            patterns[tuple(column.report(content, source) for column in columns)] += 1
    rows = np.array(sorted(patterns), dtype=np.int64).reshape(-1, len(columns), 2)
    people = np.array([patterns[pattern] for pattern in sorted(patterns)], dtype=np.int64)
    return Frame(tuple(columns), rows, people)


def analysable(parameters: Parameters) -> list[Question]:
    """The questions that an analysis can be about."""
    return [question for question in parameters.questions if is_listed(question)]


def takes_analyses(parameters: Parameters) -> bool:
    """Whether there are two such questions whose answers by one person are kept together."""
    together = parameters.linkage == "together" and not pairs_of(parameters)
    return together and len(analysable(parameters)) > 1
