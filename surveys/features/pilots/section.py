"""Random pairs: each person is asked one pair of the questions, which chance picks on the page.

Each pair is a stratum of the one device `PAIR`, with its own joint table, so that a person spends
the epsilon of one of them and a response says which (Domingo-Ferrer 2018, section 4: dependence is
measured by randomized response on each pair). static/js/features/pilots/rules.js has the twin.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from surveys.features import crossed_pairs
from surveys.features.parts import DocumentPart
from surveys.parameters.document import Device, Parameters
from surveys.parameters.joint import is_picked, picked_of, picked_questions, problems_of_joint
from surveys.parameters.tables import Joint
from surveys.parameters.types import Problem

NAME: Final = "pilots"
PAIR: Final = "pair"
# Of so many questions each person is asked.
ASKED = 2
LEAST_PAIRED, MOST_PAIRED = 3, 20


def pair_stratum(first: int, second: int) -> str:
    """The stratum of the pair of these questions, by their places in the survey from 0 on."""
    return f"pair_{first + 1}_{second + 1}"


class PilotsInDocument(DocumentPart):
    mark = "picked"

    def is_used(self, parameters: Parameters) -> bool:
        return bool(picked_of(parameters))

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        pairs = picked_of(parameters)
        if not pairs:
            return
        places = {question.id: index for index, question in enumerate(parameters.questions)}
        for index, device in enumerate(parameters.devices):
            if is_picked(device):
                yield from _of_pair(device, parameters, places, f"devices.{index}")
        yield from _of_all(parameters, pairs)


def _of_pair(
    device: Device, parameters: Parameters, places: dict[str, int], field: str
) -> Iterator[Problem]:
    names, table = device.questions, device.table
    if len(names) != 2 or not isinstance(table, Joint):
        yield "bad_pairs", f"{field}.questions", "two questions"
    elif not places.keys() >= set(names):
        yield "unknown_question", f"{field}.questions", "questions of the survey"
    elif places[names[0]] >= places[names[1]]:
        yield "bad_pairs", f"{field}.questions", "in the order of the survey"
    elif device.id != PAIR:
        yield "bad_name", f"{field}.id", f"{PAIR!r}"
    elif device.stratum != pair_stratum(places[names[0]], places[names[1]]):
        yield "bad_pairs", f"{field}.stratum", "pair_ and the numbers of its questions"
    else:
        if device.option is not None:
            yield "bad_option", f"{field}.option", "a pair has no options"
        asked = [parameters.questions[places[name]] for name in names]
        yield from problems_of_joint(asked, table, field)


def _of_all(parameters: Parameters, pairs: Sequence[Device]) -> Iterator[Problem]:
    names = [question.id for question in picked_questions(parameters)]
    if not LEAST_PAIRED <= len(names) <= MOST_PAIRED:
        yield "bad_pairs", "devices", f"pairs of {LEAST_PAIRED} to {MOST_PAIRED} questions"
    if [device.questions for device in pairs] != list(combinations(names, 2)):
        yield "bad_pairs", "devices", "every pair of the paired questions once, in their order"
    others = {
        name for device in parameters.devices if not is_picked(device) for name in device.questions
    }
    for index, question in enumerate(parameters.questions):
        if question.id in names and question.id in others:
            yield "not_covered", f"questions.{index}", "in pairs only, or not in any"
    for index, table in enumerate(crossed_pairs(parameters)):
        if set(table) & set(names):
            yield "bad_table", f"tables.{index}", "of a paired question there are its pairs only"
