"""Disclosure control of networks: nothing is shown about fewer than five of the members.

A report of ties is scrambled tie by tie, and whoever has all ties of a person scrambled has that
person's number of ties with an error. So nothing that is shown is about a few people's ties, and
nothing is left over for a few by subtracting what is shown from the whole:

- nothing, where fewer than LEAST_PEOPLE have answered;
- a group of members is shown once so many of its members have answered, and those that are not
  shown have together at least so many members: where they have not, the smallest of the others is
  left out too;
- a class of degrees has at least so many people by estimate; smaller ones join the class below.
"""

from collections.abc import Sequence

LEAST_PEOPLE = 5
# The first degree of each class.
CLASSES = (0, 1, 3, 6, 11, 21, 51, 101, 201, 501)


def shown_groups(members: Sequence[int], reporters: Sequence[int]) -> list[int]:
    """The numbers of the groups that are shown, by how many people each has, and who answered."""
    shown = [group for group, count in enumerate(reporters) if count >= LEAST_PEOPLE]
    hidden = sum(members) - sum(members[group] for group in shown)
    while shown and 0 < hidden < LEAST_PEOPLE:
        smallest = min(shown, key=lambda group: members[group])
        shown.remove(smallest)
        hidden += members[smallest]
    return shown


def degree_classes(degrees: Sequence[int], people: Sequence[float]) -> list[tuple[int, int | None]]:
    """The least and the largest degree of each class; the last one is open.

    `people`: how many have each of `degrees`, by estimate. One class only where there are fewer
    than two times LEAST_PEOPLE.
    """
    firsts: list[int] = []
    held = 0.0
    for first, after in reversed(list(zip(CLASSES, (*CLASSES[1:], None), strict=True))):
        held += sum(
            count
            for degree, count in zip(degrees, people, strict=True)
            if degree >= first and (after is None or degree < after)
        )
        # A share that is nearly a whole number of people is one.
        if held >= LEAST_PEOPLE - 1e-6:
            firsts.append(first)
            held = 0.0
    # The people left over at the lower end join the lowest class.
    firsts = [0, *sorted(firsts)[1:]]
    ends: list[int | None] = [first - 1 for first in firsts[1:]]
    return list(zip(firsts, [*ends, None], strict=True))
