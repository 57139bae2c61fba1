"""Which questions of a draft can be useful together, within what may be spent."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from surveys.authoring.advice.spenders import STEP, Precision
from surveys.authoring.limits import COARSE_MARGIN, USABLE_MARGIN

# A question is left out for the sake of the others only where these are at least so many.
FEWEST_RESCUED = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """One spender with the smallest epsilons at which it finds something, and what it needs.

    `useful` is that of a coarse margin, `usable` that of a usable one; each is None where no
    epsilon that may be has it. `wanted` is its most where the needed margin is out of reach.
    """

    precision: Precision
    useful: Decimal | None
    usable: Decimal | None
    wanted: Decimal
    reaches: bool

    @property
    def is_usable_now(self) -> bool:
        return self.usable is not None and self.precision.spender.epsilon >= self.usable

    @property
    def keys(self) -> tuple[str, ...]:
        return self.precision.spender.keys


def bounds_of(precision: Precision, margin: float) -> Bounds:
    wanted = precision.least_epsilon(margin)
    useful = precision.least_epsilon(COARSE_MARGIN)
    most = (precision.spender.most // STEP) * STEP
    usable = precision.least_epsilon(max(margin, USABLE_MARGIN))
    return Bounds(precision, useful, usable, wanted or most, wanted is not None)


@dataclass(frozen=True, slots=True)
class Kept:
    """The questions that can be useful together, and those that are left out for them.

    `floor`: what the former take at least.
    """

    useful: list[Bounds]
    others: list[Bounds]
    floor: Decimal

    @property
    def least(self) -> Decimal:
        """What the others get in any case."""
        return sum((each.precision.spender.least for each in self.others), Decimal(0))


def keep_useful(bounds: Sequence[Bounds], left: Decimal) -> Kept:
    """Return as many questions as can be useful together.

    The dearest is left out first, so that as many as possible are left; and one more where it
    alone would make the others coarse, and could not be better than coarse itself.
    """
    useful = [each for each in bounds if each.useful is not None]
    others = [each for each in bounds if each.useful is None]
    kept = Kept(useful, others, _coarse(useful))
    while kept.useful and kept.floor + kept.least > left:
        kept = _without_dearest(kept)
    if len(kept.useful) <= FEWEST_RESCUED:
        return kept
    rescued = _without_dearest(kept)
    usable, dear = _usable(rescued.useful), rescued.others[-1]
    if usable is None or usable + rescued.least > left:
        return kept
    room = left - kept.least
    is_rival = usable + (dear.useful or Decimal(0)) > room
    stays_coarse = dear.usable is None or rescued.floor + dear.usable > room
    return replace(rescued, floor=usable) if is_rival and stays_coarse else kept


def _without_dearest(kept: Kept) -> Kept:
    dearest = max(kept.useful, key=lambda each: each.useful or Decimal(0))
    useful = [each for each in kept.useful if each is not dearest]
    return Kept(useful, [*kept.others, dearest], _coarse(useful))


def _coarse(useful: Sequence[Bounds]) -> Decimal:
    return sum((each.useful or Decimal(0) for each in useful), Decimal(0))


def _usable(useful: Sequence[Bounds]) -> Decimal | None:
    """Return what these take to be usable; None where one cannot be."""
    known = [each.usable for each in useful if each.usable is not None]
    return sum(known, Decimal(0)) if len(known) == len(useful) else None


def floors_of(useful: Sequence[Bounds], room: Decimal) -> dict[tuple[str, ...], Decimal]:
    """Return what each question gets at least: what is usable now stays so, if all of that fits."""
    floors = {each.keys: each.useful or STEP for each in useful}
    usable = {each.keys: each.usable or STEP for each in useful if each.is_usable_now}
    higher = floors | usable
    return higher if sum(higher.values(), Decimal(0)) <= room else floors
