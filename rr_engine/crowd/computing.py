"""From a statistic to its values and their uncertainty, by surveys simulated as they were asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine.crowd.components import ComponentTables
from rr_engine.crowd.computed import ComputedStatistic, crowd_note
from rr_engine.crowd.intervals import Evidence
from rr_engine.crowd.statistics import Statistic
from rr_engine.crowd.view import CrowdTables

# Cells of all draws that are worked with at once.
CELLS_AT_ONCE = 2**22
# Standard errors that the share of a group is above zero for statistics of it to mean something.
SMALL_GROUP = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedSurveys:
    """Surveys of a crowd that has the fitted distribution; each cluster has draws of its own."""

    unbiased: tuple[ComponentTables, ...]
    repetitions: int
    seed: int

    def tables(self, parts: Sequence[ComponentTables]) -> Iterator[CrowdTables]:
        """Yield the unbiased tables of the surveys for some components, some surveys at a time.

        They do not depend on which other components are asked for, nor on how many at a time. The
        number of a cluster among all decides its draws.
        """
        clusters = sum(len(each.component.clusters) for each in self.unbiased)
        children = np.random.SeedSequence(self.seed).spawn(clusters)
        generators = [np.random.default_rng(child) for child in children]
        at_once = max(1, CELLS_AT_ONCE // sum(part.component.cells for part in parts))
        for start in range(0, self.repetitions, at_once):
            number = min(at_once, self.repetitions - start)
            drawn = [part.component.drawn(part.possible, number, generators) for part in parts]
            yield CrowdTables(tuple(drawn), possible=False)


def compute(statistic: Statistic, surveys: SimulatedSurveys) -> ComputedStatistic:
    """Return the statistic with its evidence, from the components that it concerns."""
    concerned = {*statistic.names, *statistic.where}
    parts = [
        each.about(concerned) for each in surveys.unbiased if concerned & set(each.component.names)
    ]
    tables = [CrowdTables(tuple(parts), possible) for possible in (False, True)]
    unbiased, fitted = (statistic.parts(each)[0] for each in tables)
    drawn = [
        (statistic.parts(each), each.share(statistic.people)) for each in surveys.tables(parts)
    ]
    simulated = np.concatenate([each for each, _ in drawn])
    sizes = np.concatenate([np.broadcast_to(size, len(each)) for each, size in drawn])
    people = min(cluster.estimate.n for part in parts for cluster in part.component.clusters)
    evidence = Evidence(unbiased, fitted, simulated)
    found = ComputedStatistic(statistic, evidence, people, surveys.seed)
    size = float(tables[0].share(statistic.people)[0])
    codes = _codes(found, apart=len(parts) > 1, small=size < SMALL_GROUP * float(sizes.std()))
    return ComputedStatistic(
        statistic, evidence, people, surveys.seed, tuple(crowd_note(code) for code in codes)
    )


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
