"""The figures of a network, from its members, an epsilon for each tie and a guess of the ties.

The network of the guess is a random one: each two members are tied independently, and a stated
share of directed ties is returned. Everything is computed by the engine, and nothing is rounded
here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import comb, isfinite
from typing import Any

import rr_engine
from rr_engine import check
from surveys.devices import family_of
from surveys.devices.built_family import epsilon_of
from surveys.devices.tie_bits import expected_ties
from surveys.drafts import Draft
from surveys.parameters import Ties
from surveys.parameters.budget import text_of
from surveys.parameters.exact import tie_design

# Fewer have no tie that both could report.
LEAST_ANSWERING = 2
# The share of directed ties that are returned, in the guess: friends, colleagues and helpers name
# each other about so often.
RETURNED = 0.5
# The caps that are looked at; of these the first that leave most answers as they are.
CAPS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 80, 100, 150, 200, 300)
SHOWN_CAPS = 3
# Devices over all sets of ties are compared for few members, up to so many names and such an
# epsilon of a person: beyond, they would send nearly every answer as it is.
MOST_COMPARED, MOST_OF_A_PERSON = 20, 20
# The scopes of what reports reveal, from one tie to a whole person; the names are the engine's.
SCOPES = ("tie", "tie_at_both_ends", "person", "everything_about_person")
# The parts of the expected density for whose margins the epsilon of a tie is solved.
WANTED_PARTS = (0.5, 0.25, 0.1)
# Half the width of a 95 % interval in standard errors.
WIDE = 1.959964


@dataclass(frozen=True, slots=True)
class NetworkGuess:
    """The assumptions that the figures follow from.

    `members`: how many there are. `answering`: how many of them are expected to answer. `ties`: how
    many a member has on average. `table`: the device.
    """

    members: int
    answering: int
    ties: Decimal
    epsilon: Decimal
    directed: bool
    table: Ties

    @classmethod
    def of(cls, draft: Draft) -> "NetworkGuess":
        """The guess of a draft at its planned respondents; raises EngineError without members."""
        table = family_of(draft).table(draft)
        if not isinstance(table, Ties):
            raise rr_engine.errors.ArgumentError(
                "design", draft.design, "be of ties", "unknown_choice"
            )
        return cls(
            members=draft.members,
            answering=max(LEAST_ANSWERING, min(draft.planned_n, draft.members)),
            ties=min(expected_ties(draft), Decimal(draft.members - 1)),
            epsilon=epsilon_of(draft),
            directed=draft.directed,
            table=table,
        )

    @property
    def names(self) -> int:
        """The others, about whom a member is asked."""
        return self.members - 1

    @property
    def density(self) -> float:
        """The expected share of pairs that are tied; never all and never none."""
        return min(max(float(self.ties) / self.names, 1e-6), 1 - 1e-6)

    @property
    def returned(self) -> float:
        """The share of directed ties that is returned; more where there are nearly all."""
        return max(RETURNED, 2 - 1 / self.density)

    @property
    def person_epsilon(self) -> Decimal:
        """The epsilon of all that one member reports."""
        return self.epsilon * self.names

    @property
    def asked_pairs(self) -> int:
        """Pairs that somebody is asked about, of directed ties each way one."""
        if self.directed:
            return self.answering * self.names
        return comb(self.members, 2) - comb(self.members - self.answering, 2)

    @property
    def pairs(self) -> int:
        return self.members * self.names if self.directed else comb(self.members, 2)

    @property
    def chances(self) -> tuple[float, float]:
        """The chances that a tie, and that none, is sent as a tie."""
        return self.table.one / self.table.denominator, self.table.zero / self.table.denominator


@dataclass(frozen=True, slots=True)
class Guarantee:
    """The most that can be learned about one thing: the epsilon of so many ties together."""

    scope: str
    ties: int
    epsilon: Decimal


@dataclass(frozen=True, slots=True)
class NetworkFigures:
    """`statistics`: name, expected value and standard error. `belief`: in a tie after a report of
    one. `wanted`: margins of the density, and the epsilon of a tie that each takes. `caps` and
    `ways` are empty where the engine does not compare them.
    """

    statistics: tuple[tuple[str, float, float], ...]
    guarantees: tuple[Guarantee, ...]
    belief: float
    wanted: tuple[tuple[float, float], ...]
    caps: tuple[rr_engine.networks.TieCap, ...]
    ways: tuple[rr_engine.networks.RosterWay, ...]

    def margin(self, name: str) -> float:
        """Half the width of the 95 % interval of a statistic."""
        return next(WIDE * error for each, _value, error in self.statistics if each == name)


@lru_cache(maxsize=256)
def network_figures(guess: NetworkGuess) -> NetworkFigures:
    """All figures of a guess; raises EngineError."""
    p, q = guess.chances
    tied = guess.density * p
    return NetworkFigures(
        statistics=tuple(_statistics(guess)),
        guarantees=tuple(_guarantees(guess)),
        belief=tied / (tied + (1 - guess.density) * q),
        wanted=tuple(_wanted(guess)),
        caps=tuple(_caps(guess)),
        ways=tuple(_ways(guess)),
    )


def plain_figures(guess: NetworkGuess, figures: NetworkFigures) -> dict[str, Any]:
    """The numbers of a panel that programs read."""
    return {
        "members": guess.members,
        "answering": guess.answering,
        "person_epsilon": float(guess.person_epsilon),
        "posterior": figures.belief,
        "statistics": {
            name: {"value": value, "standard_error": error}
            for name, value, error in figures.statistics
        },
    }


def _statistics(guess: NetworkGuess) -> Iterator[tuple[str, float, float]]:
    plan = rr_engine.networks.plan_network(
        guess.members,
        tie_design(guess.table),
        guess.density,
        directed=guess.directed,
        reports=1 if guess.directed else 2,
        reciprocity=guess.returned if guess.directed else None,
        answering=guess.answering,
    )
    for name, planned in plan.statistics.items():
        yield name, planned.value, planned.standard_error


def _guarantees(guess: NetworkGuess) -> Iterator[Guarantee]:
    found = rr_engine.networks.roster_privacy(
        tie_design(guess.table), guess.names, reports=1 if guess.directed else 2
    )
    for scope in SCOPES:
        if scope == "tie_at_both_ends" and guess.directed:
            continue
        ties = sum(found.differing(scope))
        yield Guarantee(scope, ties, ties * guess.epsilon)


def _wanted(guess: NetworkGuess) -> Iterator[tuple[float, float]]:
    for part in WANTED_PARTS:
        margin = part * guess.density
        epsilon = rr_engine.networks.solve_tie_epsilon(
            guess.members,
            margin / WIDE,
            directed=guess.directed,
            reports=1 if guess.directed else 2,
            answering=guess.answering,
        )
        yield margin, epsilon


def _caps(guess: NetworkGuess) -> list[rr_engine.networks.TieCap]:
    """No cap, and some that most members would keep; none where none would buy anything."""
    caps = [cap for cap in CAPS if guess.ties <= cap and 2 * cap < guess.names][:SHOWN_CAPS]
    # The engine takes no larger epsilon of a whole person.
    if not caps or guess.person_epsilon > check.EPSILON_LIMIT:
        return []
    return rr_engine.networks.compare_tie_caps(
        guess.answering, guess.names, text_of(guess.person_epsilon), caps, guess.density
    )


def _ways(guess: NetworkGuess) -> list[rr_engine.networks.RosterWay]:
    if guess.names > MOST_COMPARED or guess.person_epsilon > MOST_OF_A_PERSON:
        return []
    ways = rr_engine.networks.compare_roster_devices(
        guess.names, text_of(guess.person_epsilon), guess.density
    )
    return [way for way in ways if isfinite(way.tie_error)]
