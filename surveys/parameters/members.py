"""The members of a survey: people whom it knows by codes, and asks about each other.

Features say whether a document has any: see `DocumentPart.members`. Names are served apart and can
be deleted, so they are nowhere in what is frozen.
"""

from typing import Annotated

import msgspec

from surveys.parameters.types import Frozen, MemberCode, Text

# Two people have one tie between them, which everybody could read off its number.
LEAST_MEMBERS, MOST_MEMBERS = 3, 1_000
LEAST_GROUPS, MOST_GROUPS = 2, 50

Place = Annotated[int, msgspec.Meta(ge=0, lt=MOST_GROUPS)]


class Members(Frozen, frozen=True):
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
