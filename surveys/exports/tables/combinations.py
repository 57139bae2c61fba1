"""The joint tables of questions, whole: a row for each combination of answers, with how many
reports it has and its estimated share.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import BETWEEN, language_of
from surveys.exports.snapshot import take_counts
from surveys.exports.table import Column, Row, Table, Type
from surveys.exports.tables.estimates import number_columns, numbers_of
from surveys.models import Launch
from surveys.parameters import Parameters, joint_of
from surveys.responses.spaces import Counts
from surveys.results.joint_questions.estimates import JointCells, joint_counts, joint_name
from surveys.results.release import DeviceKey, Release
from surveys.results_document.tables import Combination

NAME = "combinations"
# The numbers of a share that a combination does not have.
NOT_OF_A_COMBINATION = ("low_sequence", "high_sequence")


def exists(parameters: Parameters) -> bool:
    """Whether a survey has joint questions."""
    return bool(joint_of(parameters))


def table(launch: Launch, step: int = 0) -> Table:
    """All combinations of the latest release; raises MovingError if the results lag behind."""
    keys = [device.key for device in joint_of(launch.parameters_at(step))]
    release, counts = take_counts(launch, step, keys)
    with translation.override(language_of(launch)):
        return Table(NAME, _("Combinations of answers"), _columns(), _rows(release, counts))


def _rows(release: Release, counts: Mapping[DeviceKey, Counts]) -> Iterator[Row]:
    """Yield rows in the order of the codes, the last question of a joint device running fastest.

    Its device is the same in all waves, so their reports add up.
    """
    population = release.parameters.population
    for device in joint_of(release.parameters):
        released = [
            joint_counts(device, tally)
            for key, tally in counts.items()
            if key[1:] == device.key and key not in release.suppressed
        ]
        if not released:
            continue
        labels = [release.parameters.question(name).categories for name in device.questions]
        reports = np.sum(released, axis=0)
        cells, n = JointCells(device, reports, population), int(reports.sum())
        for index in range(reports.size):
            yield _row(joint_name(device), n, cells.row(index), labels)


def _row(name: str, n: int, cell: Combination, labels: Sequence[Sequence[str]]) -> Row:
    answers = [answers[code] for answers, code in zip(labels, cell.codes, strict=True)]
    numbers = numbers_of(cell)[: -len(NOT_OF_A_COMBINATION)]
    return (name, " ".join(map(str, cell.codes)), BETWEEN.join(answers), n, *numbers)


def _columns() -> tuple[Column, ...]:
    texts = (
        Column("group", Type.TEXT, _("Group of questions that were sent together")),
        Column("codes", Type.TEXT, _("Numbers of the answers, counted from 0")),
        Column("answers", Type.TEXT, _("Answers to the questions of the group"), of_author=True),
        Column("n", Type.INTEGER, _("People who answered")),
    )
    return texts + tuple(
        column for column in number_columns() if column.name not in NOT_OF_A_COMBINATION
    )
