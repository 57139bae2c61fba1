"""What a launch freezes of the order of answers, and what stands against one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.disclosure_risk import LEAST_PER_COMBINATION, combinations_of_draft
from surveys.features.feature import FEATURES
from surveys.features.option_orders.section import MOST_KEPT, NAME, NEVER_KEPT, WAYS, OptionOrder
from surveys.features.option_orders.settings import last_of, order_of
from surveys.features.parts import AuthorPart
from surveys.kinds import KINDS, Kind
from surveys.models import Question, Survey
from surveys.parameters import OPEN


class OptionOrdersForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return bool(order_of(question).by)

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        # What cannot be ordered has a finding, and there is no launch.
        orders = tuple(
            OptionOrder(
                question=question.name,
                by=settings.by,
                last=stays_last(question),
                kept=settings.kept,
            )
            for question in questions
            if (settings := order_of(question)).by and not why_not(question, questions)
        )
        return {NAME: orders} if orders else {}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        for question in filter(self.is_used_by, questions):
            if problem := why_not(question, questions):
                yield Finding.of(question, "option_order", problem, blocks=True)
            elif order_of(question).kept:
                for message in _against_keeping(survey, questions, question):
                    yield Finding.of(question, "order_kept", message, blocks=True)

    def values_beside(self, questions: Sequence[Question]) -> Mapping[str, int]:
        return {
            question.name: _count_of(question)
            for question in filter(self.is_used_by, questions)
            if order_of(question).kept and not why_not(question, questions)
        }


def why_not(question: Question, questions: Sequence[Question]) -> str:
    """Return why the answers to one of these questions, which are all, cannot be ordered."""
    if not order_of(question).by:
        return ""
    return problem_of(question) or _unseen(question) or _in_a_table(question, questions)


def _unseen(question: Question) -> str:
    """Return why there is no order where nobody is asked; empty where people are."""
    if not any(feature.author.knows_answer(question) for feature in FEATURES.values()):
        return ""
    return _(
        "Nobody is asked this question, so nobody sees its answers in any order. Leave them as "
        "they are written."
    )


def _in_a_table(question: Question, questions: Sequence[Question]) -> str:
    """Return why questions that stand together have their answers in one order, if it does."""
    parts = (feature.author.asked_together(questions) for feature in FEATURES.values())
    if not any(question in own for part in parts for own in part):
        return ""
    return _(
        "This question shows its answers in one table with others, so they have one order. Leave "
        "them as they are written, or let the question stand alone."
    )


def _count_of(question: Question) -> int:
    """Return how many orders there are, as far as they can be kept."""
    answers = len(KINDS[question.kind].answer_labels(question))
    by, last = order_of(question).by or "reversed", stays_last(question)
    return OptionOrder(question=question.name, by=by, last=last, kept=True).count(answers)


def _against_keeping(
    survey: Survey, questions: Sequence[Question], question: Question
) -> Iterator[str]:
    """Yield why the order of the answers to a question cannot be kept."""
    traits = {
        trait
        for feature in FEATURES.values()
        if feature.is_used_in_draft(survey, questions)
        for trait in feature.traits
    }
    if order_of(question).by == "shuffled" or _count_of(question) > MOST_KEPT:
        message = _(
            "There are so many orders that one of them could be one person's alone. Let chance "
            "reverse the answers, or rotate %(most)s at most, or do not keep the order."
        )
        yield message % {"most": numbers.count(MOST_KEPT)}
    if survey.linkage != Survey.Linkage.TOGETHER:
        yield _(
            "An order says something beside the answer that was given in it, and here every "
            "report is stored on its own. Keep the answers of one person together, or do not keep "
            "the order."
        )
    if survey.mode != OPEN or traits.intersection(NEVER_KEPT):
        yield _(
            "An order is kept only in a survey with one open link, without versions for groups of "
            "readers, without physical randomizers, and with the same questions for everybody: "
            "elsewhere it would join what is told apart, or not everybody has one. Do not keep "
            "the order."
        )
    combinations = combinations_of_draft(questions)
    if survey.planned_n < LEAST_PER_COMBINATION * combinations:
        message = _(
            "With the orders that are kept, what a response says as it is has %(combinations)s "
            "combinations, for %(planned)s planned respondents: fewer than %(least)s people share "
            "one on average, so an order could help to single somebody out. Do not keep the "
            "order, ask less directly, or plan %(needed)s people."
        )
        values = {"combinations": combinations, "planned": survey.planned_n}
        values |= {"least": LEAST_PER_COMBINATION, "needed": LEAST_PER_COMBINATION * combinations}
        yield message % {name: numbers.count(value) for name, value in values.items()}


def stays_last(question: Question) -> int:
    """Return how many answers of a question stay at the end."""
    return last_of(order_of(question), KINDS[question.kind].answer_labels(question))


def problem_of(question: Question) -> str:
    """Return why the answers to a question cannot be ordered as is set; empty where they can."""
    kind = KINDS.get(question.kind)
    ways = WAYS.get(kind.control, ()) if kind is not None and is_written(kind) else ()
    by = order_of(question).by
    if kind is None or not by:
        return ""
    if not ways:
        return _(
            "Chance can order the answers of a choice, of several answers, and of a scale. Leave "
            "these as they are written."
        )
    if by not in ways:
        return _("A scale keeps its sense in two directions only. Let chance reverse it.")
    if len(kind.answer_labels(question)) - stays_last(question) < 2:
        return _(
            "Fewer than two answers can change their places. Let fewer of them stay at the end."
        )
    return ""


def is_written(kind: Kind) -> bool:
    """Whether the answers of a kind are what its author writes, in any order or that of a scale.

    The answers to a date are bins, which follow one another.
    """
    is_computed = type(kind).options_problem is not Kind.options_problem
    return kind.with_options and not is_computed
