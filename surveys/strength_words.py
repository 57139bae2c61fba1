"""Sentences on the strength of protection, for respondents, researchers and authors."""

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.parameters import Parameters
from surveys.parameters.budget import spent
from surveys.strength import (
    Strength,
    hundredths,
    person_level,
    question_level,
    right_guesses,
)
from surveys.strength_statements import (
    PERSON,
    QUESTION,
    READER_PERSON,
    READER_QUESTION,
    label_statements,
    survey_level,
)


def respondent_words(strength: Strength) -> dict[str, Any]:
    """The sentences of a respondent's page without JavaScript; `words` is empty at level 0.

    They are in the active language.
    """
    words = (level_words(strength.question_level), PERSON[strength.person_level]())
    return {
        "question_level": strength.question_level,
        "person_level": strength.person_level,
        "level": survey_level(strength),
        "guesses": guesses(strength),
        **label_statements(strength),
        "words": " ".join(filter(None, words)),
    }


def budget_words(parameters: Parameters, strength: Strength) -> str:
    """How much of the survey's budget the randomized questions use, for a respondent."""
    text = (
        _(
            "The scrambled questions use %(used)s of a privacy budget of %(budget)s. One of them "
            "has a letter that only one answer can send. That question says how often this happens."
        )
        if strength.identifying
        else _("The scrambled questions use %(used)s of a privacy budget (epsilon) of %(budget)s.")
    )
    total = spent(parameters.devices)
    values = {"used": total, "budget": Decimal(parameters.epsilon)}
    return text % {name: numbers.epsilon(value) for name, value in values.items()}


def level_words(level: int) -> str:
    """The statement for the level of one question, for its respondent."""
    return QUESTION[level]()


def guesses(strength: Strength) -> str:
    """The guess after any one question, then the guess after all together, in words."""
    if strength.identifying or not strength.questions:
        return ""
    guess = question_guess(strength.question)
    return guess if strength.questions == 1 else f"{guess} {person_guess(strength.person)}"


def guess_text(loss: int, text: str, certain: str, **values: str) -> str:
    """`text` with how often an even guess is right, at most; `certain` where practically always."""
    guess = right_guesses(loss)
    if guess is None:
        return certain % values
    right, people = map(numbers.count, guess)
    return text % {**values, "right": right, "people": people}


def question_guess(loss: int) -> str:
    return guess_text(
        loss,
        _(
            "Suppose a guess at a real answer is right 50 times in 100. With what is sent, it is "
            "right at most %(right)s times in %(people)s."
        ),
        _(
            "Suppose a guess at a real answer is right 50 times in 100. With what is sent, it can "
            "be practically always right."
        ),
    )


def tie_strength_words(strength: Strength) -> str:
    """The words for a question about members: one tie, and all that a person reports."""
    one = guess_text(
        strength.question,
        _(
            "Suppose a guess at one tie is right 50 times in 100. With what is sent, it is right "
            "at most %(right)s times in %(people)s."
        ),
        _(
            "Suppose a guess at one tie is right 50 times in 100. With what is sent, it can be "
            "practically always right."
        ),
    )
    words = (one, person_guess(strength.person), READER_PERSON[strength.person_level]())
    return " ".join(filter(None, words))


def person_guess(loss: int) -> str:
    return guess_text(
        loss,
        _(
            "Suppose a guess about a person is right 50 times in 100. With all their scrambled "
            "answers, it is right at most %(right)s times in %(people)s."
        ),
        _(
            "Suppose a guess about a person is right 50 times in 100. With all their scrambled "
            "answers, it can be practically always right."
        ),
    )


def question_words(loss: int) -> str:
    """The words for one question, for researchers and authors: the guess, then the level."""
    return " ".join(filter(None, (question_guess(loss), READER_QUESTION[question_level(loss)]())))


def person_words(epsilon: float | Decimal) -> str:
    """The words for all reports of one person."""
    loss = hundredths(epsilon)
    return " ".join(filter(None, (person_guess(loss), READER_PERSON[person_level(loss)]())))


def strength_words(strength: Strength) -> str:
    """The words for a survey, for researchers and authors: the guesses, then the levels."""
    words = (question_strength_words(strength), READER_PERSON[strength.person_level]())
    return " ".join(filter(None, words))


def question_strength_words(strength: Strength) -> str:
    """The words for one question alone, without the sum over all questions."""
    identifying_sentence = _("Some reports can prove an answer.") if strength.identifying else ""
    words = (guesses(strength), identifying_sentence, READER_QUESTION[strength.question_level]())
    return " ".join(filter(None, words))
