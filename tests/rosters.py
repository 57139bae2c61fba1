"""Surveys with a roster, for tests."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from surveys.devices.tie_bits import USUAL_TIES
from surveys.features.roster.links import make_links
from surveys.features.roster.reading import RosterRow
from surveys.features.roster.section import PERSONAL
from surveys.models import Launch, Survey
from surveys.services.launches import launch_survey
from surveys.services.transitions import move_survey
from tests.builders import make_survey

ROWS = (
    RosterRow("c3", "Cem Çelik", "Late"),
    RosterRow("a1", "Ana Alves", "Early"),
    RosterRow("b2", "Bo Berg", "Late"),
    RosterRow("d4", "Dee Dunn", "Early"),
)


def rostered(**values: Any) -> Survey:
    """A survey by personal link that is open; nothing of what it asks is frozen."""
    given = {"mode": PERSONAL, "linkage": "together", "roster": ROWS, **values}
    survey = make_survey(**given)
    move_survey(survey=survey, source=Survey.State.DRAFT, target=Survey.State.OPEN, actor=None)
    return survey


def shut(survey: Survey) -> None:
    """Close it; without a launch there are no results to compute."""
    move_survey(survey=survey, source=Survey.State.OPEN, target=Survey.State.CLOSED, actor=None)


TIES = (
    {
        "name": "friends",
        "kind": "roster_ties",
        "text": "Which of these are friends of yours?",
        "directed": False,
        "design": "tie_bits",
        "epsilon": Decimal("2"),
    },
    {
        "name": "lends",
        "kind": "roster_ties",
        "text": "Whom have you lent money to?",
        "required": False,
        "design": "tie_bits",
        "epsilon": Decimal("1"),
    },
)
SMOKES = {"name": "smokes", "text": "Do you smoke at work?", "epsilon": Decimal("1")}


def roster_rows(members: int, groups: Sequence[str] = ("Early", "Late")) -> list[RosterRow]:
    """Members m001, m002, ... in these groups by turns."""
    return [
        RosterRow(f"m{number:03}", f"Member {number}", groups[number % len(groups)])
        for number in range(1, members + 1)
    ]


def network_survey(rows: Sequence[RosterRow] = (), **values: Any) -> Survey:
    """A draft that asks two questions about its roster, and one beside them."""
    given = {
        "mode": PERSONAL,
        "linkage": "together",
        "population": "fixed",
        "questions": (*_ties(len(rows)), SMOKES),
        "budget": Decimal(4),
        **values,
    }
    return make_survey(**given, roster=rows or roster_rows(12))


def _ties(members: int) -> list[dict[str, Any]]:
    """Return the questions on ties: a few people cannot expect as many as usual."""
    few = {"design_parameters": {"expected_ties": 1}} if 0 < members <= USUAL_TIES else {}
    return [{**question, **few} for question in TIES]


def launched_network(rows: Sequence[RosterRow] = (), **values: Any) -> Launch:
    """The same, open for responses."""
    return launch_survey(survey=network_survey(rows, **values), actor=None)


def small_network(members: int, **values: Any) -> Launch:
    """The same, of fewer members than usually have ties."""
    expected = {"design_parameters": {"expected_ties": "1"}}
    questions = (*({**ties, **expected} for ties in TIES), SMOKES)
    return launched_network(roster_rows(members), questions=questions, **values)


def links_of(survey: Survey) -> dict[str, str]:
    """A new link for each member, by code."""
    made = make_links(survey=survey, members=survey.members.all())
    return {member.code: link for member, link in made}
