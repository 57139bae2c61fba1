"""How a report of one table comes from a report of another, in whole numbers as text.

Of a table P and a degradation C, of which every column is a distribution, C P is a *degraded copy*
(Pan 2024, Theorem 3.3). earlier.py checks it exactly.
"""

from typing import Annotated

import msgspec

from surveys.parameters.types import Frozen, Whole

WholeColumn = Annotated[tuple[Whole, ...], msgspec.Meta(min_length=2)]


class Same(Frozen, frozen=True, tag_field="form", tag="same"):
    """The two tables are one: the report is taken over."""


class Mixed(Frozen, frozen=True, tag_field="form", tag="uniform"):
    """The report itself with chance `kept / denominator`, each other one with `other`."""

    denominator: Whole
    kept: Whole
    other: Whole


class Listed(Frozen, frozen=True, tag_field="form", tag="dense"):
    """`columns[report][degraded report] / denominator` is a probability."""

    denominator: Whole
    columns: Annotated[tuple[WholeColumn, ...], msgspec.Meta(min_length=2)]


Degradation = Same | Mixed | Listed
