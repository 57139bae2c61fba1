"""The reports of people with the same real answer, in natural frequencies."""

from collections.abc import Mapping, Sequence

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers

KEPT = gettext_lazy(
    "Of %(people)s people with the same real answer, %(kept)s send its own code and "
    "%(changed)s one of the other %(others)s codes."
)
KEPT_BETWEEN = gettext_lazy(
    "Of %(people)s people with the same real answer, %(kept)s to %(most)s send its own "
    "code; the others send another one."
)


def most_of_a_code(codes: int, largest_share: float) -> str:
    """Rounded up, so that it is true of every answer and every code."""
    text = _(
        "Of %(people)s people with the same real answer, at most %(most)s send the same code; "
        "the others send one of the other %(others)s codes."
    )
    people = 100
    return text % _counts(
        {"people": people, "most": int(np.ceil(people * largest_share)), "others": codes - 1}
    )


def kept_of_people(shares: Sequence[float], base: int, *, others: int) -> str:
    """How many of `base` people with the same real answer send its own code, answer by answer."""
    lowest, highest = round(min(shares) * base), round(max(shares) * base)
    values = {"people": base, "kept": lowest, "most": highest, "changed": base - lowest}
    text = KEPT_BETWEEN if lowest < highest else KEPT
    return str(text) % _counts({**values, "others": others})


def _counts(values: Mapping[str, int]) -> dict[str, str]:
    return {name: numbers.count(value) for name, value in values.items()}
