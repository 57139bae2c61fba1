"""Limits on what reports reveal: above them an author gives a reason, which is published."""

from collections.abc import Iterator
from decimal import Decimal

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.author_texts import reader_key
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.features import epsilon_of_person, selection_of
from surveys.authoring.networks.panel import guess_words
from surveys.authoring.panel.total_words import total_words
from surveys.devices.joint_margin import report_epsilon
from surveys.kinds import is_about_members
from surveys.models import Question, Survey
from surveys.parameters.budget import PERSON_LIMIT, QUESTION_LIMIT
from surveys.strength import PERSON_WARNING, QUESTION_WARNING, hundredths
from surveys.strength_words import question_words


def question_strength(survey: Survey, question: Question) -> Iterator[Finding]:
    """A warning from an epsilon of 2, a reason above 4.

    Where a person is asked some of the questions only, a feature warns of these together.
    """
    epsilon = report_epsilon(question)
    if selection_of(survey) or not question.randomized or not epsilon or epsilon < QUESTION_WARNING:
        return
    words = words_of_question(question, epsilon)
    if epsilon > QUESTION_LIMIT and not reader_key(question.epsilon_reason):
        alone = _(
            "Lower its epsilon of %(epsilon)s to %(limit)s, or give a reason; respondents and "
            "researchers will read it."
        )
        of_all = _(
            "Its group has an epsilon of %(epsilon)s, and the one report can reveal as much about "
            "this answer as about all. Lower it to %(limit)s, or give a reason with each question "
            "of the group; respondents and researchers will read it."
        )
        ask = alone if question.membership is None else of_all
        words = f"{words} {ask % _values(epsilon, QUESTION_LIMIT)}"
        yield Finding.of(question, "question_without_reason", words, blocks=True)
        return
    if question.membership is not None and question.membership.place:
        # A joint report is warned of at its first question.
        return
    yield Finding.of(question, "weak_question", f"{words} {respondents_read()}", blocks=False)


def words_of_question(question: Question, epsilon: Decimal) -> str:
    """Return what an epsilon means for a guess; for a question about members, at one tie."""
    if is_about_members(question):
        return guess_words(float(epsilon))
    return question_words(hundredths(epsilon))


def person_strength(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """A warning from a total of 5, a reason above 10."""
    total = epsilon_of_person(survey, questions)
    if total < PERSON_WARNING:
        return
    words = total_words(questions, total)
    if total > PERSON_LIMIT and not reader_key(survey.budget_reason):
        ask = _(
            "Lower the total epsilon of %(epsilon)s to %(limit)s, or give a reason; respondents "
            "and researchers will read it."
        )
        message = f"{words} {ask % _values(total, PERSON_LIMIT)}"
        yield Finding("person_without_reason", message, blocks=True)
        return
    yield Finding("weak_total", f"{words} {respondents_read()}", blocks=False)


def respondents_read() -> str:
    return _("Respondents read this before they answer.")


def _values(epsilon: Decimal, limit: Decimal) -> dict[str, str]:
    return {"epsilon": numbers.decimal(epsilon), "limit": numbers.decimal(limit)}
