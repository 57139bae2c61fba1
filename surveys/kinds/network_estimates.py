"""Estimates of a whole network from reports on the ties of members, as plain JSON.

A pure function of the frozen parameters and the bits that came in. Everything is about many of the
members: no tie, no member's number of ties and no missing member is in it
(`surveys.kinds.network_disclosure`).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.kinds.estimates import LEVELS, error_beside, number, numbers
from surveys.kinds.network_disclosure import LEAST_PEOPLE, degree_classes, shown_groups
from surveys.parameters import Members, Question, Ties

Bits = npt.NDArray[np.uint8]
Network = rr_engine.DirectedNetwork | rr_engine.UndirectedNetwork
Statistic = rr_engine.NetworkCount | rr_engine.NetworkRatio

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
) -> dict[str, Any]:
    """Every statistic of the network of a question, with its errors and what it may reveal.

    `rows`: the bits of each member who answered, by place among the members, one for each of the
    others in the order of the members. Their own order does not matter.
    """
    directed = bool(question.directed)
    design = design_of_ties(table)
    counts = {
        "directed": directed,
        "members": members.size,
        "reporters": len(rows),
        "missing": members.size - len(rows),
        "least_people": LEAST_PEOPLE,
        "privacy": _privacy(design, members.size, directed=directed),
    }
    if len(rows) < LEAST_PEOPLE:
        return {**counts, **_NOTHING, "notes": ["network_too_few"]}
    reports = reports_of(members, rows)
    network = rr_engine.estimate_network(reports, design, directed=directed)
    distributions = [
        rr_engine.estimate_degrees(reports, design, kind) for kind in DEGREES[directed]
    ]
    statistics = _statistics(network)
    mixing = _mixing(members, reports, design, directed=directed)
    notes = {note.code for found in (network, *distributions) for note in found.notes}
    for row in (*statistics, *(mixing or {"cells": []})["cells"]):
        notes |= set(row["notes"])
    return {
        **counts,
        "pairs": network.pairs,
        "asked_pairs": network.asked_pairs,
        "statistics": statistics,
        "degrees": [_degrees_json(found) for found in distributions],
        "mixing": mixing,
        "reconstruction": None if directed else _reconstruction(reports, design),
        "notes": sorted(notes),
    }


_NOTHING: dict[str, Any] = {
    "pairs": None,
    "asked_pairs": None,
    "statistics": [],
    "degrees": [],
    "mixing": None,
    "reconstruction": None,
}


def design_of_ties(table: Ties) -> rr_engine.DesignMatrix:
    """The device of each tie, with its exact integers: no tie and a tie, in this order."""
    no_tie = [table.denominator - table.zero, table.denominator - table.one]
    rows = [no_tie, [table.zero, table.one]]
    return rr_engine.DesignMatrix.from_integers(rows, table.denominator)


def reports_of(members: Members, rows: Mapping[int, Bits]) -> rr_engine.NetworkReports:
    """Everybody's bits at the places of those whom they are about."""
    matrix = np.zeros((members.size, members.size), dtype=np.uint8)
    reported = np.zeros(members.size, dtype=np.bool_)
    for place, bits in rows.items():
        matrix[place] = np.insert(bits, place, 0)
        reported[place] = True
    groups = np.array(members.group_of, dtype=np.int64) if members.groups else None
    return rr_engine.NetworkReports.from_matrix(matrix, reported, groups)


def _privacy(design: rr_engine.DesignMatrix, members: int, *, directed: bool) -> dict[str, Any]:
    """The epsilon of one tie, and of all that one person says; never one number for both."""
    reports = 1 if directed else 2
    found = rr_engine.roster_privacy(design, members - 1, reports=reports)
    return {
        "tie": number(found.tie),
        "tie_at_both_ends": number(found.tie_at_both_ends),
        "person": number(found.person),
        "everything_about_person": number(found.everything_about_person),
    }


def _statistics(network: Network) -> list[dict[str, Any]]:
    directed = isinstance(network, rr_engine.DirectedNetwork)
    missing = network.asked_pairs < network.pairs
    names: list[str] = []
    for name in DIRECTED if directed else UNDIRECTED:
        names += [name, f"{name}_of_everybody"] if missing and name in EXTRAPOLATED else [name]
    return [_row(name, getattr(network, name)) for name in names]


def _row(name: str, found: Statistic) -> dict[str, Any]:
    wide, narrow = (found.interval(level) for level in LEVELS)
    return {
        "name": name,
        "estimate": number(float(found.value)),
        "standard_error": error_beside(numbers(wide), float(found.standard_error)),
        "interval": numbers(wide),
        "interval_50": numbers(narrow),
        "notes": _notes_of(found, wide),
    }


