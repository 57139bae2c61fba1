"""From a statistic to its values and their uncertainty, by surveys simulated as they were asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rr_engine.crowd.attributes import CrowdAttribute
from rr_engine.crowd.chances import Chances
from rr_engine.crowd.closed_form import closed_form
from rr_engine.crowd.components import ComponentTables
from rr_engine.crowd.computed import CROWD_NOTES, ComputedStatistic
from rr_engine.crowd.intervals import Evidence
from rr_engine.crowd.linked import LinkedTables, Pairs, linked_parts
from rr_engine.crowd.statistics import Statistic
from rr_engine.crowd.view import CrowdTables
from rr_engine.validation import FloatArray

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
        size_error = closed.size_error
        evidence = Evidence(unbiased, fitted, np.empty((0, len(unbiased))), closed.spread)
    found = ComputedStatistic(statistic, evidence, min(part.people for part in parts), surveys.seed)
    size = float(CrowdTables(tuple(asked), possible=False).share(statistic.people)[0])
    apart = len(parts) > 1 or any(part.unmeasured for part in parts)
    codes = _codes(found, apart=apart, small=size < SMALL_GROUP * size_error)
    if any(part.deviation > NOTED for part in parts if isinstance(part, LinkedTables)):
        codes.append("margins_not_met")
    return replace(found, notes=tuple(CROWD_NOTES.note(code) for code in codes))


def _simulated(
    statistic: Statistic, surveys: SimulatedSurveys, parts: Sequence[AnyPart]
) -> tuple[FloatArray, float]:
    """Return the parts of simulated surveys, and the error of the share of those it is about."""
    drawn = [
        (statistic.parts(each), each.share(statistic.people)) for each in surveys.tables(parts)
    ]
    sizes = [np.broadcast_to(size, len(each)) for each, size in drawn]
    return np.concatenate([each for each, _ in drawn]), float(np.concatenate(sizes).std())


def _codes(found: ComputedStatistic, *, apart: bool, small: bool) -> list[str]:
    """Return the codes of the notes on a statistic."""
    lowest, highest = found.bounds
    ends = np.append(found.interval(), found.values)
    conditions = {
        "independent_by_assumption": apart,
        "outside_bounds": bool((ends < lowest).any() or (ends > highest).any()),
        "small_group": small,
        "undefined": bool(np.isnan(found.values).any()),
    }
    return [code for code, holds in conditions.items() if holds]
