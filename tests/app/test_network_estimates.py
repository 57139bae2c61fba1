"""The network that reports on a roster tell of, and what of it is held back."""

import json
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest

import rr_engine
from surveys.features.roster.section import Roster
from surveys.kinds.network_disclosure import LEAST_PEOPLE, degree_classes, shown_groups
from surveys.kinds.network_estimates import network_estimates, once, reports_of
from surveys.parameters import Ties
from surveys.parameters.exact import tie_design
from tests.plain import as_json

WHOLE = 2**32
GROUPS = ("Early shift", "Late shift", "Office", "Board")
# The board is too small to be shown, and the office with it.
SIZES = (9, 8, 5, 2)


def ties_device(members, one=0.9, zero=0.1):
    return Ties(bits=members - 1, denominator=WHOLE, one=round(one * WHOLE), zero=int(zero * WHOLE))


def roster_of(members, sizes=()):
    codes = tuple(f"m{place:03}" for place in range(members))
    group_of = tuple(int(group) for group in np.repeat(range(len(sizes)), sizes))
    return Roster(codes=codes, groups=GROUPS[: len(sizes)], group_of=group_of)


def rows_of(table, reporters=None):
    """The bits of each member's report, without a place for the member."""
    places = range(len(table)) if reporters is None else reporters
    return {place: np.delete(table[place], place).astype(np.uint8) for place in places}


def noisy(members, seed=1, density=0.2):
    """Draw what came in from a network in which a third have most of the ties."""
    rng = np.random.default_rng(seed)
    popular = np.where(np.arange(members) % 3 == 0, 3.0, 0.3) * density
    ties = rng.random((members, members)) < np.sqrt(np.outer(popular, popular))
    return (rng.random((members, members)) < np.where(ties, 0.9, 0.1)).astype(int)


def question(*, directed):
    return SimpleNamespace(directed=directed)


def found_of(rows, roster, *, directed, table=None):
    table = table or ties_device(roster.size)
    network, notes = network_estimates(question(directed=directed), roster, table, rows)
    return {**as_json(network), "notes": list(notes)}


def by_name(found):
    return {row["name"]: row for row in found["statistics"]}


# --- the numbers --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0, 3])
@pytest.mark.parametrize("directed", [True, False])
def test_every_number_is_that_of_the_engine(directed, missing):
    table, roster = noisy(24), roster_of(24, SIZES)
    reporters = range(missing, 24)
    found = found_of(rows_of(table, reporters), roster, directed=directed)
    reports = rr_engine.networks.NetworkReports.from_matrix(
        table, np.arange(24) >= missing, np.repeat(range(4), SIZES)
    )
    design = rr_engine.DesignMatrix.from_integers(
        [[WHOLE - int(0.1 * WHOLE), WHOLE - round(0.9 * WHOLE)],
         [int(0.1 * WHOLE), round(0.9 * WHOLE)]], WHOLE,
    )  # fmt: skip
    network = rr_engine.networks.estimate_network(reports, design, directed=directed)
    for name, row in by_name(found).items():
        wanted = getattr(network, name)
        assert row["estimate"] == wanted.value
        assert row["standard_error"] == wanted.standard_error
        assert row["interval"] == wanted.interval(0.95).tolist()
        assert row["interval_50"] == wanted.interval(0.5).tolist()
    for shown in found["degrees"]:
        distribution = rr_engine.networks.estimate_degrees(reports, design, shown["kind"])
        assert shown["mean"]["estimate"] == distribution.mean.value
        assert shown["variance"]["standard_error"] == distribution.variance.standard_error
        first, *_, last = shown["shares"]
        assert first["estimate"] == distribution.at_most(first["highest"])
        assert first["interval"] == distribution.at_most_interval(first["highest"]).tolist()
        assert last["estimate"] == pytest.approx(1 - distribution.at_most(last["lowest"] - 1))
    densities = rr_engine.networks.estimate_mixing(reports, design, directed=directed).densities
    for cell in found["mixing"]["cells"]:
        place = cell["from"], cell["to"]
        assert cell["estimate"] == densities.value[place]
        assert cell["interval"] == densities.interval(0.95)[place].tolist()
    assert (found["members"], found["reporters"], found["missing"]) == (24, 24 - missing, missing)
    assert ("members_missing" in found["notes"]) == bool(missing if directed else missing > 1)