def _notes_of(found: Statistic, interval: npt.NDArray[np.float64]) -> list[str]:
    """Return the notes on a single statistic."""
    if isinstance(found, rr_engine.NetworkRatio):
        return ["ratio_unknown"] if interval.tolist() == [0.0, 1.0] else []
    possible = found.lowest <= found.value <= found.highest
    return [] if possible else ["network_outside"]


# --- degrees ------------------------------------------------------------------------------------


def _degrees_json(found: rr_engine.DegreeDistribution) -> dict[str, Any]:
    """The mean, the variance, and the shares of classes; no classes where there is only one."""
    people = (found.shares * found.n).tolist()
    classes = degree_classes(found.degrees.tolist(), people)
    return {
        "kind": found.kind,
        "mean": _row("mean", found.mean),
        "variance": _row("variance", found.variance),
        "shares": [_class(found, *ends) for ends in classes] if len(classes) > 1 else [],
        "notes": sorted(note.code for note in found.notes),
    }


def _class(found: rr_engine.DegreeDistribution, lowest: int, highest: int | None) -> dict[str, Any]:
    wide, narrow = (found.share_interval(lowest, highest, level) for level in LEVELS)
    return {
        "lowest": lowest,
        "highest": highest,
        "estimate": number(found.share_between(lowest, highest)),
        "interval": numbers(wide),
        "interval_50": numbers(narrow),
    }


# --- groups of members -----------------------------------------------------------------------


def _mixing(
    members: Members,
    reports: rr_engine.NetworkReports,
    design: rr_engine.DesignMatrix,
    *,
    directed: bool,
) -> dict[str, Any] | None:
    """Densities within and between the groups that are shown; None without groups."""
    if not members.groups:
        return None
    places = np.array(members.group_of)
    sizes = np.bincount(places, minlength=len(members.groups)).tolist()
    answered = np.bincount(places[reports.reporters], minlength=len(members.groups)).tolist()
    shown = shown_groups(sizes, answered)
    found = rr_engine.estimate_mixing(reports, design, directed=directed)
    cells = [
        _cell(found, first, second)
        for first in shown
        for second in shown
        if directed or first <= second
    ]
    groups = [
        {"label": label, "members": sizes[group], "shown": group in shown}
        for group, label in enumerate(members.groups)
    ]
    return {"groups": groups, "cells": cells}


def _cell(found: rr_engine.MixingMatrix, first: int, second: int) -> dict[str, Any]:
    densities, place = found.densities, (first, second)
    wide, narrow = (densities.interval(level)[place] for level in LEVELS)
    estimate = float(np.asarray(densities.value)[place])
    return {
        "from": first,
        "to": second,
        "pairs": int(found.asked[place]),
        "estimate": number(estimate),
        "standard_error": error_beside(
            numbers(wide), float(np.asarray(densities.standard_error)[place])
        ),
        "interval": numbers(wide),
        "interval_50": numbers(narrow),
        "notes": [] if 0 <= estimate <= 1 else ["network_outside"],
    }


# --- the reconstruction of Wang et al. ----------------------------------------------------------


def _reconstruction(
    reports: rr_engine.NetworkReports, design: rr_engine.DesignMatrix
) -> dict[str, Any]:
    """One graph rebuilt from one report of each pair, as in the paper, and how far it is off.

    `tie_kept` and `bias` are those of rebuilding if the rebuilt graph were the true one.
    """
    rebuilt = rr_engine.reconstruct_network(once(reports), design)
    expected = rr_engine.reconstruction_bias(rebuilt.graph, design)
    triangles = float(rebuilt.triangles.sum()) / 3
    return {
        "ties": rebuilt.ties,
        "tie_kept": number(expected.tie_kept) if rebuilt.ties else None,
        "triangles": triangles,
        "triangles_bias": number(float(expected.triangle_bias.sum()) / 3),
        "degree_variance": number(float(np.var(rebuilt.degrees))),
    }


def once(reports: rr_engine.NetworkReports) -> rr_engine.NetworkReports:
    """One report of each pair: of whichever member comes first, if that one answered."""
    senders, alters = reports.senders, reports.alters
    kept = (senders < alters) | ~np.isin(alters, reports.reporters)
    sizes = np.bincount(np.searchsorted(reports.reporters, senders[kept]))
    sizes = np.pad(sizes, (0, len(reports.reporters) - len(sizes)))
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    return rr_engine.NetworkReports(
        reports.n, reports.reporters, indptr, alters[kept], reports.bits[kept]
    )
