"""Of how many simulated people something is reported, where answers that all can see decide."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from surveys.features import FEATURES
from surveys.kinds import KINDS
from surveys.parameters import Parameters

# In the place of a report of somebody who is not asked.
NOTHING = -1


def people_asked(
    document: Parameters,
    truth: Mapping[str, Sequence[float]],
    n: int,
    generator: np.random.Generator,
) -> dict[str, int]:
    """Return how many of `n` people with these true shares report to a device, by its id.

    Only devices are in it of which nothing is reported of some people.
    """
    conditions = [each for one in FEATURES.values() for each in one.answers.conditions(document)]
    reports: dict[str, npt.NDArray[np.int64]] = {}
    people: dict[str, int] = {}
    for condition in conditions:
        compared = sorted(condition.compared)
        for name in compared:
            if name not in reports:
                _answer(document, truth, name, n, generator, reports)
        rows, person = np.unique(
            np.column_stack([reports[name] for name in compared]), axis=0, return_inverse=True
        )
        holds = [condition.holds(_given(compared, row)) for row in rows.tolist()]
        asked = np.array(holds)[person.reshape(-1)]
        for name in condition.devices:
            people[name] = int(asked.sum())
            _answer(document, truth, name, n, generator, reports)
            reports[name] = np.where(asked, reports[name], NOTHING)
    return people


def _answer(
    document: Parameters,
    truth: Mapping[str, Sequence[float]],
    device: str,
    n: int,
    generator: np.random.Generator,
    reports: dict[str, npt.NDArray[np.int64]],
) -> None:
    """Fill in what all people report to the devices of a question that is sent as it is."""
    (name,) = next(each.questions for each in document.devices if each.id == device)
    question = document.question(name)
    kind = KINDS[question.kind]
    answers = kind.draw_answers(question, truth[name], n, generator)
    for each in document.devices_of(question):
        if each.id not in reports:
            reports[each.id] = kind.truths(question, each, answers)


def _given(compared: Sequence[str], row: Sequence[int]) -> dict[str, int]:
    return {name: report for name, report in zip(compared, row, strict=True) if report != NOTHING}
