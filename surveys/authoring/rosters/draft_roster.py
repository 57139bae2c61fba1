"""The roster of a survey as its parameters have it, and a line of it before it is stored."""

from typing import NamedTuple

from surveys.models import Survey
from surveys.parameters import Roster


class RosterRow(NamedTuple):
    """A member as the author lists it; `group` is empty for all rows or for none."""

    code: str
    name: str
    group: str = ""


def roster_of(survey: Survey) -> Roster | None:
    """The roster that is stored of a survey, without names; None where there is none.

    Groups come in the order in which the list first names them.
    """
    rows = survey.members.order_by("place").values_list("code", "group")
    if not rows:
        return None
    codes, named = zip(*rows, strict=True)
    groups = tuple(dict.fromkeys(group for group in named if group))
    places = {group: place for place, group in enumerate(groups)}
    group_of = tuple(places[group] for group in named) if groups else ()
    return Roster(codes=codes, groups=groups, group_of=group_of)
