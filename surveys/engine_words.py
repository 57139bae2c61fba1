"""Messages to authors about the engine's errors, by the error's code and never by its message.

The sentences are stored and passed on in English, and translated where they are shown.
"""

from decimal import Context, Decimal, InvalidOperation

from django.utils.translation import gettext, gettext_noop

from rr_engine import EngineError
from surveys import numbers

__all__ = ["SENTENCES", "EngineError", "refusal", "refusal_words"]


_TOO_MANY = gettext_noop("There are too many answers for this device.")
_TOO_FEW_OUTCOMES = gettext_noop("The randomizer has too few outcomes for so many answers.")
_TWO_ANSWERS = gettext_noop("It takes at least two answers, none of them empty.")
_GUESSED_ANYWAY = gettext_noop(
    "The bound asks for less than guessing the most frequent answer reaches anyway."
)
_UNKNOWN = gettext_noop("These numbers do not fit this device.")
SENTENCES = {
    "above_largest_rest": _GUESSED_ANYWAY,
    "below_largest_share": _GUESSED_ANYWAY,
    "bound_not_proved": gettext_noop("No proof of the best was found for these numbers."),
    "category_count": gettext_noop("There are too few or too many answers for this device."),
    "empty_label": _TWO_ANSWERS,
    "epsilon_too_small": gettext_noop("The epsilon is too small for this device."),
    "infinite_epsilon": gettext_noop("Some report would give its answer away for certain."),
    "no_feasible_device": gettext_noop("No device keeps all of these bounds."),
    "no_identifying_deck": gettext_noop("No set of cards of this size tells the answers apart."),
    "no_relaxation": gettext_noop(
        "The new device cannot follow the earlier one: together they would reveal more than the "
        "new one alone."
    ),
    "not_a_delta": gettext_noop("Delta must be at least 0 and below 1."),
    "not_an_epsilon": gettext_noop("Epsilon must be a number above 0 and at most 700."),
    "not_storable": gettext_noop(
        "The page has no way to ask with this device: its reports are neither codes, nor cards, "
        "nor a bit for each answer."
    ),
    "prior_has_zero": gettext_noop("Every answer needs a share above 0 in the guess."),
    "repeated_label": gettext_noop("Two answers are the same."),
    "rounded_apart": gettext_noop(
        "The new device follows the earlier one only up to rounding, and it must do so exactly."
    ),
    "share_too_small": gettext_noop(
        "It found no proof of the best for a guess as uneven as this with so many answers. "
        "Put rare answers together, allow more sureness (delta), or take OptRR."
    ),
    "too_few_bits": gettext_noop("The table cannot be made of whole numbers at this epsilon."),
    "too_few_labels": _TWO_ANSWERS,
    "too_few_outcomes": _TOO_FEW_OUTCOMES,
    "too_many_categories": _TOO_MANY,
    "too_many_cells": _TOO_MANY,
    "too_many_outcomes": _TOO_FEW_OUTCOMES,
    "too_many_subsets": _TOO_MANY,
    "unknown_choice": gettext_noop("This device does not fit this kind of question."),
}


def refusal(error: Exception | str) -> str:
    """The stored form of an error or its code: an English sentence, then its limit on a new line.

    :func:`refusal_words` turns it into the text for readers.
    """
    code = error if isinstance(error, str) else getattr(error, "code", "")
    limit = getattr(error, "limit", None)
    sentence = SENTENCES.get(code, _UNKNOWN)
    return sentence if limit is None else f"{sentence}\n{_limit_text(limit)}"


def _limit_text(limit: object) -> str:
    if not isinstance(limit, float):
        return str(limit)
    return format(Context(prec=6).create_decimal_from_float(limit).normalize(), "f")


def refusal_words(hint: str) -> str:
    """The sentence in the reader's language, with the limit where there is one."""
    sentence, _line, limit = hint.partition("\n")
    words = gettext(sentence) if sentence else ""
    if not limit:
        return words
    bound = gettext("The limit is %s.") % _localized(limit)
    return f"{words} {bound}"


def _localized(limit: str) -> str:
    """The limit in the reader's notation if it is a number, else unchanged."""
    try:
        return numbers.decimal(Decimal(limit))
    except InvalidOperation:
        return limit
