"""Estimates of a whole network from reports on the ties of members.

A pure function of the frozen parameters and the bits that came in. Everything is about many of the
members: no tie, no member's number of ties and no missing member is in it
(`surveys.kinds.network_disclosure`).
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

import rr_engine
from surveys.kinds.estimates import LEVELS, codes, ends, number, share_of
from surveys.kinds.network_disclosure import LEAST_PEOPLE, degree_classes, shown_groups
from surveys.parameters import Members, Question, Ties
from surveys.parameters.exact import tie_design
from surveys.results_document.kinds import (
    DegreeClass,
    Degrees,
    MemberGroup,
    Mixing,
    MixingCell,
    NetworkResults,
    NetworkStatistic,
    Reconstruction,
    TiePrivacy,
)
from surveys.results_document.parts import Notes

Bits = npt.NDArray[np.uint8]
Network = rr_engine.networks.DirectedNetwork | rr_engine.networks.UndirectedNetwork
Statistic = rr_engine.networks.NetworkCount | rr_engine.networks.NetworkRatio

# Statistics in the order in which they are shown: attributes of the engine's networks.
OF_ALL = ("ties", "density", "mean_degree")
# The statistics that have a second value where not everybody answered: as if the other pairs were
# tied as often.
EXTRAPOLATED = ("ties", "mean_degree")
DIRECTED = (
    *(*OF_ALL, "mutual_ties", "reciprocity", "out_degree_variance", "in_degree_variance"),
    *("two_paths", "transitive_triples", "cycles", "transitivity"),
)
UNDIRECTED = (*OF_ALL, "degree_variance", "two_paths", "triangles", "clustering")
# Directed ties have two degrees: of those that a member gave, and of those that a member received.
DEGREES = {True: ("out", "in"), False: ("undirected",)}


def network_estimates(
    question: Question, members: Members, table: Ties, rows: Mapping[int, Bits]
) -> tuple[NetworkResults, Notes]:
    """Every statistic of the network of a question with its errors, and the codes of notes.

    `rows`: the bits of each member who answered, by place among the members, one for each of the
    others in the order of the members. Their own order does not matter.
    """
    directed = bool(question.directed)
    design = tie_design(table)
    counts = NetworkResults(
        directed=directed,
        members=members.size,
        reporters=len(rows),
        missing=members.size - len(rows),
        least_people=LEAST_PEOPLE,
        privacy=_privacy(design, members.size, directed=directed),
    )
    if len(rows) < LEAST_PEOPLE:
        return counts, ("network_too_few",)
    reports = reports_of(members, rows)
    network = rr_engine.networks.estimate_network(reports, design, directed=directed)
    distributions = [
        rr_engine.networks.estimate_degrees(reports, design, kind) for kind in DEGREES[directed]
    ]
    statistics = _statistics(network)
    mixing = _mixing(members, reports, design, directed=directed)
    notes = {note.code for found in (network, *distributions) for note in found.notes}
    notes.update(*(row.notes for row in statistics))
    notes.update(*(cell.notes for cell in (mixing.cells if mixing else ())))
    found = replace(
        counts,
        pairs=network.pairs,
        asked_pairs=network.asked_pairs,
        statistics=statistics,
        degrees=tuple(map(_degrees, distributions)),
        mixing=mixing,
        reconstruction=None if directed else _reconstruction(reports, design),
    )
    return found, tuple(sorted(notes))


def reports_of(members: Members, rows: Mapping[int, Bits]) -> rr_engine.networks.NetworkReports:
    """Everybody's bits at the places of those whom they are about."""
    matrix = np.zeros((members.size, members.size), dtype=np.uint8)
    reported = np.zeros(members.size, dtype=np.bool_)
    for place, bits in rows.items():
        matrix[place] = np.insert(bits, place, 0)
        reported[place] = True
    groups = np.array(members.group_of, dtype=np.int64) if members.groups else None
    return rr_engine.networks.NetworkReports.from_matrix(matrix, reported, groups)


def _privacy(design: rr_engine.DesignMatrix, members: int, *, directed: bool) -> TiePrivacy:
    """The epsilon of one tie, and of all that one person says; never one number for both."""
    reports = 1 if directed else 2
    found = rr_engine.networks.roster_privacy(design, members - 1, reports=reports)
    return TiePrivacy(
        tie=number(found.tie),
        tie_at_both_ends=number(found.tie_at_both_ends),
        person=number(found.person),
        everything_about_person=number(found.everything_about_person),
    )


def _statistics(network: Network) -> tuple[NetworkStatistic, ...]:
    directed = isinstance(network, rr_engine.networks.DirectedNetwork)
    missing = network.asked_pairs < network.pairs
    names: list[str] = []
    for name in DIRECTED if directed else UNDIRECTED:
        names += [name, f"{name}_of_everybody"] if missing and name in EXTRAPOLATED else [name]
    return tuple(_row(name, getattr(network, name)) for name in names)


