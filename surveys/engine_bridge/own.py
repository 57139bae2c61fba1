"""Devices in the respondent's own hands: table, epsilon and wording, generated together."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext
from functools import partial
from typing import TYPE_CHECKING

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys.engine_bridge.own_wording import (
    INNOCUOUS,
    RANDOMIZERS,
    Innocuous,
    Randomizer,
    crosswise_sentences,
    forced_sentences,
)
from surveys.kinds import KINDS, categories
from surveys.parameters import CODES, Device
from surveys.parameters.budget import text_of
from surveys.parameters.exact import report_codes, table_of

if TYPE_CHECKING:
    from surveys.models import Question

STRATUM = "own"
# Each letter has a line of its own in the instructions; nobody follows a longer list.
MOST_LETTERS = 12
# The precision in which an epsilon is declared; rounded up, so that the table keeps it.
_STEP = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class OwnDevice:
    """A device that an author can offer beside the page's.

    `fits(question)` looks at the kind and the number of answers. `build(question)` gives the
    device of the parameters document in the strength that the question's epsilon asks for; it
    raises EngineError, with the smallest epsilon that the device reaches, when that is too strong.
    """

    name: str
    label: Promise
    needs: Promise
    fits: Callable[["Question"], bool]
    build: Callable[["Question"], Device]


def own_device_of(question: "Question") -> Device | None:
    """The device of stratum "own" that a launch would freeze for this question, if it has one."""
    several = KINDS[question.kind].several
    if not question.own_device or not question.randomized or several:
        return None
    choice = OWN_DEVICES.get(question.own_device)
    if choice is None or not choice.fits(question):
        names = ", ".join(device.name for device in OWN_DEVICES.values() if device.fits(question))
        rule = f"be one of {names} here" if names else "be empty here"
        raise rr_engine.ArgumentError("own_device", question.own_device, rule, "unknown_choice")
    return choice.build(question)


def fitting(question: "Question") -> list[OwnDevice]:
    """The devices that can be offered with this question at its epsilon; may be none."""
    return [device for device in OWN_DEVICES.values() if _reaches(device, question)]


def smallest_epsilon(question: "Question") -> Decimal | None:
    """The smallest epsilon that any device of one's own keeps to here; None if none fits at all."""
    return min(_smallest_epsilons(question), default=None)


def _reaches(device: OwnDevice, question: "Question") -> bool:
    if not device.fits(question):
        return False
    try:
        device.build(question)
    except rr_engine.EngineError:
        return False
    return True


def _smallest_epsilons(question: "Question") -> list[Decimal]:
    labels = categories(question)
    forced = [
        rr_engine.forced_choice(labels, device.size, (device.size - 1) // len(labels))
        for name, device in RANDOMIZERS.items()
        if OWN_DEVICES[name].fits(question)
    ]
    crosswise = [
        rr_engine.crosswise_of(device.shares[-1], device.denominator)
        for name, device in INNOCUOUS.items()
        if OWN_DEVICES[name].fits(question)
    ]
    return [declared_epsilon(design) for design in (*forced, *crosswise)]


def declared_epsilon(design: rr_engine.DesignMatrix) -> Decimal:
    """The design's exact epsilon, rounded up to the precision in which it is declared."""
    ratio = design.loss_ratio
    if ratio is None:
        raise rr_engine.EpsilonError("epsilon", design.epsilon, "be finite", "infinite_epsilon")
    with localcontext() as context:
        # A logarithm of a fraction is irrational: with so many digits it is never on a step.
        context.prec = 50
        exact = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
        return exact.quantize(_STEP, rounding=ROUND_CEILING)


# --- building -----------------------------------------------------------------------------------


def _forced_fits(device: Randomizer, question: "Question") -> bool:
    if KINDS[question.kind].several or not question.randomized:
        return False
    letters = len(categories(question))
    return 2 <= letters < device.size and letters <= MOST_LETTERS


def _forced(device: Randomizer, question: "Question") -> Device:
    labels = categories(question)
    forced = rr_engine.strongest_fit(labels, device.size, _asked(question))
    design = rr_engine.forced_choice(labels, device.size, forced)
    letters = report_codes(len(labels))
    instructions = forced_sentences(device, forced, letters, labels)
    return _device(question, "forced_choice", design, instructions)


def _crosswise_fits(question: "Question") -> bool:
    return question.randomized and question.kind == "yes_no" and not question.prefer_not


def _crosswise(device: Innocuous, question: "Question") -> Device:
    position = _share_for(device, question)
    design = _same_first(device.shares[position], device.denominator)
    letters = report_codes(2)
    instructions = crosswise_sentences(device, position, letters)
    return _device(question, "crosswise", design, instructions)


def _share_for(device: Innocuous, question: "Question") -> int:
    """Position of the smallest share whose crosswise model keeps the question's epsilon."""
    for position, share in enumerate(device.shares):
        if rr_engine.crosswise_of(share, device.denominator).epsilon_at_most(_asked(question)):
            return position
    least = declared_epsilon(rr_engine.crosswise_of(device.shares[-1], device.denominator))
    rule = f"be at least {least} for this device"
    raise rr_engine.EpsilonError("epsilon", _asked(question), rule, "epsilon_too_small", least)


def _same_first(share: int, denominator: int) -> rr_engine.DesignMatrix:
    """The crosswise model with "the same" as report 0: like "No", it is what No mostly sends."""
    rows, whole = rr_engine.crosswise_of(share, denominator).exact_table()
    return rr_engine.DesignMatrix.from_integers(rows[::-1], whole)


def _asked(question: "Question") -> str:
    if question.epsilon is None:
        raise rr_engine.EpsilonError("epsilon", None, "be given", "not_an_epsilon")
    return text_of(question.epsilon)


def _device(
    question: "Question", family: str, design: rr_engine.DesignMatrix, instructions: list[str]
) -> Device:
    return Device(
        id=question.name,
        questions=(question.name,),
        option=None,
        stratum=STRATUM,
        family=family,
        look=CODES,
        table=table_of(design),
        epsilon=text_of(declared_epsilon(design)),
        delta=None,
        instructions=tuple(instructions),
        search=None,
    )


# --- the table ----------------------------------------------------------------------------------


def _randomizer(name: str, label: Promise, needs: Promise) -> OwnDevice:
    device = RANDOMIZERS[name]
    return OwnDevice(name, label, needs, partial(_forced_fits, device), partial(_forced, device))


def _two_questions(name: str, label: Promise, needs: Promise) -> OwnDevice:
    return OwnDevice(name, label, needs, _crosswise_fits, partial(_crosswise, INNOCUOUS[name]))


_COIN, _NUMBER = _("a coin"), _("somebody else's phone number")

OWN_DEVICES: dict[str, OwnDevice] = {
    device.name: device
    for device in (
        _randomizer("two_coins", _("A coin, tossed twice"), _COIN),
        _randomizer("three_coins", _("A coin, tossed three times"), _COIN),
        _randomizer("die", _("A die"), _("a die")),
        _randomizer("two_dice", _("A die, thrown twice"), _("a die")),
        _randomizer("phone_digit", _("Last digit of a phone number"), _NUMBER),
        _randomizer("phone_digits", _("Last two digits of a phone number"), _NUMBER),
        _two_questions("crosswise_digit", _("Crosswise: a phone number's last digit"), _NUMBER),
        _two_questions(
            "crosswise_birthday", _("Crosswise: a birthday"), _("somebody else's birthday")
        ),
    )
}