def test_without_noise_the_statistics_are_those_counted_one_by_one():
    table, roster = noisy(12, density=0.4), roster_of(12)
    rows, certain = rows_of(table), ties_device(12, one=1, zero=0)
    found = by_name(found_of(rows, roster, directed=True, table=certain))
    arcs = {(i, j) for i, j in permutations(range(12), 2) if table[i][j]}
    trios = list(permutations(range(12), 3))
    mutual = sum((j, i) in arcs for i, j in arcs) / 2
    paths = sum((i, j) in arcs and (j, k) in arcs for i, j, k in trios)
    transitive = sum({(i, j), (j, k), (i, k)} <= arcs for i, j, k in trios)
    cycles = sum({(i, j), (j, k), (k, i)} <= arcs for i, j, k in trios) / 3
    wanted = {
        "ties": len(arcs), "density": len(arcs) / 132, "mean_degree": len(arcs) / 12,
        "mutual_ties": mutual, "reciprocity": 2 * mutual / len(arcs), "two_paths": paths,
        "transitive_triples": transitive, "cycles": cycles, "transitivity": transitive / paths,
    }  # fmt: skip
    for name, value in wanted.items():
        assert found[name]["estimate"] == pytest.approx(value), name
        assert found[name]["standard_error"] == pytest.approx(0, abs=1e-6), name


@pytest.mark.slow
@pytest.mark.parametrize("directed", [True, False])
def test_the_order_of_the_rows_changes_nothing(directed):
    rows, roster = rows_of(noisy(24)), roster_of(24, SIZES)
    backwards = dict(reversed(rows.items()))
    assert json.dumps(found_of(rows, roster, directed=directed)) == json.dumps(
        found_of(backwards, roster, directed=directed)
    )


def test_a_tie_and_a_person_have_epsilons_of_their_own():
    roster, rows = roster_of(10), rows_of(noisy(10))
    directed = found_of(rows, roster, directed=True)["privacy"]
    tie = np.log(round(0.9 * WHOLE) / int(0.1 * WHOLE))
    assert directed["tie"] == pytest.approx(tie)
    assert directed["tie_at_both_ends"] == directed["tie"]
    assert directed["person"] == pytest.approx(9 * tie)
    both = found_of(rows, roster, directed=False)["privacy"]
    assert both["tie_at_both_ends"] == pytest.approx(2 * tie)


@pytest.mark.slow
def test_the_reconstruction_takes_one_report_of_each_pair_and_loses_ties():
    table, roster = noisy(30), roster_of(30)
    rows = rows_of(table, reporters=range(28))
    rebuilt = found_of(rows, roster, directed=False)["reconstruction"]
    single = once(reports_of(roster, rows))
    pairs = [tuple(sorted(pair)) for pair in zip(single.senders, single.alters, strict=True)]
    assert len(set(pairs)) == len(pairs) == 30 * 29 / 2 - 1
    assert not single.bits[single.senders > single.alters].size
    graph = rr_engine.networks.reconstruct_network(single, tie_design(ties_device(30)))
    assert rebuilt["ties"] == graph.ties
    assert rebuilt["triangles"] == graph.triangles.sum() / 3
    assert 0 < rebuilt["tie_kept"] < 1
    assert found_of(rows, roster, directed=True)["reconstruction"] is None


