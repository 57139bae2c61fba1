"""What a control item adds to the results of its question."""

from typing import Final

from surveys.results_document.parts import Interval, Notes, Part

KEY: Final = "control"


class Corrected(Part, frozen=True, kw_only=True):
    """The share of the second answer to another question if as many did not follow the device."""

    question: str
    estimate: float | None
    interval: Interval


class ControlFound(Part, frozen=True, kw_only=True):
    """`known`: the share of all people of whom the item is true; `share`: who does not follow."""

    known: float
    n: int
    share: float | None
    standard_error: float | None
    interval: Interval
    maximum_likelihood: float | None
    statistic: float | None
    p_value: float
    notes: Notes
    corrected: tuple[Corrected, ...]
