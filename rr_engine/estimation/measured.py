"""What an interval needs to know of an estimate."""

from typing import Protocol

from rr_engine.channels.protocol import Channel
from rr_engine.validation import FloatArray, IntArray


class Measured(Protocol):
    """The part of an :class:`Estimate` that its intervals read."""

    design: Channel
    counts: IntArray
    proportions: FloatArray
    standard_errors: FloatArray
    n: int
    population: str
    matrix: FloatArray
    weights: FloatArray | None
    blocks: tuple[slice, ...]

    def projected(self) -> FloatArray: ...
