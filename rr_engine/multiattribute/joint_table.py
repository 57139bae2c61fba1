"""The part of a joint estimate that intervals use, and one dense design of its attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Protocol

import numpy as np

from rr_engine.association.table import Table
from rr_engine.channels.protocol import Channel
from rr_engine.design import DesignMatrix
from rr_engine.estimation.result import Estimate
from rr_engine.kronecker import outer
from rr_engine.multiattribute.table_covariance import TableCovariance
from rr_engine.validation import FrozenArrays, IntArray, number_labels


@dataclass(frozen=True, slots=True, eq=False)
class JointStratum(FrozenArrays):
    """People who answered all attributes with the same devices.

    Attributes
    ----------
    designs : tuple of Channel
        One for each attribute, or over several of them.
    counts : ndarray of int
        Contingency table of the reports, one axis for each attribute.
    """

    designs: tuple[Channel, ...]
    counts: IntArray

    @property
    def categories(self) -> tuple[tuple[str, ...], ...]:
        """Labels of the truths of each attribute; numbers where its device has no labels."""
        return labels_by_question(self.designs)


def labels_by_question(channels: Sequence[Channel]) -> tuple[tuple[str, ...], ...]:
    """Return the labels of the truths of each question that these devices cover, or numbers."""
    return tuple(labels for channel in channels for labels in _labels_of(channel))


def _labels_of(channel: Channel) -> tuple[tuple[str, ...], ...]:
    if isinstance(channel, DesignMatrix):
        return (channel.categories,)
    return tuple(map(number_labels, channel.truth_shape))


class JointTable(Table, Protocol):
    """The part of a :class:`JointEstimate` that its intervals and conditionals read."""

    @property
    def strata(self) -> tuple[JointStratum, ...]: ...

    @property
    def covariance_operator(self) -> TableCovariance: ...

    @property
    def method(self) -> str: ...

    @property
    def pooled(self) -> Estimate | None: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def categories(self) -> tuple[tuple[str, ...], ...]: ...

    def margin(self, axes: int | Sequence[int]) -> JointTable: ...


def combine_designs(stratum: tuple[Channel, ...]) -> DesignMatrix:
    """Return the design of all attributes at once, over flattened tables."""
    matrix = outer([design.matrix for design in stratum])
    axes = len(stratum)
    rows_first = np.transpose(matrix, [*range(0, 2 * axes, 2), *range(1, 2 * axes, 2)])
    labels = [" / ".join(names) for names in product(*labels_by_question(stratum))]
    size = prod(design.tally_size for design in stratum)
    unique = labels if len(set(labels)) == len(labels) else number_labels(len(labels))
    return DesignMatrix(rows_first.reshape(size, len(labels)), unique, number_labels(size))
