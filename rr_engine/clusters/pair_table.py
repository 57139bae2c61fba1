"""Estimated tables of two attributes, also with categories merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rr_engine.association.table import Covariances, Devices, Table
from rr_engine.errors import ArgumentError
from rr_engine.multiattribute.joint_result import JointEstimate
from rr_engine.projection import project_to_simplex
from rr_engine.validation import FloatArray

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class MergedCovariance:
    """The covariance of merged cells, by that of the cells themselves."""

    operator: Covariances
    rows: FloatArray
    columns: FloatArray

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        return self.operator.between(self._spread(first), self._spread(second))

    def _spread(self, contrasts: FloatArray) -> FloatArray:
        return self.rows.T @ contrasts @ self.columns


@dataclass(frozen=True, slots=True, eq=False)
class MergedTable:
    """A table with categories of its rows and of its columns merged."""

    table: Table
    row_groups: Groups
    column_groups: Groups

    @property
    def strata(self) -> tuple[Devices, ...]:
        """None: no device reports the merged categories."""
        return ()

    @property
    def proportions(self) -> FloatArray:
        return merge(self.table.proportions, self.row_groups, self.column_groups)

    @property
    def standard_errors(self) -> FloatArray:
        shape = len(self.row_groups), len(self.column_groups)
        cells = np.eye(shape[0] * shape[1]).reshape(-1, *shape)
        variances = np.diag(self.covariance_operator.between(cells, cells))
        return np.sqrt(np.maximum(variances, 0)).reshape(shape)

    @property
    def covariance_operator(self) -> Covariances:
        rows, columns = self.table.proportions.shape
        return MergedCovariance(
            self.table.covariance_operator,
            indicators(self.row_groups, rows),
            indicators(self.column_groups, columns),
        )

    @property
    def population(self) -> str:
        return self.table.population

    @property
    def n(self) -> int:
        return self.table.n

    def projected(self) -> FloatArray:
        flat = self.proportions.ravel()
        return project_to_simplex(flat).reshape(len(self.row_groups), len(self.column_groups))

    def covariance_of(self, contrast_a: npt.ArrayLike, contrast_b: npt.ArrayLike) -> float:
        first, second = np.asarray(contrast_a)[None], np.asarray(contrast_b)[None]
        return float(self.covariance_operator.between(first, second)[0, 0])


def merge(table: FloatArray, row_groups: Groups, column_groups: Groups) -> FloatArray:
    """Return the sums over the groups of rows and of columns."""
    rows, columns = table.shape
    return indicators(row_groups, rows) @ table @ indicators(column_groups, columns).T


def indicators(groups: Sequence[Sequence[int]], size: int) -> FloatArray:
    """Return, for each group, which of the categories are in it, shape (groups, size)."""
    table = np.zeros((len(groups), size))
    for row, group in zip(table, groups, strict=True):
        row[list(group)] = 1
    return table


def check_pair_table(value: Any, sizes: tuple[int, int], argument: str) -> Table:
    """Return the table of a pair of attributes with these sizes."""
    rule = f"be a JointEstimate of two attributes, of {sizes[0]} by {sizes[1]} categories"
    if not isinstance(value, JointEstimate):
        raise ArgumentError(argument, value, rule, "not_two_attributes")
    if value.shape != sizes:
        raise ArgumentError(argument, value.shape, rule, "not_two_attributes")
    return value
