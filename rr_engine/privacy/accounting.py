"""Privacy accounting: the total loss of what one respondent is asked to reveal.

Events are immutable descriptions; the accountant traverses them and refuses unknown ones.
The shape follows google/differential-privacy's dp_accounting (dp_event.py, privacy_accountant.py).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal, Inexact, localcontext
from typing import Any

from rr_engine import check
from rr_engine.arrays import Epsilon, as_list
from rr_engine.errors import AccountingError

# Wide enough that no sum of budgets of at most 50 decimal places is ever rounded.
SUM_DIGITS = 200


@dataclass(frozen=True, slots=True)
class Event:
    """Something released about one respondent."""


@dataclass(frozen=True, slots=True)
class Randomized(Event):
    """One report of a device whose privacy loss is at most `epsilon`.

    Examples
    --------
    >>> from rr_engine.privacy import Randomized, total_epsilon
    >>> total_epsilon(Randomized("0.5"))
    Decimal('0.5')
    """

    epsilon: Decimal

    def __init__(self, epsilon: Epsilon) -> None:
        object.__setattr__(self, "epsilon", check.epsilon(epsilon))


@dataclass(frozen=True, slots=True)
class Direct(Event):
    """An answer sent as it is: no finite privacy loss covers it.

    Examples
    --------
    >>> from rr_engine.privacy import Direct, total_epsilon
    >>> total_epsilon(Direct())
    Decimal('Infinity')
    """


@dataclass(frozen=True, slots=True)
class Composition(Event):
    """Several releases about the same person, drawn independently given the truth.

    Examples
    --------
    >>> from rr_engine.privacy import Composition, Randomized, total_epsilon
    >>> total_epsilon(Composition([Randomized("0.5"), Randomized("1.5")]))
    Decimal('2.0')
    """

    events: tuple[Event, ...]

    def __init__(self, events: Iterable[Event]) -> None:
        object.__setattr__(self, "events", _check_events(events))


@dataclass(frozen=True, slots=True)
class Relaxation(Event):
    """One answer reported repeatedly, each earlier report a degraded copy of the next.

    Such a chain reveals what its last report reveals (Pan et al. 2024, Theorems 3.1 to 3.3). It
    needs budgets that never fall; whether the kernel between two devices exists is a matter of
    their matrices.

    Examples
    --------
    >>> from rr_engine.privacy import Randomized, Relaxation, total_epsilon
    >>> total_epsilon(Relaxation([Randomized("0.5"), Randomized("1.5")]))
    Decimal('1.5')
    """

    events: tuple[Randomized, ...]

    def __init__(self, events: Iterable[Randomized]) -> None:
        links = _check_events(events)
        chain = tuple(event for event in links if isinstance(event, Randomized))
        if not chain or len(chain) < len(links):
            rule = "hold at least one Randomized and nothing else"
            raise AccountingError("events", links, rule, "not_a_chain")
        steps = [event.epsilon for event in chain]
        if steps != sorted(steps):
            raise AccountingError("events", chain, "have budgets that never fall", "budget_falls")
        object.__setattr__(self, "events", chain)


def _check_events(events: Iterable[Event]) -> tuple[Event, ...]:
    entries = as_list(events)
    if entries is None:
        raise AccountingError("events", events, "be a sequence of events", "not_events")
    for event in entries:
        if type(event) not in _TOTALS:
            raise AccountingError("events", event, _RULE, "unknown_event")
    return entries


def total_epsilon(event: Event) -> Decimal:
    """Return the exact privacy loss of everything in an event.

    Parameters
    ----------
    event : Randomized, Direct, Composition or Relaxation

    Returns
    -------
    Decimal
        A sum without rounding; ``Decimal("Infinity")`` when any part is :class:`Direct`. For the
        budget of the randomized answers in a survey that also asks openly, see
        :func:`randomized_epsilon`.

    Raises
    ------
    AccountingError
        For anything that is not one of the four events.

    References
    ----------
    .. [1] C. Dwork and A. Roth, "The Algorithmic Foundations of Differential Privacy", Foundations
       and Trends in Theoretical Computer Science 9, 2014, section 3.5 (composition).

    Examples
    --------
    >>> total_epsilon(Composition([Randomized("0.1"), Randomized("0.2")])) == Decimal("0.3")
    True
    >>> total_epsilon(Relaxation([Randomized("1"), Randomized("2")]))
    Decimal('2')
    """
    handler = _TOTALS.get(type(event))
    if handler is None:
        raise AccountingError("event", event, _RULE, "unknown_event")
    return handler(event)


def randomized_epsilon(event: Event) -> Decimal:
    """Return the exact loss of the randomized parts, leaving out answers given openly.

    This is what a survey's budget bounds: a direct question is announced as direct and stands
    outside the guarantee, it does not spend from it.

    References
    ----------
    .. [1] C. Dwork and A. Roth, "The Algorithmic Foundations of Differential Privacy", Foundations
       and Trends in Theoretical Computer Science 9, 2014, section 3.5 (composition).

    Examples
    --------
    >>> randomized_epsilon(Composition([Randomized("1.5"), Direct()]))
    Decimal('1.5')
    """
    return total_epsilon(_without_direct(event))


def within_budget(event: Event, budget: Epsilon) -> bool:
    """Tell whether the randomized parts of an event stay within a budget, exactly.

    References
    ----------
    .. [1] C. Dwork and A. Roth, "The Algorithmic Foundations of Differential Privacy", Foundations
       and Trends in Theoretical Computer Science 9, 2014, section 3.5 (composition).

    Examples
    --------
    >>> within_budget(Composition([Randomized(0.1), Randomized(0.2)]), 0.3)
    True
    """
    return randomized_epsilon(event) <= check.epsilon(budget, "budget")


def _without_direct(event: Event) -> Event:
    if isinstance(event, Direct):
        return Composition(())
    if isinstance(event, Composition):
        return Composition(_without_direct(part) for part in event.events)
    return event


def _sum(event: Composition) -> Decimal:
    with localcontext() as context:
        context.prec = SUM_DIGITS
        context.traps[Inexact] = True
        return sum((total_epsilon(part) for part in event.events), Decimal(0))


_TOTALS: dict[type[Event], Callable[[Any], Decimal]] = {
    Randomized: lambda event: event.epsilon,
    Direct: lambda event: Decimal("Infinity"),
    Composition: _sum,
    Relaxation: lambda event: event.events[-1].epsilon,
}
_RULE = "be one of Randomized, Direct, Composition, Relaxation"
