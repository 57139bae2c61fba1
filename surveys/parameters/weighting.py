"""Known margins of the population, to which the respondents of a survey are weighted.

They are declared before anybody answers, so that nobody can choose weights that favour a result.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from surveys.parameters.types import Decimal, Frozen, QuestionName

MOST_MARGINS = 6


class Margin(Frozen, frozen=True):
    """The share of each category of a question in the population, in the order of categories."""

    question: QuestionName
    shares: tuple[Decimal, ...]


class Weighting(Frozen, frozen=True):
    """The margins that the weights reproduce, all at once."""

    margins: Annotated[tuple[Margin, ...], msgspec.Meta(min_length=1, max_length=MOST_MARGINS)]


def weighting_of_json(value: Mapping[str, Any] | None) -> Weighting | None:
    """Margins from the plain JSON types in which a draft stores them."""
    return None if value is None else msgspec.convert(value, Weighting)
