"""How large a survey may be, and a search for a device."""

import math
from decimal import Decimal

from django.utils.translation import gettext

from surveys import numbers
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import KINDS, categories

# The most questions in one survey: the work of an author's request grows with them.
MAX_QUESTIONS = 200
# Numbers of answers that a search takes: the engine takes 14, but needs minutes for them, and then
# finds little.
LEAST_SEARCHED, MOST_SEARCHED = 2, 12
# Combinations of answers for each planned respondent: above the first a launch is refused, above
# the second its author is warned that the table of all combinations will be coarse.
REFUSED_ABOVE = Decimal(1)
WARNED_ABOVE = Decimal("0.1")


def too_many_questions(count: int) -> str:
    """The error message for too many questions; empty for an acceptable number."""
    if count <= MAX_QUESTIONS:
        return ""
    message = gettext(
        "Questions: a survey has %(most)s at most, and this one has %(count)s. Remove some, or "
        "make two surveys of them."
    )
    return message % {"most": numbers.count(MAX_QUESTIONS), "count": numbers.count(count)}


def shares_draw(question: AskedQuestion | Draft) -> bool:
    """Whether it is sent together with others, so that no device of its own is drawn from."""
    return question.randomized and question.group is not None


def can_be_searched(question: AskedQuestion | Draft) -> bool:
    """Whether the workbench has something to search for."""
    kind = KINDS.get(question.kind)
    if kind is None or kind.several or shares_draw(question) or not kind.is_categorical(question):
        return False
    return LEAST_SEARCHED <= len(categories(question)) <= MOST_SEARCHED


# A 95 % interval that reaches further to each side finds nothing that anybody would not have
# guessed: a launch needs a reason, and no proposal for the budget is made for its sake.
COARSE_MARGIN = 0.25
# Each of the three takes two and a half times as many people as the one after it.
GOOD_MARGIN, USABLE_MARGIN = 0.1, 0.16


def people_for(margin: float, wanted: float, planned_n: int) -> int:
    """How many people bring a margin down to the wanted one; it falls with their root."""
    return rounded_up(planned_n * (margin / wanted) ** 2)


def rounded_up(people: float) -> int:
    """Return a number of people rounded up to two digits: a plan is no more exact than that."""
    step = 10 ** max(0, math.ceil(math.log10(max(people, 1))) - 2)
    return step * math.ceil(people / step - 1e-9)
