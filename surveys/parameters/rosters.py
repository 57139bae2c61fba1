"""The roster: the people whom a survey by personal link is about, and who answer it.

The document has their codes and groups. Names are served apart and can be deleted, so they are
nowhere in what is frozen. static/js/rr/roster.js has the twin of the rules.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import msgspec

from surveys.parameters.types import Frozen, MemberCode, Problem, Text

# Two people have one tie between them, which everybody could read off its number.
LEAST_MEMBERS, MOST_MEMBERS = 3, 1_000
LEAST_GROUPS, MOST_GROUPS = 2, 50

Place = Annotated[int, msgspec.Meta(ge=0, lt=MOST_GROUPS)]


class Roster(Frozen, frozen=True):
    """The members by their codes, and the number of each one's group, where there are any."""

    codes: Annotated[
        tuple[MemberCode, ...], msgspec.Meta(min_length=LEAST_MEMBERS, max_length=MOST_MEMBERS)
    ]
    groups: Annotated[tuple[Text, ...], msgspec.Meta(max_length=MOST_GROUPS)]
    group_of: tuple[Place, ...]

    @property
    def size(self) -> int:
        return len(self.codes)

    @property
    def places(self) -> dict[str, int]:
        """The place of each code, from 0."""
        return {code: place for place, code in enumerate(self.codes)}


def problems(roster: Roster) -> Iterator[Problem]:
    """Yield what is wrong with a roster beyond the form of its fields."""
    for field, names in (("codes", roster.codes), ("groups", roster.groups)):
        for name, count in Counter(names).items():
            if count > 1:
                yield "duplicate", f"roster.{field}", f"{name!r} may be there once only"
    groups = len(roster.groups)
    if groups and groups < LEAST_GROUPS:
        yield "wrong_length", "roster.groups", f"{LEAST_GROUPS} to {MOST_GROUPS}, or none"
    if len(roster.group_of) != (roster.size if groups else 0):
        yield "wrong_length", "roster.group_of", "one for each code, or none without groups"
    elif set(roster.group_of) != set(range(groups)):
        yield "bad_roster", "roster.group_of", "numbers of the groups, each at least once"
