"""The roster of a document: the people whom a survey by personal link is about, and who answer it.

It is known who answered, so no answer is sent as it is. Such a survey asks at least one question
about the roster; no other survey has any. static/js/features/roster/rules.js has the twin.

A link is the address of the survey and, behind a #, 28 random symbols: browsers send that part to
nobody, so it stands in no log. link.js has the twin of its form.
"""

import re
import secrets
from collections import Counter
from collections.abc import Iterator
from typing import Final

from surveys.features.modes import ALPHABET, OwnKey
from surveys.features.parts import DocumentPart
from surveys.parameters.document import MEMBERS, Parameters, Question
from surveys.parameters.members import LEAST_GROUPS, MOST_GROUPS, Members
from surveys.parameters.tables import Ties
from surveys.parameters.types import Problem

NAME: Final = "roster"
# The mode in which each member has a link: it is known who answered.
PERSONAL: Final = "personal"
# 140 bits: nobody finds one by trying.
SYMBOLS = 28
_FORM = re.compile(rf"[{ALPHABET}]{{{SYMBOLS}}}")


class Roster(Members, frozen=True):
    """The members by their codes, and the number of each one's group, where there are any."""


def frozen_roster(parameters: Parameters) -> Roster | None:
    """Return the roster of a document; None of a survey that is not by personal link."""
    return parameters.section(NAME)


class RosterInDocument(DocumentPart):
    sections = {NAME: Roster | None}

    def members(self, parameters: Parameters) -> Members | None:
        return frozen_roster(parameters)

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        yield from _of_mode(parameters)
        for index, question in enumerate(parameters.questions):
            yield from _of_question(question, f"questions.{index}")
        roster = frozen_roster(parameters)
        if roster is not None:
            yield from _of_members(roster)
            yield from _of_answers(parameters, roster)


def _of_mode(parameters: Parameters) -> Iterator[Problem]:
    is_personal = parameters.mode == PERSONAL
    if is_personal != (frozen_roster(parameters) is not None):
        yield "bad_roster", NAME, "one where people answer by personal link, and only there"
    if is_personal != any(question.control == MEMBERS for question in parameters.questions):
        rule = "personal links where a question is about the roster, and only there"
        yield "not_personal", "mode", rule


def _of_question(question: Question, field: str) -> Iterator[Problem]:
    if question.control == MEMBERS and (question.categories or question.prefer_not):
        yield "wrong_length", f"{field}.categories", "none: the answers are the roster"
    if (question.control == MEMBERS) != (question.directed is not None):
        rule = "ties to a roster are directed or not, and nothing else is"
        yield "bad_roster", f"{field}.directed", rule


def _of_members(roster: Roster) -> Iterator[Problem]:
    """Yield what is wrong with a roster beyond the form of its fields."""
    for field, names in (("codes", roster.codes), ("groups", roster.groups)):
        for name, count in Counter(names).items():
            if count > 1:
                yield "duplicate", f"{NAME}.{field}", f"{name!r} may be there once only"
    groups = len(roster.groups)
    if groups and groups < LEAST_GROUPS:
        yield "wrong_length", f"{NAME}.groups", f"{LEAST_GROUPS} to {MOST_GROUPS}, or none"
    if len(roster.group_of) != (roster.size if groups else 0):
        yield "wrong_length", f"{NAME}.group_of", "one for each code, or none without groups"
    elif set(roster.group_of) != set(range(groups)):
        yield "bad_roster", f"{NAME}.group_of", "numbers of the groups, each at least once"


def _of_answers(parameters: Parameters, roster: Roster) -> Iterator[Problem]:
    for index, question in enumerate(parameters.questions):
        if not question.randomized:
            rule = "scrambled: it is known who answers"
            yield "not_randomized", f"questions.{index}.randomized", rule
    for index, device in enumerate(parameters.devices):
        if isinstance(device.table, Ties) and device.table.bits != roster.size - 1:
            yield "wrong_length", f"devices.{index}.table.bits", "one for each of the others"


# --- links ----------------------------------------------------------------------------------------


def is_personal_link(text: object) -> bool:
    """Whether this is the secret part of a link in the one form that is sent: upper case."""
    return isinstance(text, str) and _FORM.fullmatch(text) is not None


def new_link() -> str:
    """The secret part of another link."""
    return "".join(secrets.choice(ALPHABET) for _ in range(SYMBOLS))


KEY = OwnKey("link", "personal link", is_personal_link)
