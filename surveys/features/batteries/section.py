"""Batteries in the frozen document: which questions are items below one text.

Each item is a question like any other, with its own reports and estimates; what they have in
common is said once. static/js/features/batteries/rules.js has the twin of the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Final

import msgspec
from msgspec.structs import replace

from surveys.features.parts import DocumentPart, Said
from surveys.parameters.document import Parameters, Question
from surveys.parameters.joint import LISTED, is_joint
from surveys.parameters.types import Frozen, Problem, QuestionName, ToldText

NAME: Final = "batteries"
FEWEST, MOST = 2, 20
BAD: Final = "bad_battery"


class Battery(Frozen, frozen=True):
    """Questions that follow one another, with the text of which each is an item.

    `random`: whether chance picks the order of the items.
    """

    text: ToldText
    questions: tuple[QuestionName, ...]
    random: bool


def frozen_batteries(parameters: Parameters) -> tuple[Battery, ...]:
    """Return the batteries of a document in their order; none where it has none."""
    return parameters.section(NAME) or ()


def said_in(batteries: Sequence[Battery]) -> list[Said]:
    """Return their texts, each before its items."""
    return [Said(f"{NAME}.{i}.text", x.text, x.questions) for i, x in enumerate(batteries)]


class BatteriesInDocument(DocumentPart):
    optional_sections = {NAME: Annotated[tuple[Battery, ...], msgspec.Meta(min_length=1)]}

    def asked_together(self, parameters: Parameters) -> Sequence[Sequence[str]]:
        return [battery.questions for battery in frozen_batteries(parameters)]

    def said(self, parameters: Parameters) -> Sequence[Said]:
        return said_in(frozen_batteries(parameters))

    def may_come_first(self, parameters: Parameters, later: str, earlier: str) -> bool:
        return any(
            battery.random and {later, earlier} <= set(battery.questions)
            for battery in frozen_batteries(parameters)
        )

    def common_texts(self, parameters: Parameters) -> Mapping[str, str]:
        batteries = frozen_batteries(parameters)
        return {name: battery.text for battery in batteries for name in battery.questions}

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        places = {question.id: place for place, question in enumerate(parameters.questions)}
        batteries = frozen_batteries(parameters)
        for index, battery in enumerate(batteries):
            yield from _of_battery(battery, parameters, places, f"{NAME}.{index}")
        known = [places.get(name, -1) for battery in batteries for name in battery.questions]
        if any(later <= earlier for earlier, later in pairwise(known)):
            yield BAD, NAME, "each question in one battery, in the order of the questions"


def _of_battery(
    battery: Battery, parameters: Parameters, places: Mapping[str, int], field: str
) -> Iterator[Problem]:
    names = battery.questions
    if not places.keys() >= set(names):
        yield "unknown_question", f"{field}.questions", "questions of the survey"
        return
    if not FEWEST <= len(names) <= MOST:
        yield BAD, f"{field}.questions", f"{FEWEST} to {MOST} questions"
        return
    first = places[names[0]]
    if [places[name] for name in names] != list(range(first, first + len(names))):
        yield BAD, f"{field}.questions", "questions that follow one another, in their order"
        return
    items = parameters.questions[first : first + len(names)]
    alike = {_asked(item) for item in items}
    if len(alike) > 1 or items[0].control not in LISTED:
        rule = "questions of which one listed answer is true, with the same answers and rules"
        yield BAD, f"{field}.questions", rule
    elif not _are_drawn_alike(items, parameters):
        rule = "one device for all of them, or the same device for each"
        yield BAD, f"{field}.questions", rule


def _asked(item: Question) -> tuple[Any, ...]:
    """What items have in common beside their devices."""
    flags = (item.required, item.prefer_not, item.randomized, bool(item.not_applicable))
    return (item.categories, item.control, *flags)


def _are_drawn_alike(items: Sequence[Question], parameters: Parameters) -> bool:
    devices = [parameters.devices_of(item) for item in items]
    if any(is_joint(device) for own in devices for device in own):
        names = [item.id for item in items]
        return all(list(device.questions) == names for own in devices for device in own)
    alike = {tuple(replace(device, id="", questions=()) for device in own) for own in devices}
    return len(alike) == 1
