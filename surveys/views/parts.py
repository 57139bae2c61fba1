"""Which parts of the respondent's page a survey needs before anything is asked.

They are fetched with the page instead of after its first check. static/js/ui/parts.js decides by
itself what it runs, by the same integers and names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from surveys.kinds import KINDS
from surveys.strength import Strength, declared_total

# A little below the loss from which on there are words beside a question.
_CALM = Decimal("1.9")


@dataclass(frozen=True, slots=True)
class Parts:
    """`needed` before anything is asked, or `unused`; any other part may be loaded later."""

    needed: frozenset[str]
    unused: frozenset[str]


def parts_of(document: Mapping[str, Any], strength: Strength) -> Parts:
    questions, devices = document["questions"], document["devices"]
    scrambled = [device for device in devices if device["design"] != "direct"]
    decks = [device for device in devices if device["design"] == "cards"]
    uses = {
        "boxes": any(KINDS[question["kind"]].several for question in questions),
        # Cards are made of the same pieces.
        "many": any(len(device["reports"]) > 2 for device in scrambled),
        "cards": bool(decks),
        "rare": strength.proves,
        "weak": _may_be_weak(questions, devices),
    }
    needed = frozenset(part for part, used in uses.items() if used)
    return Parts(needed, frozenset(uses) - needed)


def _may_be_weak(
    questions: Sequence[Mapping[str, Any]], devices: Sequence[Mapping[str, Any]]
) -> bool:
    """A loss is above what is declared only where there is a delta."""
    of_questions = [
        declared_total(device for device in devices if device["questions"][0] == question["id"])
        for question in questions
    ]
    return (
        any(declared > _CALM for declared in of_questions)
        or any(question.get("reason") for question in questions)
        or any(device.get("delta") for device in devices)
    )
