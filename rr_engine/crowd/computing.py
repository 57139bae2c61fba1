"""From a statistic to its values and their uncertainty, by surveys simulated as they were asked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.crowd.components import Chances, ComponentTables
from rr_engine.crowd.computed import CROWD_NOTES, ComputedStatistic
from rr_engine.crowd.linked import LinkedTables, Pairs, linked_parts
from rr_engine.crowd.reports import ClusterEstimate, CrowdAttribute
from rr_engine.crowd.statistics import Evidence, Ratio, RatioSpread, Statistic
from rr_engine.crowd.view import CrowdTables, OneTable
from rr_engine.estimation.result import Estimate

# Cells of an estimate up to which there is a closed form; and those of tables asked at once.
MOST_CELLS, CELLS_AT_ONCE = 4096, 2**20
# Ratios whose variances are computed at once.
AT_ONCE = 64
# Weights that differ by less are equal.
ALIKE = 1e-9


def closed_form(
    statistic: Statistic, parts: Sequence[ComponentTables | LinkedTables]
) -> tuple[RatioSpread, float] | None:
    """Return the errors of a statistic, and of the share of the people whom it is about.

    None where it is not linear in one estimate.
    """
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
    return spread, float(np.sqrt(max(variance, 0.0)))


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
        pairs = (first, first), (second, second), (first, second)
        found.append(tuple(np.diag(between(a, b)) for a, b in pairs))
    numerators, denominators, both = (np.concatenate(each) for each in zip(*found, strict=True))
    return np.maximum(numerators, 0.0), np.maximum(denominators, 0.0), both


def _share_interval(
    estimate: Estimate, over: FloatArray, under: FloatArray
) -> Callable[[float], FloatArray] | None:
    """Return the recommended interval of a share of everybody that is one of the estimate's."""
    of_all = len(over) == 1 and np.ptp(under) <= ALIKE
    cells = np.flatnonzero(np.abs(over[0]) > ALIKE)
    if not of_all or len(cells) != 1 or abs(over[0, cells[0]] - under[0, 0]) > ALIKE:
        return None
    return lambda level: estimate.interval(level, method="default")[cells]


# Cells of all draws that are worked with at once.
CELLS_AT_ONCE = 2**22
# Standard errors that the share of a group is above zero for statistics of it to mean something.
SMALL_GROUP = 3.0
# Share by which a margin that is missed is worth a note.
NOTED = 0.001


AnyPart = ComponentTables | LinkedTables


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedSurveys:
    """Surveys of a crowd that has the fitted distribution; each cluster has draws of its own.

    `pairs`: those measured across components, by reports of the same people.
    """

    unbiased: tuple[ComponentTables, ...]
    repetitions: int
    seed: int
    pairs: Pairs = field(default_factory=dict)

    def parts(self, attributes: Sequence[CrowdAttribute]) -> list[AnyPart]:
        """Return the tables of the components with these attributes, joined by measured pairs."""
        names = {each.name for each in attributes}
        parts = [each.about(names) for each in self.unbiased if names & set(each.names)]
        return linked_parts(attributes, parts, self.pairs)

    def tables(self, parts: Sequence[AnyPart]) -> Iterator[CrowdTables]:
        """Yield the unbiased tables of the surveys for some parts, some surveys at a time.

        They do not depend on which other components are asked for, nor on how many at a time. The
        number of a cluster among all decides its draws.
        """
        chances = Chances(self.seed)
        at_once = max(1, CELLS_AT_ONCE // sum(part.cells for part in parts))
        for start in range(0, self.repetitions, at_once):
            number = min(at_once, self.repetitions - start)
            drawn = [part.simulated(number, chances) for part in parts]
            yield CrowdTables(tuple(drawn), possible=False)


def compute(
    statistic: Statistic, attributes: Sequence[CrowdAttribute], surveys: SimulatedSurveys
) -> ComputedStatistic:
    """Return the statistic with its evidence, from the components that it concerns.

    `attributes`: all of the crowd.
    """
    concerned = {*statistic.names, *statistic.where}
    parts = surveys.parts([each for each in attributes if each.name in concerned])
    tables = [CrowdTables(tuple(parts), possible) for possible in (False, True)]
    unbiased, fitted = (statistic.parts(each)[0] for each in tables)
    # A condition on attributes that are independent of these says nothing of them.
    asked = [part for part in parts if set(statistic.names) & set(part.names)]
    closed = closed_form(statistic, asked)
    if closed is None:
        simulated, size_error = _simulated(statistic, surveys, parts)
        evidence = Evidence(unbiased, fitted, simulated)
    else:
        spread, size_error = closed
        evidence = Evidence(unbiased, fitted, np.empty((0, len(unbiased))), spread)
    found = ComputedStatistic(statistic, evidence, min(part.people for part in parts), surveys.seed)
    size = float(CrowdTables(tuple(asked), possible=False).share(statistic.people)[0])
    apart = len(parts) > 1 or any(part.unmeasured for part in parts)
    lowest, highest = found.bounds
    ends = np.append(found.interval(), found.values)
    linked = [part for part in parts if isinstance(part, LinkedTables)]
    conditions = {
        "independent_by_assumption": apart,
        "outside_bounds": bool((ends < lowest).any() or (ends > highest).any()),
        "small_group": size < SMALL_GROUP * size_error,
        "undefined": bool(np.isnan(found.values).any()),
        "margins_not_met": any(part.deviation > NOTED for part in linked),
    }
    return replace(found, notes=CROWD_NOTES.holding(conditions))


def _simulated(
    statistic: Statistic, surveys: SimulatedSurveys, parts: Sequence[AnyPart]
) -> tuple[FloatArray, float]:
    """Return the parts of simulated surveys, and the error of the share of those it is about."""
    drawn = [
        (statistic.parts(each), each.share(statistic.people)) for each in surveys.tables(parts)
    ]
    sizes = [np.broadcast_to(size, len(each)) for each, size in drawn]
    return np.concatenate([each for each, _ in drawn]), float(np.concatenate(sizes).std())
