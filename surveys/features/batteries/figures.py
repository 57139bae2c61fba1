"""A battery on the author's page: what it is, what stands against it, and how to draw for it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import prod

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import rr_engine
from surveys import numbers
from surveys.authoring.limits import REFUSED_ABOVE
from surveys.authoring.panel.number_words import WIDE
from surveys.devices.joint import BITS, family_of_sizes, joint_sizes
from surveys.drafts import Draft
from surveys.features.batteries.allowed import DraftBattery, batteries_in, problems_of
from surveys.models import Question
from surveys.parameters.budget import text_of

OWN, ONE = "own", "one"
WAYS = {
    OWN: gettext_lazy("A device for each item, with an equal part of the epsilon"),
    ONE: gettext_lazy("One draw for all items, with all of the epsilon"),
}


@dataclass(frozen=True, slots=True)
class WayRow:
    """One way to draw for a battery, and the margin of a share; `used` marks that of the draft."""

    label: str
    margin: str
    used: bool
    best: bool


@dataclass(frozen=True, slots=True)
class BatteryPanel:
    """`place`: that of its first question among all, from 0 on. `problems` stop a launch; without
    rows there is nothing to compare. `change`: the way to which a button changes; empty for none.

    `pending`: there was no time to compare.
    """

    number: int
    place: int
    label: str
    text: str
    problems: list[str]
    rows: list[WayRow]
    sentence: str
    change: str
    pending: bool


def battery_panels(
    questions: Sequence[Question], planned_n: int, deadline: float
) -> list[BatteryPanel]:
    """The batteries of a draft, whose questions are in their order.

    After the deadline, a time of `time.monotonic`, no further one is compared; the first always is.
    """
    panels: list[BatteryPanel] = []
    for battery in batteries_in(questions):
        is_late = bool(panels) and time.monotonic() > deadline
        panels.append(_panel(battery, questions, planned_n, is_late))
    return panels


def battery_label(battery: DraftBattery) -> str:
    values = {
        "number": numbers.count(battery.number),
        "questions": numbers.places(battery.places),
    }
    return _("Battery %(number)s: questions %(questions)s") % values


def _panel(
    battery: DraftBattery, questions: Sequence[Question], planned_n: int, is_late: bool
) -> BatteryPanel:
    problems = [f"{x.question.name}: {x.message}" for x in problems_of(battery, questions)]
    first = battery.questions[0]
    is_compared = not problems and first.randomized and bool(first.epsilon)
    margins = _margins(battery, planned_n) if is_compared and not is_late else {}
    used = OWN if first.group is None else ONE
    best = min(margins, key=margins.__getitem__) if len(margins) > 1 else used
    return BatteryPanel(
        number=battery.number,
        place=battery.places[0],
        label=battery_label(battery),
        text=battery.text,
        problems=problems,
        rows=[
            WayRow(str(WAYS[way]), numbers.margin(WIDE * error), way == used, way == best)
            for way, error in margins.items()
        ],
        sentence=_sentence(margins, used, best, planned_n),
        change="" if best == used else best,
        pending=is_compared and is_late,
    )


def _margins(battery: DraftBattery, planned_n: int) -> dict[str, float]:
    """Return the error of a share by each way that could be launched, in units of a proportion."""
    drafts = [Draft.of(question) for question in battery.questions]
    epsilon = battery.questions[0].epsilon or Decimal(0)
    return errors_of(joint_sizes(drafts), epsilon, planned_n)


@lru_cache(maxsize=256)
def errors_of(sizes: tuple[int, ...], epsilon: Decimal, n: int) -> dict[str, float]:
    """Return the root of the mean squared error of a share by each way, at equal shares.

    `sizes`: how many answers each item has, all as many. `epsilon`: of each item. One draw, with
    all of them, is left out where a launch would refuse it.
    """
    whole = epsilon * len(sizes)
    try:
        # The error of an item with a device of its own depends on no other item.
        pair = rr_engine.spending.compare_joint(sizes[:2], text_of(epsilon * 2), n, bits=BITS)
        found = {OWN: pair[0].margins}
        if prod(sizes) <= REFUSED_ABOVE * n and whole <= Decimal(settings.EPSILON_CAP):
            form = family_of_sizes(sizes, whole).form
            ways = rr_engine.spending.compare_joint(sizes, text_of(whole), n, bits=BITS)
            found[ONE] = next(way.margins for way in ways if way.way == form)
    except rr_engine.EngineError:
        return {}
    return found


def _sentence(margins: dict[str, float], used: str, best: str, planned_n: int) -> str:
    if not margins:
        return ""
    if len(margins) == 1:
        message = _(
            "Each item has a device of its own. One draw for all would tell too many combinations "
            "of answers apart for %(n)s planned respondents, or reveal too much at once."
        )
        return message % {"n": numbers.count(planned_n)}
    values = {way: numbers.margin(WIDE * error) for way, error in margins.items()}
    if best == used == OWN:
        message = _(
            "Each item has a device of its own, which is more precise here than one draw for all: "
            "%(own)s for a share, not %(one)s, where all answers are equally frequent."
        )
    elif best == used:
        message = _(
            "One draw is for all items, which is more precise here than a device for each: %(one)s "
            "for a share, not %(own)s, where all answers are equally frequent."
        )
    elif best == ONE:
        message = _(
            "One draw for all items would be more precise for the planned number of respondents: "
            "%(one)s for a share, not %(own)s, where all answers are equally frequent."
        )
    else:
        message = _(
            "A device for each item would be more precise for the planned number of respondents: "
            "%(own)s for a share, not %(one)s, where all answers are equally frequent."
        )
    return message % values
