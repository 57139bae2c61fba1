"""Errors of shares and means in closed form: sums that are linear in one estimate.

What a sum weighs each cell with is found by asking it of tables that have everybody in one cell.
The covariances of the sums are then those of the estimate, and nothing is simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from rr_engine.crowd.components import ComponentTables
from rr_engine.crowd.intervals import RatioSpread
from rr_engine.crowd.linked import LinkedTables
from rr_engine.crowd.one_table import OneTable
from rr_engine.crowd.reports import ClusterEstimate
from rr_engine.crowd.statistics import Ratio, Statistic
from rr_engine.crowd.view import CrowdTables
from rr_engine.estimation.result import Estimate
from rr_engine.validation import FloatArray

# Cells of an estimate up to which there is a closed form; and those of tables asked at once.
MOST_CELLS, CELLS_AT_ONCE = 4096, 2**20
# Ratios whose variances are computed at once.
AT_ONCE = 64
# Weights that differ by less are equal.
ALIKE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class ClosedForm:
    """`size_error`: that of the share of the people whom the statistic is about."""

    spread: RatioSpread
    size_error: float


def closed_form(
    statistic: Statistic, parts: Sequence[ComponentTables | LinkedTables]
) -> ClosedForm | None:
    """Return the errors of a statistic; None where it is not linear in one estimate."""
    source = _source(parts[0]) if len(parts) == 1 and isinstance(statistic, Ratio) else None
    if source is None or prod(source.sizes) > MOST_CELLS:
        return None
    weights = _weights(source, statistic.parts)
    over, under = np.split(weights, 2)
    people = _weights(source, lambda tables: tables.share(statistic.people)[:, None])
    estimate = source.estimate
    spread = RatioSpread(
        *_covariances(estimate, over, under), _share_interval(estimate, over, under)
    )
    variance = float(estimate.covariance_operator.between(people, people)[0, 0])
    return ClosedForm(spread, float(np.sqrt(max(variance, 0.0))))


def _source(part: ComponentTables | LinkedTables) -> ClusterEstimate | None:
    """Return the one estimate that the tables of a part are, or a part of whose table they are."""
    if isinstance(part, LinkedTables):
        pairs = list(part.pairs.values())
        return pairs[0].estimate if len(part.names) == 2 and len(pairs) == 1 else None
    clusters = part.component.clusters
    return clusters[0] if len(clusters) == 1 else None


def _weights(source: ClusterEstimate, sums: Callable[[CrowdTables], FloatArray]) -> FloatArray:
    """Return what each sum weighs the cells with, shape (sums, cells)."""
    cells = prod(source.sizes)
    found = []
    at_once = max(1, CELLS_AT_ONCE // cells)
    for start in range(0, cells, at_once):
        count = min(at_once, cells - start)
        tables = np.eye(count, cells, start).reshape(count, *source.sizes)
        asked = sums(CrowdTables((OneTable(source.names, tables),), possible=False))
        # A share of everybody is one number for all tables.
        found.append(np.broadcast_to(asked, (count, asked.shape[1])))
    return np.concatenate(found).T


def _covariances(
    estimate: Estimate, over: FloatArray, under: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the variances of numerators and of denominators, and their covariances."""
    found: list[tuple[FloatArray, ...]] = []
    for start in range(0, len(over), AT_ONCE):
        first, second = over[start : start + AT_ONCE], under[start : start + AT_ONCE]
        between = estimate.covariance_operator.between
        found.append(tuple(np.diag(between(a, b)) for a, b in _two_by_two(first, second)))
    numerators, denominators, both = (np.concatenate(each) for each in zip(*found, strict=True))
    return np.maximum(numerators, 0.0), np.maximum(denominators, 0.0), both


def _two_by_two(first: FloatArray, second: FloatArray) -> tuple[tuple[FloatArray, FloatArray], ...]:
    return (first, first), (second, second), (first, second)


def _share_interval(
    estimate: Estimate, over: FloatArray, under: FloatArray
) -> Callable[[float], FloatArray] | None:
    """Return the recommended interval of a share of everybody that is one of the estimate's."""
    of_all = len(over) == 1 and np.ptp(under) <= ALIKE
    cells = np.flatnonzero(np.abs(over[0]) > ALIKE)
    if not of_all or len(cells) != 1 or abs(over[0, cells[0]] - under[0, 0]) > ALIKE:
        return None
    return lambda level: estimate.interval(level, method="default")[cells]
