"""The parts of the respondent's page that a survey needs before the first question.

They are loaded with the page instead of after its first check. static/js/ui/parts.js and
more_parts.js decide independently which parts they run, from the same integers and names.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from surveys.features import FEATURES, used_features
from surveys.parameters import (
    CARDS,
    OPEN,
    PAGE,
    TEXT,
    Bits,
    Bloom,
    Chain,
    Dense,
    Device,
    Linear,
    Parameters,
    Product,
    Question,
    Ranking,
    Table,
    Ties,
    Uniform,
    is_joint,
    names_of,
)
from surveys.parameters.budget import QUESTION_LIMIT, spent
from surveys.parameters.joint import LISTED
from surveys.strength import Strength

# Looks with a part of their own; the look of codes is in the page itself.
LATE_LOOKS = (CARDS, TEXT)
# A little below the loss from which a question has a warning.
_CALM = Decimal("1.9")


@dataclass(frozen=True, slots=True)
class Shown:
    """A feature's part of a respondent's page.

    `slots`: the places of the page, of which respond.html and its parts have a list, each with the
    template that stands there. `values`: what these templates read, under the feature's name.
    `data`: what its scripts read from the page, by the names of attributes. `strength`: sentences
    on what answers reveal that stand in place of the usual ones, by their names.
    """

    slots: Mapping[str, str]
    values: Any = None
    data: Mapping[str, str] = field(default_factory=dict)
    strength: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts `needed` before the first question, those that show questions `after` it, and `unused`
    ones; others may be loaded later.
    """

    needed: frozenset[str]
    after: frozenset[str]
    unused: frozenset[str]


def parts_of(
    parameters: Parameters, strength: Strength, *, at_once: bool, languages: bool = False
) -> Parts:
    """`at_once`: whether any question may be shown first. `languages`: whether it has several."""
    questions, devices = parameters.questions, parameters.devices
    more = _needs_more(parameters)
    shows = _shows(questions, devices)
    first = questions if at_once else _first(parameters)
    shows_first = _shows(
        first, [x for x in devices if any(question.id in x.questions for question in first)]
    )
    uses = {
        **shows,
        "rare": strength.identifying,
        "languages": languages,
        # The checks of forms that not every table has.
        "delta": any(device.delta for device in devices),
        "product": any(isinstance(device.table, Product) for device in devices),
        "bits": any(isinstance(device.table, Bits) for device in devices),
        "joint": any(map(is_joint, devices)),
        "bloom": any(isinstance(device.table, Bloom) for device in devices),
        "scale": any(question.scale for question in questions),
        "weak": _may_be_weak(questions, devices),
        "earlier": any(device.earlier for device in devices),
        "chain": any(isinstance(device.table, Chain) for device in devices),
        **{
            name: feature.is_used(parameters)
            for name, feature in FEATURES.items()
            if feature.has_place
        },
        **{
            name: is_needed
            for feature in FEATURES.values()
            for name, is_needed in feature.page.parts(parameters).items()
        },
        "checks": more or any(device.look == CARDS for device in devices),
        **dict.fromkeys(("rules", "more_parts"), more),
    }
    parts = frozenset(part for part, is_used in uses.items() if is_used)
    late = {part for part in shows if not shows_first[part]}
    after = parts & late.union(*(feature.page.after for feature in FEATURES.values()))
    return Parts(parts, after, frozenset(uses) - parts)


def _shows(questions: Sequence[Question], devices: Sequence[Device]) -> dict[str, bool]:
    """What shows questions of some kinds, of which checks may have the names."""
    return {
        "boxes": any(question.several for question in questions),
        # Cards use the same parts.
        "many": any(len(names_of(_steps(x.table)[-1])) > 2 for x in devices if not x.direct),
        **{look: any(device.look == look for device in devices) for look in LATE_LOOKS},
        "linear": any(isinstance(table, Linear) for table in _tables(devices)),
        "joint_blocks": any(map(is_joint, devices)),
        "number": any(question.scale for question in questions),
        "text_field": any(question.control == TEXT for question in questions),
        "bits": any(isinstance(device.table, Bits) for device in devices),
        "ties": any(isinstance(device.table, Ties) for device in devices),
        "ranking": any(isinstance(device.table, Ranking) for device in devices),
    }


def _first(parameters: Parameters) -> Sequence[Question]:
    """What is met before the other questions are: the twin is in static/js/ui/asking.js."""
    questions, devices = parameters.questions, parameters.devices
    if any(device.stratum != PAGE for device in devices):
        return questions

    def size(question: Question) -> float:
        if question.control == "yes_no":
            return 0
        table = next(x.table for x in devices if question.id in x.questions)
        return len(names_of(_steps(table)[-1])) or math.inf

    practised = min((each for each in questions if each.randomized), key=size, default=questions[0])
    return (questions[0], practised)


def _tables(devices: Sequence[Device]) -> list[Table]:
    return [step for device in devices for step in _steps(device.table)]


def _steps(table: Table) -> tuple[Table, ...]:
    """The tables that a page draws from: of a chain all of its steps, the last one the sharpest."""
    return table.steps if isinstance(table, Chain) else (table,)


def _needs_more(parameters: Parameters) -> bool:
    """Whether there is anything for rr/rules.js or ui/more_parts.js.

    The twins are `isPlain` of wire.js and of device.js.
    """
    return (
        parameters.mode != OPEN
        or any(question.control not in LISTED for question in parameters.questions)
        or any(text for text in (parameters.reason, *(q.reason for q in parameters.questions)))
        or spent(parameters.devices) > QUESTION_LIMIT
        or any(feature.has_place for feature in used_features(parameters))
        or any(map(_is_of_more, parameters.devices))
    )


def _is_of_more(device: Device) -> bool:
    return (
        bool(device.earlier)
        or device.option is not None
        or device.stratum != PAGE
        or device.delta is not None
        or device.search is not None
        or not isinstance(device.table, Dense | Uniform)
    )


def _may_be_weak(questions: Sequence[Question], devices: Sequence[Device]) -> bool:
    """A loss is above what is declared only where there is a delta."""
    of_questions = [
        spent(device for device in devices if question.id in device.questions)
        for question in questions
    ]
    return (
        any(epsilon > _CALM for epsilon in of_questions)
        or any(question.reason for question in questions)
        or any(device.delta for device in devices)
    )
