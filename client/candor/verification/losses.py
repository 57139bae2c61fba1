"""How much each device can reveal, computed anew from its whole numbers, in exact fractions."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction

from candor.respondent.document import spent
from candor.respondent.privacy import extremes
from candor.respondent.reading import tables_of
from candor.respondent.values import Json

# The numbers of guesses of which a page says how many are right.
CROWDS = (100, 1_000, 10_000, 100_000, 1_000_000)
DIGITS = 40


@dataclass(frozen=True, slots=True)
class Loss:
    """Of one device: `ratio` is the most by which a report can change the odds between two answers.

    None where a report rules an answer out. `each`: that of each step of a chain, by declared
    epsilon.
    """

    device: str
    questions: tuple[str, ...]
    stratum: str
    declared: Decimal
    ratio: Fraction | None
    delta: Decimal | None
    each: tuple[tuple[Decimal, Fraction | None], ...]

    @property
    def epsilon(self) -> Decimal | None:
        return None if self.ratio is None else logarithm(self.ratio)

    @property
    def counted(self) -> Decimal:
        """A device with a report that rules an answer out counts with what it declares."""
        return self.declared if self.epsilon is None else self.epsilon


def losses_of(document: Json) -> list[Loss]:
    """Of each device that scrambles; the document is checked before."""
    return [_loss(device) for device in document["devices"] if device["epsilon"] is not None]


def ratio_of(table: Json) -> Fraction | None:
    pairs = [pair for pair in extremes(table) if pair[0]]
    if any(not lowest for _, lowest in pairs):
        return None
    return max((Fraction(*pair) for pair in pairs), default=Fraction(1))


def logarithm(ratio: Fraction) -> Decimal:
    """The natural logarithm, to some 40 digits."""
    with localcontext() as context:
        context.prec = DIGITS
        return Decimal(ratio.numerator).ln() - Decimal(ratio.denominator).ln()


def rounded_up(epsilon: Decimal, digits: int = 4) -> str:
    """With so many decimals at most, and never less than it is."""
    with localcontext() as context:
        context.prec = DIGITS
        place = Decimal(1).scaleb(-digits)
        near = epsilon.quantize(Decimal(1).scaleb(-30)).quantize(place, rounding=ROUND_CEILING)
        return f"{near.normalize():f}"


def guesses_of(document: Json) -> list[int] | None:
    """The numbers of the page's sentences on guesses: after one question, after all.

    None where the page has other sentences: for ties, where a letter rules an answer out, and
    where nearly every guess is right.
    """
    losses = losses_of(document)
    forms = {device["table"]["form"] for device in document["devices"]}
    if not losses or "ties" in forms or any(each.ratio is None for each in losses):
        return None
    largest: dict[str, Decimal] = {}
    covering: dict[str, set[str]] = {}
    for each in losses:
        largest[each.device] = max(each.counted, largest.get(each.device, Decimal(0)))
        for question in each.questions:
            covering.setdefault(question, set()).add(each.device)
    one = max(sum((largest[name] for name in of), Decimal(0)) for of in covering.values())
    loss_of_all = sum(largest.values(), Decimal(0))
    guesses = [right_guesses(one)]
    if len(covering) > 1:
        guesses.append(right_guesses(loss_of_all))
    if None in guesses:
        return None
    return [number for guess in guesses if guess for number in (50, 100, *guess)]


def right_guesses(epsilon: Decimal) -> tuple[int, int] | None:
    """How often an even guess is right at most, and in how many; its epsilon in hundredths."""
    hundredths = math.ceil(100 * epsilon - Decimal("1e-9"))
    share = 1 / (1 + (-Decimal(hundredths) / 100).exp())
    for people in CROWDS:
        right = math.ceil(people * share)
        if right < people:
            return right, people
    return None


def total_of(losses: Iterable[Loss]) -> Decimal:
    """What all devices reveal about one person: the largest of each over its strata, added up."""
    largest: dict[str, Decimal] = {}
    for each in losses:
        largest[each.device] = max(each.counted, largest.get(each.device, Decimal(0)))
    return sum(largest.values(), Decimal(0))


def declared_total(document: Json) -> Decimal:
    return spent(document["devices"])


def _loss(device: Json) -> Loss:
    tables = [(Decimal(epsilon), ratio_of(table)) for table, epsilon in tables_of(device)]
    return Loss(
        device["id"],
        tuple(device["questions"]),
        device["stratum"],
        Decimal(device["epsilon"]),
        # All earlier steps of a chain are drawn from its last.
        tables[-1][1],
        None if device["delta"] is None else Decimal(device["delta"]),
        tuple(tables),
    )
