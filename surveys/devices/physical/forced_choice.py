"""Coins, dice and digits: the truth, or the letter that chance commands (forced response)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import rr_engine
from surveys import numbers
from surveys.devices.physical.device import (
    COIN,
    DIE,
    DIGITS,
    NUMBER,
    NUMBER_OF_ANOTHER,
    PhysicalDevice,
    asked_epsilon,
    declared_epsilon,
)
from surveys.devices.served_family import ServedFamily
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of
from surveys.parameters.exact import report_codes

# Each letter has a line of its own in the instructions; nobody follows a longer list.
MOST_LETTERS = 12


class ForcedChoice(ServedFamily):
    name = "forced_choice"
    description = gettext_lazy(
        "A coin, dice or digit decides: answer truthfully, or send the report that it names."
    )


FORCED_CHOICE = ForcedChoice()


@dataclass(frozen=True, slots=True)
class Randomizer:
    """Equally likely outcomes, in the order in which they are given to the letters.

    `condition` is a clause with %(outcomes)s. `ranged`: the outcomes are numbers, so that a run of
    them is said by its ends.
    """

    outcomes: Callable[[], list[str]]
    prepare: Promise
    condition: Promise
    ranged: bool = True

    @property
    def size(self) -> int:
        return len(self.outcomes())


class ForcedDevice(PhysicalDevice):
    family = FORCED_CHOICE

    def __init__(self, name: str, label: Promise, needs: Promise, randomizer: Randomizer) -> None:
        super().__init__(name, label, needs)
        self.randomizer = randomizer

    def fits(self, draft: Draft) -> bool:
        if (
            kind_of(draft).several
            or not draft.randomized
            or not kind_of(draft).is_categorical(draft)
        ):
            return False
        letters = len(categories(draft))
        return 2 <= letters < self.randomizer.size and letters <= MOST_LETTERS

    def smallest_epsilon(self, draft: Draft) -> Decimal:
        labels, size = categories(draft), self.randomizer.size
        return declared_epsilon(
            rr_engine.designs.forced_choice(labels, size, (size - 1) // len(labels))
        )

    def build(self, draft: Draft) -> tuple[rr_engine.DesignMatrix, list[str]]:
        labels, size = categories(draft), self.randomizer.size
        design = rr_engine.designs.forced_choice(labels, size, self._forced(draft))
        return design, self.sentences(draft, labels)

    def sentences(self, draft: Draft, labels: Sequence[str]) -> list[str]:
        letters = report_codes(len(labels))
        return forced_sentences(self.randomizer, self._forced(draft), letters, labels)

    def _forced(self, draft: Draft) -> int:
        """How many outcomes command each letter."""
        labels, size = categories(draft), self.randomizer.size
        return rr_engine.designs.strongest_fit(labels, size, asked_epsilon(draft))


def forced_sentences(
    device: Randomizer, forced: int, letters: Sequence[str], labels: Sequence[str]
) -> list[str]:
    """Instructions of a forced choice: `forced` outcomes command each letter."""
    blocks = blocks_of(device, forced, len(letters))
    commands = [
        _("%(condition)s: choose %(letter)s.")
        % {"condition": _condition(device, block), "letter": letter}
        for block, letter in zip(blocks, letters, strict=False)
    ]
    truth = _("%(condition)s: choose the letter of your real answer, %(key)s.") % {
        "condition": _condition(device, blocks[-1]),
        "key": _key(letters, labels),
    }
    secrecy = _("Keep to yourself what came up; nobody asks for it.")
    return [str(device.prepare), *commands, truth, secrecy]


def blocks_of(device: Randomizer, forced: int, letters: int) -> list[list[str]]:
    """The outcomes that command each letter, and last those that command the real answer."""
    outcomes = device.outcomes()
    bounds = [forced * index for index in range(letters + 1)]
    commands = [outcomes[start : start + forced] for start in bounds[:-1]]
    if not device.ranged:
        # Dealt in turn, so that the letters get outcomes that mirror each other.
        commands = [outcomes[index : bounds[-1] : letters] for index in range(letters)]
    return [*commands, outcomes[bounds[-1] :]]


def _condition(device: Randomizer, block: Sequence[str]) -> str:
    ranged = device.ranged and len(block) > 2
    outcomes = numbers.from_to(block[0], block[-1]) if ranged else numbers.either(block)
    return str(device.condition) % {"outcomes": outcomes}


def _key(letters: Sequence[str], labels: Sequence[str]) -> str:
    pairs = zip(letters, labels, strict=True)
    each = [_("%(letter)s for “%(answer)s”") % {"letter": a, "answer": b} for a, b in pairs]
    return ", ".join(each)


def _tosses(count: int) -> Callable[[], list[str]]:
    """Sequences of tosses; each is followed by its mirror image."""

    def outcomes() -> list[str]:
        sides = (_("heads"), _("tails"))
        half = list(product((0, 1), repeat=count))[: 2 ** (count - 1)]
        return [
            "-".join(sides[side ^ mirror] for side in tosses)
            for tosses in half
            for mirror in (0, 1)
        ]

    return outcomes


def _numbers(*digits: str) -> Callable[[], list[str]]:
    return lambda: ["".join(number) for number in product(*digits)]


_DIE = "123456"
_TOSS = gettext_lazy("If you get %(outcomes)s")

DEVICES = (
    ForcedDevice(
        "two_coins",
        gettext_lazy("A coin, tossed twice"),
        COIN,
        Randomizer(
            _tosses(2),
            gettext_lazy(
                "Toss a coin twice where nobody sees it, and remember both tosses in order."
            ),
            _TOSS,
            ranged=False,
        ),
    ),
    ForcedDevice(
        "three_coins",
        gettext_lazy("A coin, tossed three times"),
        COIN,
        Randomizer(
            _tosses(3),
            gettext_lazy(
                "Toss a coin three times where nobody sees it, and remember the tosses in order."
            ),
            _TOSS,
            ranged=False,
        ),
    ),
    ForcedDevice(
        "die",
        gettext_lazy("A die"),
        DIE,
        Randomizer(
            _numbers(_DIE),
            gettext_lazy("Throw a die where nobody sees it."),
            gettext_lazy("If it shows %(outcomes)s"),
        ),
    ),
    ForcedDevice(
        "two_dice",
        gettext_lazy("A die, thrown twice"),
        DIE,
        Randomizer(
            _numbers(_DIE, _DIE),
            gettext_lazy(
                "Throw a die twice where nobody sees it: the first throw is the first digit of a "
                "number, the second throw its second digit."
            ),
            gettext_lazy("If the number is %(outcomes)s"),
        ),
    ),
    ForcedDevice(
        "phone_digit",
        gettext_lazy("Last digit of a phone number"),
        NUMBER,
        Randomizer(
            _numbers(DIGITS),
            NUMBER_OF_ANOTHER,
            gettext_lazy("If its last digit is %(outcomes)s"),
        ),
    ),
    ForcedDevice(
        "phone_digits",
        gettext_lazy("Last two digits of a phone number"),
        NUMBER,
        Randomizer(
            _numbers(DIGITS, DIGITS),
            NUMBER_OF_ANOTHER,
            gettext_lazy("If its last two digits are %(outcomes)s"),
        ),
    ),
)
