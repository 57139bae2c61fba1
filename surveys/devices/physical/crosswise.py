"""The crosswise model (Yu, Tian & Tang 2008): a harmless second question in place of a device."""

import calendar
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.dates import MONTHS
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import rr_engine
from surveys import numbers
from surveys.devices.physical.device import (
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

# Four years in a row, of which one is a leap year.
_FOUR_YEARS = range(2021, 2025)
# Half a year would be a coin that says nothing.
_MOST_MONTHS = 5


class Crosswise(ServedFamily):
    name = "crosswise"
    description = gettext_lazy(
        "Two questions in one: the report only says whether the answers to the sensitive question "
        "and to a harmless one, whose distribution is known, are the same."
    )


CROSSWISE = Crosswise()


@dataclass(frozen=True, slots=True)
class Innocuous:
    """A question whose share of yes is a known fraction; `shares` are numerators, in order."""

    shares: tuple[int, ...]
    denominator: int
    prepare: Promise
    ask: Callable[[int], str]  # position in `shares` -> the question


class CrosswiseDevice(PhysicalDevice):
    family = CROSSWISE

    def __init__(self, name: str, label: Promise, needs: Promise, innocuous: Innocuous) -> None:
        super().__init__(name, label, needs)
        self.innocuous = innocuous

    def fits(self, draft: Draft) -> bool:
        return draft.randomized and kind_of(draft).opposites and not draft.other_count

    def smallest_epsilon(self, draft: Draft) -> Decimal:
        return declared_epsilon(self._model(self.innocuous.shares[-1]))

    def build(self, draft: Draft) -> tuple[rr_engine.DesignMatrix, list[str]]:
        position = self._share_for(draft)
        design = _same_first(self._model(self.innocuous.shares[position]))
        return design, self.sentences(draft, categories(draft))

    def sentences(self, draft: Draft, labels: Sequence[str]) -> list[str]:
        position = self._share_for(draft)
        return crosswise_sentences(self.innocuous, position, report_codes(len(labels)))

    def _model(self, share: int) -> rr_engine.DesignMatrix:
        return rr_engine.designs.crosswise_of(share, self.innocuous.denominator)

    def _share_for(self, draft: Draft) -> int:
        """Position of the smallest share whose crosswise model keeps the question's epsilon."""
        for position, share in enumerate(self.innocuous.shares):
            if self._model(share).epsilon_at_most(asked_epsilon(draft)):
                return position
        smallest = self.smallest_epsilon(draft)
        rule = f"be at least {smallest} for this device"
        raise rr_engine.errors.EpsilonError(
            "epsilon", asked_epsilon(draft), rule, "epsilon_too_small", smallest
        )


def _same_first(design: rr_engine.DesignMatrix) -> rr_engine.DesignMatrix:
    """The crosswise model with "the same" as report 0: like "No", it is what No mostly sends."""
    rows, denominator = design.exact_table()
    return rr_engine.DesignMatrix.from_integers(rows[::-1], denominator)


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


def _days() -> Iterator[int]:
    """Days of January, of January and February, ..., in four years."""
    total = 0
    for month in range(1, _MOST_MONTHS + 1):
        total += sum(calendar.monthrange(year, month)[1] for year in _FOUR_YEARS)
        yield total


def _ends_in(position: int) -> str:
    digits = numbers.either(list(DIGITS[: position + 1]))
    return _("does that phone number end in %(digits)s?") % {"digits": digits}


def _born_in(position: int) -> str:
    last = position + 1
    months = numbers.from_to(str(MONTHS[1]), str(MONTHS[last]))
    text = ngettext(
        "is that birthday in %(months)s?", "is that birthday in the months %(months)s?", last
    )
    return text % {"months": months}


DEVICES = (
    CrosswiseDevice(
        "crosswise_digit",
        gettext_lazy("Crosswise: a phone number's last digit"),
        NUMBER,
        Innocuous((1, 2, 3, 4), 10, NUMBER_OF_ANOTHER, _ends_in),
    ),
    CrosswiseDevice(
        "crosswise_birthday",
        gettext_lazy("Crosswise: a birthday"),
        gettext_lazy("somebody else's birthday"),
        Innocuous(
            tuple(_days()),
            sum(366 if calendar.isleap(year) else 365 for year in _FOUR_YEARS),
            gettext_lazy(
                "Think of somebody whose birthday you know and we do not, somebody you have not "
                "used here yet, and keep to this person."
            ),
            _born_in,
        ),
    ),
)
