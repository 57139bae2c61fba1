"""The rules for batteries of a draft, by question; section.py has those of a document."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.author_texts import paragraphs
from surveys.devices.chance_strata import chance_strata
from surveys.drafts import Draft
from surveys.features import FEATURES
from surveys.features.batteries.section import MOST
from surveys.features.batteries.settings import item_of
from surveys.kinds import KINDS, categories, kind_of
from surveys.models import Question
from surveys.parameters.joint import LISTED


@dataclass(frozen=True, slots=True)
class DraftBattery:
    """The questions of a draft that share a number, with their places among all, from 0 on."""

    number: int
    places: tuple[int, ...]
    questions: tuple[Question, ...]

    @property
    def text(self) -> str:
        """The first text that is written at one of them."""
        return next((text for x in self.questions if (text := item_of(x).text)), "")

    @property
    def random(self) -> bool:
        """Whether one of them says that chance picks their order."""
        return any(item_of(question).random for question in self.questions)


def batteries_in(questions: Iterable[Question]) -> list[DraftBattery]:
    """Return the batteries of a draft by the places of their first questions, also broken ones."""
    members: dict[int, dict[int, Question]] = {}
    for place, question in enumerate(questions):
        if number := item_of(question).number:
            members.setdefault(number, {})[place] = question
    return [
        DraftBattery(number, tuple(items), tuple(items.values()))
        for number, items in members.items()
    ]


def free_number(questions: Iterable[Question]) -> int:
    used = {item_of(question).number for question in questions}
    return next(number for number in range(1, len(used) + 2) if number not in used)


@dataclass(frozen=True, slots=True)
class BatteryProblem:
    """`question`: the one that it is about."""

    code: str
    question: Question
    message: str


def battery_problems(questions: Sequence[Question]) -> Iterator[BatteryProblem]:
    """Yield what stands against the batteries of these questions, which are in their order."""
    for battery in batteries_in(questions):
        yield from problems_of(battery, questions)


def problems_of(battery: DraftBattery, questions: Sequence[Question]) -> Iterator[BatteryProblem]:
    yield from _of_number(battery)
    yield from _of_kind(battery)
    yield from _of_draw(battery, questions)
    yield from _of_parts(battery, questions)


def _of_number(battery: DraftBattery) -> Iterator[BatteryProblem]:
    first = battery.questions[0]
    if len(battery.questions) < 2:
        message = _(
            "Its battery has no other question. Choose this battery for another question too, or "
            "ask this one on its own."
        )
        yield BatteryProblem("battery_of_one", first, message)
    if len(battery.questions) > MOST:
        message = _("A battery has %(most)s questions at most. Make two of it.")
        yield BatteryProblem("battery_too_long", first, message % {"most": numbers.count(MOST)})
    if not paragraphs(battery.text):
        message = _("Write the text above its battery, which all of its questions share.")
        yield BatteryProblem("battery_without_text", first, message)
    for run in numbers.runs(battery.places)[1:]:
        question = battery.questions[battery.places.index(run[0])]
        message = _(
            "The questions of a battery must follow one another. Move this one next to the others, "
            "or ask it on its own."
        )
        yield BatteryProblem("battery_apart", question, message)


def _of_kind(battery: DraftBattery) -> Iterator[BatteryProblem]:
    first = battery.questions[0]
    for question in battery.questions:
        kind = KINDS.get(question.kind)
        if kind is None or kind.control not in LISTED:
            message = _(
                "A battery takes questions with one answer out of a list: yes or no, single "
                "choice, scale. Ask this one on its own."
            )
            yield BatteryProblem("battery_kind", question, message)
        elif _asked(question) != _asked(first):
            message = _(
                "The questions of a battery have the same answers and are for the same people, and "
                "all are sensitive, required or can be refused, or none. Set this one like "
                "%(first)s, or ask it on its own."
            )
            yield BatteryProblem("battery_mixed", question, message % {"first": first.name})
        elif _drawn(question) != _drawn(first):
            message = _(
                "The questions of a battery have the same device with the same epsilon, so that "
                "one sentence is true of all. Set this one like %(first)s, or ask it on its own."
            )
            yield BatteryProblem("battery_devices", question, message % {"first": first.name})


def _asked(question: Question) -> tuple[Any, ...]:
    draft = Draft.of(question)
    answers = categories(draft) if kind_of(draft).is_complete(draft) else []
    flags = (question.required, question.prefer_not, question.randomized)
    whom = tuple(feature.draft.for_whom(question) for feature in FEATURES.values())
    return (kind_of(draft).control, answers, *flags, whom)


def _drawn(question: Question) -> tuple[Any, ...]:
    if not question.randomized:
        return ()
    strata = tuple((x.name, x.draft.epsilon) for x in chance_strata(question))
    own = (question.design, question.design_parameters, question.physical_device)
    return (question.epsilon, *(own if question.group is None else ()), strata)


def _of_draw(battery: DraftBattery, questions: Sequence[Question]) -> Iterator[BatteryProblem]:
    """One draw is for all questions of a battery and no other, or for none of them."""
    for number in {question.group for question in battery.questions if question.group}:
        together = [question for question in questions if question.group == number]
        if together != list(battery.questions):
            message = _(
                "What is sent together with a question of a battery is the whole battery and "
                "nothing else. Send all of its questions together, or each on its own."
            )
            yield BatteryProblem("battery_draw", battery.questions[0], message)
            return


def _of_parts(battery: DraftBattery, questions: Sequence[Question]) -> Iterator[BatteryProblem]:
    runs = [run for feature in FEATURES.values() for run in feature.author.runs(questions)]
    own = set(battery.questions)
    for run in runs:
        later = own.difference(run.questions)
        if battery.questions[0] in run.questions and later:
            message = _(
                "Another section begins between the questions of its battery. Let it begin before "
                "or after them."
            )
            question = min(later, key=battery.questions.index)
            yield BatteryProblem("battery_in_two_sections", question, message)