def _row(name: str, found: Statistic) -> NetworkStatistic:
    wide, narrow = (found.interval(level) for level in LEVELS)
    return NetworkStatistic(
        name=name,
        **share_of(float(found.value), float(found.standard_error), wide),
        interval_50=ends(narrow),
        notes=_notes_of(found, wide),
    )


def _notes_of(found: Statistic, interval: npt.NDArray[np.float64]) -> Notes:
    """Return the notes on a single statistic."""
    if isinstance(found, rr_engine.networks.NetworkRatio):
        return ("ratio_unknown",) if interval.tolist() == [0.0, 1.0] else ()
    possible = found.lowest <= found.value <= found.highest
    return () if possible else ("network_outside",)


# --- degrees ------------------------------------------------------------------------------------


def _degrees(found: rr_engine.networks.DegreeDistribution) -> Degrees:
    """The mean, the variance, and the shares of classes; no classes where there is only one."""
    people = (found.shares * found.n).tolist()
    classes = degree_classes(found.degrees.tolist(), people)
    return Degrees(
        kind=found.kind,
        mean=_row("mean", found.mean),
        variance=_row("variance", found.variance),
        shares=tuple(_class(found, *each) for each in classes) if len(classes) > 1 else (),
        notes=codes(found.notes),
    )


def _class(
    found: rr_engine.networks.DegreeDistribution, lowest: int, highest: int | None
) -> DegreeClass:
    wide, narrow = (found.share_interval(lowest, highest, level) for level in LEVELS)
    return DegreeClass(
        lowest=lowest,
        highest=highest,
        estimate=number(found.share_between(lowest, highest)),
        interval=ends(wide),
        interval_50=ends(narrow),
    )


# --- groups of members -----------------------------------------------------------------------


def _mixing(
    members: Members,
    reports: rr_engine.networks.NetworkReports,
    design: rr_engine.DesignMatrix,
    *,
    directed: bool,
) -> Mixing | None:
    """Densities within and between the groups that are shown; None without groups."""
    if not members.groups:
        return None
    places = np.array(members.group_of)
    sizes = np.bincount(places, minlength=len(members.groups)).tolist()
    answered = np.bincount(places[reports.reporters], minlength=len(members.groups)).tolist()
    shown = shown_groups(sizes, answered)
    found = rr_engine.networks.estimate_mixing(reports, design, directed=directed)
    return Mixing(
        groups=tuple(
            MemberGroup(label=label, members=sizes[group], shown=group in shown)
            for group, label in enumerate(members.groups)
        ),
        cells=tuple(
            _cell(found, first, second)
            for first in shown
            for second in shown
            if directed or first <= second
        ),
    )


def _cell(found: rr_engine.networks.MixingMatrix, first: int, second: int) -> MixingCell:
    densities, place = found.densities, (first, second)
    wide, narrow = (densities.interval(level)[place] for level in LEVELS)
    estimate = float(np.asarray(densities.value)[place])
    return MixingCell(
        first=first,
        second=second,
        pairs=int(found.asked[place]),
        **share_of(estimate, float(np.asarray(densities.standard_error)[place]), wide),
        interval_50=ends(narrow),
        notes=() if 0 <= estimate <= 1 else ("network_outside",),
    )


# --- the reconstruction of Wang et al. ----------------------------------------------------------


def _reconstruction(
    reports: rr_engine.networks.NetworkReports, design: rr_engine.DesignMatrix
) -> Reconstruction:
    """One graph rebuilt from one report of each pair, as in the paper, and how far it is off.

    `tie_kept` and `bias` are those of rebuilding if the rebuilt graph were the true one.
    """
    rebuilt = rr_engine.networks.reconstruct_network(once(reports), design)
    expected = rr_engine.networks.reconstruction_bias(rebuilt.graph, design)
    triangles = float(rebuilt.triangles.sum()) / 3
    return Reconstruction(
        ties=rebuilt.ties,
        tie_kept=number(expected.tie_kept) if rebuilt.ties else None,
        triangles=triangles,
        triangles_bias=number(float(expected.triangle_bias.sum()) / 3),
        degree_variance=number(float(np.var(rebuilt.degrees))),
    )


def once(reports: rr_engine.networks.NetworkReports) -> rr_engine.networks.NetworkReports:
    """One report of each pair: of whichever member comes first, if that one answered."""
    senders, alters = reports.senders, reports.alters
    kept = (senders < alters) | ~np.isin(alters, reports.reporters)
    sizes = np.bincount(np.searchsorted(reports.reporters, senders[kept]))
    sizes = np.pad(sizes, (0, len(reports.reporters) - len(sizes)))
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    return rr_engine.networks.NetworkReports(
        reports.n, reports.reporters, indptr, alters[kept], reports.bits[kept]
    )
