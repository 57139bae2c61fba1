"""What a respondent's device does: it checks the parameters, draws, and sends.

It is written from docs/protocol.md alone, with the standard library and nothing of the site: each
module names the section of that page that it follows. As a program it answers a survey once:

    python -m candor.respondent http://localhost:8000 health drug=1 shift=0 took=0,1

Where a survey has return codes it writes down the one that it made; somebody who has one comes back
with --code= and their code, such as 7K2M-7K2M-7K2M-7K2M-7K2M.
"""

from candor.respondent.answer_orders import drawn_orders
from candor.respondent.arms import Assigned, asked_directly
from candor.respondent.canonical import canonical, digest_of
from candor.respondent.cards import cards_of, check_cards
from candor.respondent.chance import uniform_below
from candor.respondent.document import check
from candor.respondent.drawing import draw
from candor.respondent.filters import routed
from candor.respondent.languages import in_language
from candor.respondent.link_values import from_link
from candor.respondent.network import (
    Answer,
    ask_for_arm,
    assign,
    fetch,
    fetch_full,
    look_up,
    person,
    post,
    send,
)
from candor.respondent.piping import filled
from candor.respondent.program import main
from candor.respondent.questions import answers_of, is_every_step, steps_of
from candor.respondent.quotas import end_of, way_back
from candor.respondent.reading import is_report
from candor.respondent.response import body_length, body_of, respond, truths_of
from candor.respondent.return_codes import check_found, is_code, new_code, read_code
from candor.respondent.rosters import draw_ties, is_link, ties_of
from candor.respondent.sections import pages_of
from candor.respondent.symbols import in_groups
from candor.respondent.texts import normalize, positions_of
from candor.respondent.together import draw_together, is_drawn_pair, pick_pair
from candor.respondent.values import Untrusted
from candor.respondent.waves import check_earlier, check_history, earlier_of, relax

__all__ = [
    "Answer",
    "Assigned",
    "Untrusted",
    "answers_of",
    "ask_for_arm",
    "asked_directly",
    "assign",
    "body_length",
    "body_of",
    "canonical",
    "cards_of",
    "check",
    "check_cards",
    "check_earlier",
    "check_found",
    "check_history",
    "digest_of",
    "draw",
    "draw_ties",
    "draw_together",
    "drawn_orders",
    "earlier_of",
    "end_of",
    "fetch",
    "fetch_full",
    "filled",
    "from_link",
    "in_groups",
    "in_language",
    "is_code",
    "is_drawn_pair",
    "is_every_step",
    "is_link",
    "is_report",
    "look_up",
    "main",
    "new_code",
    "normalize",
    "pages_of",
    "person",
    "pick_pair",
    "positions_of",
    "post",
    "read_code",
    "relax",
    "respond",
    "routed",
    "send",
    "steps_of",
    "ties_of",
    "truths_of",
    "uniform_below",
    "way_back",
]
