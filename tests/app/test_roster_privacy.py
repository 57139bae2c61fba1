"""Reports on a roster: the same draws everywhere, and what they reveal, from the integers."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from math import log, prod

import numpy as np
import pytest
from candor import respondent as client
from msgspec.structs import replace

import rr_engine
from surveys.kinds.ties import MemberTies
from surveys.parameters import MEMBERS, Ties
from surveys.parameters.exact import keeps, likelihood_ratio_bound, loss, tie_design
from tests.rosters import small_network
from tests.system.protocol_page import bytes_of
from tests.vectors import make_tie_vectors
from tests.vectors.case_lines import read_vectors

VECTORS = read_vectors("tie_draws.json")
KIND = MemberTies()
PAIR = list(product((0, 1), repeat=2))


def truth_of(case) -> list[int]:
    codes = VECTORS["tables"][case["table"]]["codes"]
    return [int(code in case["ties"]) for code in codes if code != case["member"]]


def cases_of(name):
    return [case for case in VECTORS["draws"] if case["table"] == name]


def ties_of(table) -> Ties:
    """A served table."""
    return Ties(**{key: table[key] for key in ("bits", "denominator", "one", "zero")})


def drawing(name):
    """A question about a roster, and a device for it with a table of the vectors."""
    parameters = small_network(4).parameters
    question = next(each for each in parameters.questions if each.control == MEMBERS)
    (device,) = parameters.devices_of(question)
    return question, replace(device, table=ties_of(VECTORS["tables"][name]["table"]))


# --- the same bytes, the same report --------------------------------------------------------------


def test_the_vectors_are_those_of_their_generator():
    made = {"format": 1, "tables": make_tie_vectors.served(), "draws": make_tie_vectors.draws()}
    assert made == VECTORS


def test_the_vectors_have_every_way_to_answer():
    for name, served in VECTORS["tables"].items():
        truths = {tuple(truth_of(case)) for case in cases_of(name)}
        bits = served["table"]["bits"]
        assert {(0,) * bits, (1,) * bits} < truths
        members = {case["member"] for case in cases_of(name)}
        assert {served["codes"][0], served["codes"][-1]} < members


@pytest.mark.django_db
@pytest.mark.parametrize("name", VECTORS["tables"])
def test_what_the_kind_draws_is_what_the_vectors_say(name):
    question, device = drawing(name)
    for case in cases_of(name):
        source = bytes_of(case["bytes"])
        answers = np.array([truth_of(case)])
        assert KIND.draw_reports(question, device, answers, (), source) == [case["report"]]
        # Every byte is used.
        with pytest.raises(rr_engine.errors.ArgumentError):
            KIND.draw_reports(question, device, answers, (), source)


@pytest.mark.django_db
def test_the_kind_draws_people_one_after_the_other():
    """As if each had a browser: the bytes of the first, then those of the second."""
    name = "five members, a byte, uneven"
    question, device = drawing(name)
    cases = cases_of(name)
    source = bytes_of("".join(case["bytes"] for case in cases))
    answers = np.array([truth_of(case) for case in cases])
    drawn = KIND.draw_reports(question, device, answers, (), source)
    assert drawn == [case["report"] for case in cases]


@pytest.mark.parametrize("name", VECTORS["tables"])
def test_what_the_second_client_draws_is_what_the_vectors_say(name):
    served = VECTORS["tables"][name]
    for case in cases_of(name):
        source = bytes_of(case["bytes"])
        truth = client.ties_of({"codes": served["codes"]}, case["member"], case["ties"])
        assert client.draw_ties(served["table"], truth, source) == case["report"]
        assert source(1) == b""


# --- what a report reveals ------------------------------------------------------------------------


def chance(table: Ties, truth, report) -> Fraction:
    """Return the chance of a whole report: bits are drawn by themselves."""
    entries = [(table.denominator - each, each) for each in (table.zero, table.one)]
    return prod(
        (
            Fraction(entries[tie][bit], table.denominator)
            for tie, bit in zip(truth, report, strict=True)
        ),
        start=Fraction(1),
    )


def laws(table: Ties) -> dict[tuple[int, ...], dict[tuple[int, ...], Fraction]]:
    """The exact chance of every report under every set of ties."""
    sets = list(product((0, 1), repeat=table.bits))
    return {truth: {report: chance(table, truth, report) for report in sets} for truth in sets}


def largest_ratio(pairs) -> Fraction:
    return max(
        max(first[report] / second[report], second[report] / first[report])
        for first, second in pairs
        for report in first
    )


@pytest.fixture
def tables(db):
    """The integers of two questions to five people, as they are served."""
    launch = small_network(5)
    served = {device["id"]: device for device in launch.document["devices"]}
    return {
        name: (ties_of(served[name]["table"]), served[name]["epsilon"])
        for name in ("friends", "lends")
    }


@pytest.mark.parametrize("name", ["friends", "lends"])
def test_the_law_of_a_report_is_one(tables, name):
    table, _ = tables[name]
    assert table.bits == 4
    for law in laws(table).values():
        assert sum(law.values()) == 1
        assert min(law.values()) > 0


@pytest.mark.parametrize("name", ["friends", "lends"])
def test_two_sets_that_differ_in_one_tie_differ_by_epsilon_and_no_more(tables, name):
    table, epsilon = tables[name]
    law = laws(table)
    neighbours = [
        (law[first], law[second])
        for first, second in combinations(law, 2)
        if sum(a != b for a, b in zip(first, second, strict=True)) == 1
    ]
    assert len(neighbours) == 4 * 2**3
    ratio = largest_ratio(neighbours)
    assert ratio == likelihood_ratio_bound(table)
    assert ratio <= Fraction(Decimal(epsilon).exp())
    assert keeps(table, Decimal(epsilon), None)
    privacy = rr_engine.networks.roster_privacy(tie_design(table), table.bits)
    assert privacy.tie == pytest.approx(log(ratio), rel=1e-12)
    assert loss(table) == pytest.approx(log(ratio), rel=1e-12)
    # And all of epsilon is used, to the last of 32 bits.
    assert float(ratio) == pytest.approx(float(Decimal(epsilon).exp()), rel=1e-6)


@pytest.mark.parametrize("name", ["friends", "lends"])
def test_any_two_sets_differ_by_as_many_epsilons_as_ties(tables, name):
    """The person level: by the ties in which they differ, so of all sets by one for each name."""
    table, _ = tables[name]
    law, one_tie = laws(table), likelihood_ratio_bound(table)
    for first, second in combinations(law, 2):
        different = sum(a != b for a, b in zip(first, second, strict=True))
        assert largest_ratio([(law[first], law[second])]) <= one_tie**different
    ratio = largest_ratio(combinations(law.values(), 2))
    # The device treats both answers alike, so that the empty and the whole set are farthest apart.
    assert ratio == one_tie**table.bits
    privacy = rr_engine.networks.roster_privacy(tie_design(table), table.bits)
    assert privacy.person == pytest.approx(log(ratio), rel=1e-12)


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_sets_of_few_ties_differ_by_less(tables, cap):
    table, _ = tables["friends"]
    law = {truth: each for truth, each in laws(table).items() if sum(truth) <= cap}
    ratio = largest_ratio(combinations(law.values(), 2))
    privacy = rr_engine.networks.roster_privacy(tie_design(table), table.bits, cap)
    assert privacy.person == pytest.approx(log(ratio), rel=1e-12)


def test_both_ends_of_a_tie_reveal_it_twice(tables):
    """The joint law of the two bits about one undirected tie, of one member and of the other."""
    table, _ = tables["friends"]
    entries = [(table.denominator - each, each) for each in (table.zero, table.one)]
    both = [
        {(a, b): Fraction(entries[tie][a] * entries[tie][b], table.denominator**2) for a, b in PAIR}
        for tie in (0, 1)
    ]
    assert [sum(law.values()) for law in both] == [1, 1]
    ratio = largest_ratio([both])
    assert ratio == likelihood_ratio_bound(table) ** 2
    privacy = rr_engine.networks.roster_privacy(tie_design(table), table.bits, reports=2)
    assert privacy.tie_at_both_ends == pytest.approx(log(ratio), rel=1e-12)


def test_two_reports_of_three_members_reveal_of_all_ties_what_is_said(db):
    """Two of three people report: over all graphs, undirected, each report as it is served."""
    launch = small_network(3)
    device = next(each for each in launch.document["devices"] if each["id"] == "friends")
    table = ties_of(device["table"])
    law = laws(table)

    def joint(graph):
        """Return the law of members 0 and 1; the graph says whether 0-1, 0-2 and 1-2 are ties."""
        first, second = law[graph[0], graph[1]], law[graph[0], graph[2]]
        return {(a, b): first[a] * second[b] for a in first for b in second}

    graphs = {graph: joint(graph) for graph in product((0, 1), repeat=3)}
    one_tie = likelihood_ratio_bound(table)
    reported_by_both = largest_ratio([(graphs[0, 0, 0], graphs[1, 0, 0])])
    reported_by_one = largest_ratio([(graphs[0, 0, 0], graphs[0, 1, 0])])
    assert (reported_by_both, reported_by_one) == (one_tie**2, one_tie)
    # All that the two reports say about member 0: both of its own ties, one of them twice.
    about_first = [(graphs[0, 0, x], graphs[1, 1, x]) for x in (0, 1)]
    assert largest_ratio(about_first) == one_tie**3
    privacy = rr_engine.networks.roster_privacy(tie_design(table), 2, reports=2, named_by=1)
    assert privacy.everything_about_person == pytest.approx(log(one_tie**3), rel=1e-12)
