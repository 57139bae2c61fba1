"""What a person is told to do with a device of their own, from the numbers of its table.

The first sentence of each list is what is done before the question is read: whoever knows the
question must not choose the chance. No sentence asks which outcome came up.
"""

import calendar
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from django.utils.dates import MONTHS
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from surveys import numbers

# Four years in a row, of which one is a leap year.
_FOUR_YEARS = range(2021, 2025)
# Half a year would be a coin that says nothing.
_MOST_MONTHS = 5


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


@dataclass(frozen=True, slots=True)
class Innocuous:
    """A question whose share of yes is a known fraction; `shares` are numerators, in order."""

    shares: tuple[int, ...]
    denominator: int
    prepare: Promise
    ask: Callable[[int], str]  # position in `shares` -> the question


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
    kept = _("Keep to yourself what came up; nobody asks for it.")
    return [str(device.prepare), *commands, truth, kept]


def blocks_of(device: Randomizer, forced: int, letters: int) -> list[list[str]]:
    """The outcomes that command each letter, and last those that command the real answer."""
    outcomes = device.outcomes()
    bounds = [forced * index for index in range(letters + 1)]
    commands = [outcomes[start : start + forced] for start in bounds[:-1]]
    if not device.ranged:
        # Dealt in turn, so that the letters get outcomes that mirror each other.
        commands = [outcomes[index : bounds[-1] : letters] for index in range(letters)]
    return [*commands, outcomes[bounds[-1] :]]


def crosswise_sentences(device: Innocuous, position: int, letters: Sequence[str]) -> list[str]:
    """Instructions of the crosswise model: the first letter for equal answers."""
    same, different = letters
    return [
        str(device.prepare),
        _("You have two questions. The first: %(question)s") % {"question": device.ask(position)},
        _("The second is the one asked here. Answer both in your head only."),
        _("If both answers are the same, twice Yes or twice No: choose %(letter)s.")
        % {"letter": same},
        _("If one is Yes and the other is No: choose %(letter)s.") % {"letter": different},
        _("Keep both answers to yourself; nobody asks for them."),
    ]


def _condition(device: Randomizer, block: Sequence[str]) -> str:
    ranged = device.ranged and len(block) > 2
    said = numbers.from_to(block[0], block[-1]) if ranged else numbers.either(block)
    return str(device.condition) % {"outcomes": said}


def _key(letters: Sequence[str], labels: Sequence[str]) -> str:
    pairs = zip(letters, labels, strict=True)
    each = [_("%(letter)s for “%(answer)s”") % {"letter": a, "answer": b} for a, b in pairs]
    return ", ".join(each)


# --- the devices --------------------------------------------------------------------------------


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


_DIE, _DIGIT = "123456", "0123456789"
_TOSS = gettext_lazy("If you get %(outcomes)s")
_NUMBER_OF_ANOTHER = gettext_lazy(
    "Think of the phone number of somebody you know, one that you have not used here yet, and "
    "keep to it."
)

RANDOMIZERS = {
    "two_coins": Randomizer(
        _tosses(2),
        gettext_lazy("Toss a coin twice where nobody sees it, and remember both tosses in order."),
        _TOSS,
        ranged=False,
    ),
    "three_coins": Randomizer(
        _tosses(3),
        gettext_lazy(
            "Toss a coin three times where nobody sees it, and remember the tosses in order."
        ),
        _TOSS,
        ranged=False,
    ),
    "die": Randomizer(
        _numbers(_DIE),
        gettext_lazy("Throw a die where nobody sees it."),
        gettext_lazy("If it shows %(outcomes)s"),
    ),
    "two_dice": Randomizer(
        _numbers(_DIE, _DIE),
        gettext_lazy(
            "Throw a die twice where nobody sees it: the first throw is the first digit of a "
            "number, the second throw its second digit."
        ),
        gettext_lazy("If the number is %(outcomes)s"),
    ),
    "phone_digit": Randomizer(
        _numbers(_DIGIT), _NUMBER_OF_ANOTHER, gettext_lazy("If its last digit is %(outcomes)s")
    ),
    "phone_digits": Randomizer(
        _numbers(_DIGIT, _DIGIT),
        _NUMBER_OF_ANOTHER,
        gettext_lazy("If its last two digits are %(outcomes)s"),
    ),
}


def _days() -> Iterator[int]:
    """Days of January, of January and February, ..., in four years."""
    total = 0
    for month in range(1, _MOST_MONTHS + 1):
        total += sum(calendar.monthrange(year, month)[1] for year in _FOUR_YEARS)
        yield total


def _ends_in(position: int) -> str:
    digits = numbers.either(list(_DIGIT[: position + 1]))
    return _("does that phone number end in %(digits)s?") % {"digits": digits}


def _born_in(position: int) -> str:
    last = position + 1
    months = numbers.from_to(str(MONTHS[1]), str(MONTHS[last]))
    text = ngettext(
        "is that birthday in %(months)s?", "is that birthday in the months %(months)s?", last
    )
    return text % {"months": months}


INNOCUOUS = {
    "crosswise_digit": Innocuous((1, 2, 3, 4), 10, _NUMBER_OF_ANOTHER, _ends_in),
    "crosswise_birthday": Innocuous(
        tuple(_days()),
        sum(366 if calendar.isleap(year) else 365 for year in _FOUR_YEARS),
        gettext_lazy(
            "Think of somebody whose birthday you know and we do not, somebody you have not used "
            "here yet, and keep to this person."
        ),
        _born_in,
    ),
}
