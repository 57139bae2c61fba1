"""What intervals and conditional proportions ask of a joint estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy.typing as npt

from rr_engine.design import DesignMatrix
from rr_engine.estimation.result import Estimate
from rr_engine.multiattribute.spread import Spread
from rr_engine.validation import FloatArray, IntArray, frozen


@dataclass(frozen=True, slots=True, eq=False)
class JointStratum:
    """People who answered all attributes with the same devices.

    Attributes
    ----------
    designs : tuple of DesignMatrix
        One for each attribute.
    counts : ndarray of int
        Contingency table of the reports, one axis for each design.
    """

    designs: tuple[DesignMatrix, ...]
    counts: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", frozen(self.counts))


class JointTable(Protocol):
    """The part of a :class:`JointEstimate` that its intervals and conditionals read."""

    strata: tuple[JointStratum, ...]
    proportions: FloatArray
    spread: Spread
    method: str
    population: str
    pooled: Estimate | None

    @property
    def n(self) -> int: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def categories(self) -> tuple[tuple[str, ...], ...]: ...

    @property
    def standard_errors(self) -> FloatArray: ...

    def projected(self) -> FloatArray: ...

    def margin(self, axes: tuple[int, ...]) -> JointTable: ...

    def covariance_of(self, contrast_a: npt.ArrayLike, contrast_b: npt.ArrayLike) -> float: ...