def test_a_missing_member_first_in_the_roster_is_described_by_the_others():
    single = once(reports_of(roster_of(6), rows_of(noisy(6), reporters=[2, 3, 4, 5])))
    about = set(zip(single.senders.tolist(), single.alters.tolist(), strict=True))
    assert {(2, 0), (5, 1), (2, 3), (4, 5)} <= about
    assert len(about) == 6 * 5 / 2 - 1


# --- what is held back --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "reporters", "shown"),
    [
        ([9, 8, 6], [9, 8, 6], [0, 1, 2]),
        # Too few of the third have answered; it is large enough to be what is left over.
        ([9, 8, 6], [9, 8, 4], [0, 1]),
        # The fourth is too small, and the whole less the others would be about it alone.
        ([9, 8, 5, 2], [9, 8, 5, 2], [0, 1]),
        ([9, 8, 2, 3], [9, 8, 2, 3], [0, 1]),
        ([9, 3], [9, 3], []),
        ([4, 4, 4], [4, 4, 4], []),
    ],
)
def test_groups_of_few_people_are_left_out_and_cannot_be_subtracted(members, reporters, shown):
    assert shown_groups(members, reporters) == shown


@pytest.mark.parametrize(
    ("people", "classes"),
    [
        ([20, 20, 0, 20], [(0, 0), (1, 2), (3, None)]),
        # A class of two people is no class.
        ([20, 20, 0, 2], [(0, 0), (1, None)]),
        ([2, 20, 0, 20], [(0, 2), (3, None)]),
        ([4, 4, 0, 0], [(0, None)]),
        ([4, 0, 0, 0], [(0, None)]),
    ],
)
def test_no_class_of_degrees_is_about_a_few(people, classes):
    assert degree_classes(range(len(people)), people) == classes


@pytest.mark.slow
def test_small_groups_have_no_cell():
    roster, table = roster_of(24, SIZES), noisy(24)
    mixing = found_of(rows_of(table), roster, directed=True)["mixing"]
    assert [group["shown"] for group in mixing["groups"]] == [True, True, False, False]
    assert [(cell["from"], cell["to"]) for cell in mixing["cells"]] == [
        (0, 0), (0, 1), (1, 0), (1, 1),
    ]  # fmt: skip
    assert mixing["cells"][1]["pairs"] == 72
    halves = found_of(rows_of(table), roster, directed=False)["mixing"]
    assert [(cell["from"], cell["to"]) for cell in halves["cells"]] == [(0, 0), (0, 1), (1, 1)]


def test_a_few_reports_tell_nothing_but_their_number():
    rows = rows_of(noisy(10), reporters=range(LEAST_PEOPLE - 1))
    found = found_of(rows, roster_of(10), directed=True)
    assert found["statistics"] == found["degrees"] == []
    assert found["mixing"] is None
    assert found["reconstruction"] is None
    assert (found["reporters"], found["missing"]) == (4, 6)
    assert found["notes"] == ["network_too_few"]


def test_no_member_is_named_and_no_list_is_as_long_as_the_roster():
    found = found_of(
        rows_of(noisy(40), reporters=range(37)), roster_of(40, (20, 20)), directed=True
    )
    text = json.dumps(found)
    assert not any(code in text for code in roster_of(40).codes)

    def lists(value):
        if isinstance(value, dict):
            value = list(value.values())
        elif isinstance(value, list):
            yield value
        for part in value if isinstance(value, list) else ():
            yield from lists(part)

    assert max(len(part) for part in lists(found)) < 15


def test_estimates_beyond_what_can_be_and_unknown_ratios_say_so():
    table, roster = np.zeros((12, 12), dtype=int), roster_of(12)
    whole = found_of(rows_of(table), roster, directed=True)
    assert {"network_outside", "ratio_unknown"} <= set(whole["notes"])
    found = by_name(whole)
    assert found["ties"]["notes"] == ["network_outside"]
    assert found["ties"]["estimate"] < 0
    assert found["reciprocity"]["notes"] == ["ratio_unknown"]
    assert found["reciprocity"]["estimate"] is None
