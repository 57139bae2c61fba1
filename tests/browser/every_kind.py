"""Every kind of question with its devices, also for several at once, and how they are answered.

What is here knows no browser: Playwright's and WebKit's walks answer the same questions.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from surveys.models import Launch
from tests.browser import joint, respondent
from tests.browser.respondent_states import LONG
from tests.browser.test_respond_number import AGE, HOURS


@dataclass(frozen=True)
class Asked:
    """A question, the labels that are chosen or the text that is written, and the device's button.

    Where nothing is given the question is left out. A direct one has no button, nor has one of a
    group before its last.
    """

    question: dict[str, Any]
    given: tuple[str, ...] | str
    button: str = "Spin"

    @property
    def is_drawn(self) -> bool:
        return bool(self.given and self.button)


MONEY = {
    "kind": "single_choice",
    "text": "Where did your money come from?",
    "options": ["Work", "Family", "Elsewhere"],
    "prefer_not": True,
}
LAST = {"kind": "short_text", "text": "What did you take last?", "design": "rappor"}
ORDER = {
    "kind": "ranked_items",
    "text": "What would you change first?",
    "options": ["Pay", "Hours", "People"],
    "design": "all_orders",
}
OPTIONAL = {**respondent.SENSITIVE, "text": "Do you smoke?", "required": False}

EVERY_KIND = (
    Asked(respondent.SENSITIVE, ("Yes",)),
    Asked(MONEY, ("Prefer not to say",)),
    Asked(respondent.EACH, ("Paper", "Food")),
    Asked(respondent.SCALE, ("Often",)),
    Asked(respondent.CARDS, ("Cannabis",), "Draw a card"),
    Asked(respondent.WHOLE, ("Paper", "Tools")),
    Asked(HOURS, "7.5"),
    Asked(AGE, "33"),
    Asked(LAST, "Tea", "Scramble"),
    Asked(ORDER, ("Hours (no rank yet)", "People (no rank yet)", "Pay (no rank yet)")),
    Asked(LONG, ("Region number 30",)),
    Asked({**joint.DRUG, "text": "Have you ever come to work drunk?"}, ("Yes",), ""),
    Asked(joint.WHICH, ("Wine",), ""),
    Asked(joint.LOW, ("Often",)),
    Asked(OPTIONAL, ()),
    Asked(respondent.DIRECT, ("Four or more",), ""),
)


def survey_of_every_kind() -> Launch:
    questions = [asked.question for asked in EVERY_KIND]
    return respondent.survey(questions=questions, budget=Decimal("19"))


def letters_in(told: str) -> list[str]:
    """What the page has said will be sent, letter by letter; of a pattern nothing."""
    codes = told.removeprefix("This is what will be sent: ").removesuffix(".")
    if codes.startswith(("a pattern", "order ")):
        return []
    # "A for question 2, B for question 3, and C for question 4"
    return re.findall(r"(\w) for question", codes) or codes.removeprefix("card ").split()


def letters_of(launch: Launch, reports: dict[str, Any]) -> list[str]:
    """What stands for the reports of scrambled answers, in the order of the questions."""
    without = ("direct", "rappor", "all_orders")
    devices = [x for x in launch.document["devices"] if x["family"] not in without]
    sent = [(x["table"], reports[x["id"]]) for x in devices if x["id"] in reports]
    return [letter for table, report in sent for letter in _letters(table, report)]


def _letters(table: dict[str, Any], report: int | list[int]) -> list[str]:
    """Of a group those of its questions, which begin with A."""
    if isinstance(report, list):
        return ["ABCD"[code] for code in report]
    return [table["reports"][report]]
