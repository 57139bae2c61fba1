"""Whether answers that are sent as they are can single a respondent out: the one rule of it.

docs/decisions/0020-direct-answers-that-single-out.md
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from surveys import numbers
from surveys.kinds import KINDS, Kind, categories, kind_of
from surveys.models import Question, Survey
from surveys.parameters import Parameters

# With ten people to a combination on average, spread evenly, 99 of 100 of them share theirs with
# four others at least (Poisson: P(X <= 3; 10) = 0.0103); with five to one, 73 of 100 do.
LEAST_PER_COMBINATION = 10
MOST_WRITTEN_OUT = 1_000_000


@dataclass(frozen=True, slots=True)
class KeyVariable:
    """A direct question, as disclosure control sees it: what somebody may know of a person."""

    name: str
    kind: Kind
    options: int  # without “prefer not to say”
    refusal: bool
    required: bool

    def values_beside_others(self) -> int:
        """In how many ways it can stand in a person's row; left out is one of them."""
        answers = self.kind.values_beside_others(self.options)
        return answers + self.refusal + (not self.required)

    def values_alone(self) -> int:
        """The same where every report is a row of its own, as each option of a set of ticks is."""
        return self.kind.values_alone(self.options, refusal=self.refusal)


@dataclass(frozen=True, slots=True)
class DisclosureRisk:
    """Direct questions whose answers may be one person's alone, and the numbers that say so."""

    names: tuple[str, ...]
    combinations: int
    planned_n: int

    def combinations_text(self) -> str:
        """The number in the reader's notation; one that nobody reads is only called large."""
        if self.combinations <= MOST_WRITTEN_OUT:
            return numbers.count(self.combinations)
        return gettext("more than %s") % numbers.count(MOST_WRITTEN_OUT)

    def planned_text(self) -> str:
        return numbers.count(self.planned_n)


def disclosure_risk(
    variables: Iterable[KeyVariable], *, linkage: str, planned_n: int
) -> DisclosureRisk | None:
    """The risk where fewer than ten planned respondents share a combination on average."""
    variables = list(variables)
    if not variables:
        return None
    if linkage == Survey.Linkage.TOGETHER:
        names = tuple(variable.name for variable in variables)
        combinations = math.prod(variable.values_beside_others() for variable in variables)
    else:
        longest = max(variables, key=KeyVariable.values_alone)
        names, combinations = (longest.name,), longest.values_alone()
    if planned_n >= LEAST_PER_COMBINATION * combinations:
        return None
    return DisclosureRisk(names, combinations, planned_n)


def risk_of_draft(survey: Survey, questions: Iterable[Question]) -> DisclosureRisk | None:
    """The risk of a survey as its author has it now."""
    variables = [
        KeyVariable(
            question.name,
            kind_of(question),
            len(categories(question)) - question.prefer_not,
            question.prefer_not,
            question.required,
        )
        for question in questions
        if not question.randomized and question.kind in KINDS
    ]
    return disclosure_risk(variables, linkage=survey.linkage, planned_n=survey.planned_n)


def risk_of_document(document: Parameters, *, planned_n: int) -> DisclosureRisk | None:
    """The risk of frozen parameters; the planned number is not among them."""
    variables = [
        KeyVariable(
            question.id,
            kind_of(question),
            question.asked,
            question.prefer_not,
            question.required,
        )
        for question in document.questions
        if not question.randomized
    ]
    return disclosure_risk(variables, linkage=document.linkage, planned_n=planned_n)
