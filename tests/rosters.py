"""Surveys with a roster, for tests."""

from typing import Any

from surveys.authoring.rosters import RosterRow
from surveys.models import Survey
from surveys.services.rosters import replace_roster
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
    survey = make_survey(**{"mode": Survey.Mode.PERSONAL, "linkage": "together", **values})
    replace_roster(survey=survey, rows=ROWS)
    move_survey(survey=survey, source=Survey.State.DRAFT, target=Survey.State.OPEN, actor=None)
    return survey


def shut(survey: Survey) -> None:
    """Close it; without a launch there are no results to compute."""
    move_survey(survey=survey, source=Survey.State.OPEN, target=Survey.State.CLOSED, actor=None)
