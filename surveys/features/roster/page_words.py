"""Texts for respondents on what the answer to a roster reveals.

One is about any one name, another about all ticks together. The two are never one number
(docs/methods/network-privacy.md, "Edge level and person level").
"""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from rr_engine.networks import RosterPrivacy, roster_privacy
from surveys import numbers
from surveys.parameters import Parameters, Ties
from surveys.parameters.budget import spent
from surveys.parameters.exact import tie_design
from surveys.strength import hundredths, strength_of
from surveys.strength_words import guess_text, person_guess, question_guess


def roster_words(parameters: Parameters) -> dict[str, Any]:
    """The sentences of a page, in the active language; for a survey with a roster only.

    `one` and `all` are the guarantees, `guesses` both of them in a line, with those of the other
    questions; `budget` says how much of the budget which of them uses.
    """
    privacies = _privacies(parameters)
    names = privacies[0].roster
    words = {"one": _about_one(privacies), "all": _about_all(privacies)}
    return {
        "names_of_one": _of_one(names),
        "names_of_all": _("All your ticks together"),
        **words,
        "guesses": _guesses(parameters, words, names),
        "budget": _budget(parameters, privacies),
    }


def _privacies(parameters: Parameters) -> list[RosterPrivacy]:
    """The guarantees of each question about the roster, of its own table."""
    directed = {question.id: question.directed for question in parameters.questions}
    return [
        roster_privacy(
            tie_design(device.table),
            device.table.bits,
            reports=1 if directed[device.questions[0]] else 2,
        )
        for device in parameters.devices
        if isinstance(device.table, Ties)
    ]


def _of_one(names: int) -> str:
    return _("Any one of the %(names)s names") % {"names": numbers.count(names)}


def _about_one(privacies: Sequence[RosterPrivacy]) -> str:
    """Edge level: one tie, in one report of it and, where both people report it, in both."""
    weakest = max(privacies, key=lambda privacy: privacy.tie)
    text = _guess(
        weakest.tie,
        _(
            "Suppose a guess whether you ticked it is right 50 times in 100. With what is sent, "
            "it is right at most %(right)s times in %(people)s."
        ),
        _(
            "Suppose a guess whether you ticked it is right 50 times in 100. With what is sent, "
            "it can be practically always right."
        ),
    )
    both = max(privacies, key=lambda privacy: privacy.tie_at_both_ends)
    if both.reports == 1:
        return text
    mutual = _guess(
        both.tie_at_both_ends,
        _(
            "The other one is asked about you too. With both answers the guess is right at most "
            "%(right)s times in %(people)s."
        ),
        _(
            "The other one is asked about you too. With both answers the guess can be "
            "practically always right."
        ),
    )
    return f"{text} {mutual}"


def _about_all(privacies: Sequence[RosterPrivacy]) -> str:
    """Person level: all ticks of one person."""
    return _guess(
        sum(privacy.person for privacy in privacies),
        _(
            "These are less protected than any one of them. A guess between two lists that differ "
            "in every name can be right %(right)s times in %(people)s."
        ),
        _(
            "These are much less protected than any one of them. A guess between two lists that "
            "differ in every name can be practically always right."
        ),
    )


def _guess(epsilon: float, text: str, certain: str) -> str:
    # Sums of doubles may be a little above what they stand for.
    return guess_text(hundredths(math.floor(epsilon * 1e9 + 0.5) / 1e9), text, certain)


def _guesses(parameters: Parameters, words: dict[str, str], names: int) -> str:
    others = strength_of(
        device for device in parameters.devices if not isinstance(device.table, Ties)
    )
    every = _("All your ticks together")
    sentences = [f"{_of_one(names)}: {words['one']}", f"{every}: {words['all']}"]
    if others.questions:
        guess = question_guess(others.question)
        if others.questions > 1:
            guess = f"{guess} {person_guess(others.person)}"
        others_named = _("The other questions")
        sentences.append(f"{others_named}: {guess}")
    return " ".join(sentences)


def _budget(parameters: Parameters, privacies: Sequence[RosterPrivacy]) -> str:
    text = _(
        "The scrambled questions use %(used)s of a privacy budget (epsilon) of %(budget)s. Of all "
        "names any one is counted. All ticks of a person together are %(all)s."
    )
    total = Decimal(str(round(sum(privacy.person for privacy in privacies), 6)))
    values = {
        "used": spent(parameters.devices),
        "budget": Decimal(parameters.epsilon),
        "all": total,
    }
    return text % {name: numbers.epsilon(value) for name, value in values.items()}
