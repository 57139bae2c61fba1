"""The risk that direct answers single a respondent out: the only statement of the rule.

docs/decisions/0020-direct-answers-that-single-out.md
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from surveys import numbers
from surveys.features import FEATURES
from surveys.kinds import KINDS, Kind, categories, kind_of
from surveys.models import Question, Survey
from surveys.parameters import Parameters

# With ten people to a combination on average, spread evenly, 99 of 100 of them share theirs with
# four others at least (Poisson: P(X <= 3; 10) = 0.0103); with five to one, 73 of 100 do.
LEAST_PER_COMBINATION = 10
MOST_WRITTEN_OUT = 1_000_000


@dataclass(frozen=True, slots=True)
class KeyVariable:
    """A direct question as a key variable of disclosure control: known to others about a person."""

    name: str
    kind: Kind
    options: int  # without “prefer not to say”
    refusal: bool
    required: bool

    def values_beside_others(self) -> int:
        """The number of values in a person's row, a missing answer included."""
        answers = self.kind.values_beside_others(self.options)
        return answers + self.refusal + (not self.required)

    def values_alone(self) -> int:
        """The number of values where every report is a row of its own, such as one option."""
        return self.kind.values_alone(self.options, refusal=self.refusal)


@dataclass(frozen=True, slots=True)
class DisclosureRisk:
    """Direct questions whose combination of answers may be unique, and the numbers behind it."""

    names: tuple[str, ...]
    combinations: int
    planned_n: int

    def combinations_text(self) -> str:
        """The number in the reader's notation; a very large one is shown as such."""
        if self.combinations <= MOST_WRITTEN_OUT:
            return numbers.count(self.combinations)
        return gettext("more than %s") % numbers.count(MOST_WRITTEN_OUT)

    def planned_text(self) -> str:
        return numbers.count(self.planned_n)


def disclosure_risk(
    variables: Iterable[KeyVariable], *, linkage: str, planned_n: int, beside: int = 1
) -> DisclosureRisk | None:
    """The risk where fewer than ten planned respondents share a combination on average.

    `beside`: how many values there are of what else a response says as it is.
    """
    variables = list(variables)
    if not variables:
        return None
    if linkage == Survey.Linkage.TOGETHER:
        names = tuple(variable.name for variable in variables)
        combinations = _combinations(variables) * beside
    else:
        longest = max(variables, key=KeyVariable.values_alone)
        names, combinations = (longest.name,), longest.values_alone()
    if planned_n >= LEAST_PER_COMBINATION * combinations:
        return None
    return DisclosureRisk(names, combinations, planned_n)


def _combinations(variables: Iterable[KeyVariable]) -> int:
    return math.prod(variable.values_beside_others() for variable in variables)


def combinations_of_draft(questions: Sequence[Question]) -> int:
    """How many combinations there are of all that one response of a draft says as it is."""
    return _combinations(_variables_of(questions)) * _beside_of_draft(questions)


def _beside_of_draft(questions: Sequence[Question]) -> int:
    found = (feature.author.values_beside(questions) for feature in FEATURES.values())
    return math.prod(count for values in found for count in values.values())


def _variables_of(questions: Iterable[Question]) -> list[KeyVariable]:
    return [
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


def risk_of_draft(survey: Survey, questions: Sequence[Question]) -> DisclosureRisk | None:
    """The risk of a survey's current draft."""
    return disclosure_risk(
        _variables_of(questions),
        linkage=survey.linkage,
        planned_n=survey.planned_n,
        beside=_beside_of_draft(questions),
    )


def risk_of_document(document: Parameters, *, planned_n: int) -> DisclosureRisk | None:
    """The risk of frozen parameters; the planned number of respondents is not among them."""
    variables = [
        KeyVariable(
            question.id,
            kind_of(question),
            question.answer_count,
            question.prefer_not,
            question.required,
        )
        for question in document.questions
        if not question.randomized
    ]
    found = (feature.document.values_beside(document) for feature in FEATURES.values())
    beside = math.prod(count for values in found for count in values.values())
    return disclosure_risk(variables, linkage=document.linkage, planned_n=planned_n, beside=beside)
