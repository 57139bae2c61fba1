"""Surveys by personal link: it is known who answered, so no answer is sent as it is.

Such a survey has a roster and asks at least one question over it; no other survey has any.
static/js/rr/roster.js has the twin.
"""

from collections.abc import Iterator

from surveys.parameters import rosters
from surveys.parameters.document import PERSONAL, ROSTER, Parameters
from surveys.parameters.tables import Ties
from surveys.parameters.types import Problem


def problems(parameters: Parameters) -> Iterator[Problem]:
    """Yield what is wrong with a document's roster, its mode, and what is asked over the roster."""
    roster = parameters.roster
    if (parameters.mode == PERSONAL) != (roster is not None):
        yield "bad_roster", "roster", "one where people answer by personal link, and only there"
    asked = [question for question in parameters.questions if question.control == ROSTER]
    if (parameters.mode == PERSONAL) != bool(asked):
        rule = "personal links where a question is about the roster, and only there"
        yield "not_personal", "mode", rule
    if roster is None:
        return
    yield from rosters.problems(roster)
    for index, question in enumerate(parameters.questions):
        if not question.randomized:
            rule = "scrambled: it is known who answers"
            yield "not_randomized", f"questions.{index}.randomized", rule
    for index, device in enumerate(parameters.devices):
        if isinstance(device.table, Ties) and device.table.bits != roster.size - 1:
            yield "wrong_length", f"devices.{index}.table.bits", "one for each of the others"
