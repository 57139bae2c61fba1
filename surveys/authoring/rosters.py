"""The roster of a survey as its parameters have it, and a line of it before it is stored."""

from typing import NamedTuple

from surveys.models import Survey

FEWEST_MEMBERS, MOST_MEMBERS = 3, 1_000
FEWEST_GROUPS, MOST_GROUPS = 2, 50


class RosterRow(NamedTuple):
    """A member as the author lists it; `group` is empty for all rows or for none."""

    code: str
    name: str
    group: str = ""


class Roster(NamedTuple):
    """Codes in the order of the list; for each the place of its group among `groups`, if any."""

    codes: tuple[str, ...]
    groups: tuple[str, ...]
    group_of: tuple[int, ...]


def roster_of(survey: Survey) -> Roster | None:
    """The roster that is stored of a survey, without names; None where there is none.

    Groups come in the order in which the list first names them.
    """
    rows = survey.members.order_by("place").values_list("code", "group")
    codes, named = zip(*rows, strict=True) if rows else ((), ())
    if not codes:
        return None
    groups = tuple(dict.fromkeys(group for group in named if group))
    places = {group: place for place, group in enumerate(groups)}
    return Roster(codes, groups, tuple(places[group] for group in named) if groups else ())
