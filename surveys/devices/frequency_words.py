"""Natural frequencies of devices with several codes, in the words of the respondents' page."""

from collections.abc import Mapping

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
    return text % counts(
        {"people": people, "most": int(np.ceil(people * largest_share)), "others": codes - 1}
    )


def counts(values: Mapping[str, int]) -> dict[str, str]:
    return {name: numbers.count(value) for name, value in values.items()}
