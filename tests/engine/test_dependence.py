"""The dependence of pairs from randomized reports: values, corrections, and what is refused."""

import json

import numpy as np
import pytest

from rr_engine import estimate, estimate_joint, k_rr
from rr_engine.association import cramers_v, pearson_correlation
from rr_engine.association.derived import Distance
from rr_engine.bounded import Bins
from rr_engine.channels import joint_design
from rr_engine.clusters import Attribute, DependenceGraph, dependence_graph, equal_frequency_bins
from rr_engine.clusters.dependence import MergedTable, merge_rare, next_groups
from rr_engine.clusters.graph import FALSE_RATE
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError
from tests.engine.engine_cases import refusal
from tests.engine.pilots import SIZES, paired, people, pilot
from tests.thorough import examples

SQUARE = np.array([[300, 50, 50], [50, 200, 50], [50, 50, 200]])


def graph_of(estimated, scores=None, sizes=(3, 3)):
    first, second = (Attribute(name, size, scores) for name, size in zip("ab", sizes, strict=True))
    return dependence_graph([first, second], {("a", "b"): estimated})


def test_without_rare_categories_it_is_the_corrected_cramers_v():
    joint = estimate_joint([k_rr(3, 2), k_rr(3, 3)], SQUARE)
    graph, expected = graph_of(joint), cramers_v(joint)
    assert graph.similarity[0, 1] == pytest.approx(expected.value, abs=1e-12)
    assert graph.lower[0, 1] == pytest.approx(expected.interval()[0], abs=1e-9)
    assert graph.similarity[1, 0] == graph.similarity[0, 1]
    assert np.diag(graph.similarity).tolist() == [1, 1]
    assert graph.respondents.tolist() == [[0, 1000], [1000, 0]]
    assert not graph.notes


def test_direct_answers_have_the_v_of_their_table():
    # phi of a 2 by 2 table: (400**2 - 100**2) / 500**2; n is so large that noise is nothing.
    table = estimate_joint([direct(2), direct(2)], np.array([[400, 100], [100, 400]]) * 10_000)
    graph = graph_of(table, sizes=(2, 2))
    assert graph.similarity[0, 1] == pytest.approx(0.6, abs=1e-6)


@pytest.mark.parametrize("p", [0.9, 0.5])
def test_one_device_over_the_pair_is_undone(p):
    table = SQUARE * 1000
    exact = graph_of(estimate_joint([direct(3), direct(3)], table)).similarity[0, 1]
    assert graph_of(paired(table, p)).similarity[0, 1] == pytest.approx(exact, abs=2e-4)


@pytest.mark.slow
@pytest.mark.parametrize("scores", [None, (0, 1, 2)])
@pytest.mark.parametrize("true", ["dependent", "independent"])
def test_noise_is_taken_off_on_average(scores, true):
    shares = SQUARE / SQUARE.sum()
    if true == "independent":
        shares = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    channel, rng = joint_design([3, 3], 0.4), np.random.default_rng(13)
    exact = graph_of(estimate_joint([direct(3)] * 2, np.round(shares * 10**9)), scores)
    squares, errors = [], []
    for counts in channel.survey_counts(shares.ravel(), 2000, rng, 200):
        graph = graph_of(estimate_joint([channel], counts.reshape(3, 3)), scores)
        squares.append(graph.similarity[0, 1] ** 2)
        errors.append(graph.standard_errors[0, 1])
    spread = np.std(squares) / len(squares) ** 0.5
    if true == "dependent":
        # 200 surveys: within four standard errors of the square, which is what is corrected.
        assert np.mean(squares) == pytest.approx(exact.similarity[0, 1] ** 2, abs=4 * spread)
        assert np.std(np.sqrt(squares)) == pytest.approx(np.mean(errors), rel=0.25)
    else:
        # Cut at zero: a bias of less than one standard error is left.
        assert np.mean(np.sqrt(squares)) < np.mean(errors)


def test_two_attributes_with_an_order_are_compared_by_correlation():
    falling = np.array([[10, 20, 200], [20, 200, 20], [200, 20, 10]])
    joint = estimate_joint([k_rr(3, 4), k_rr(3, 4)], falling)
    graph, expected = graph_of(joint, (0, 1, 5)), pearson_correlation(joint, [0, 1, 5], [0, 1, 5])
    assert expected.value < -0.7
    squared = expected.value**2 - expected.standard_error**2
    assert graph.similarity[0, 1] == pytest.approx(squared**0.5, abs=1e-9)
    assert graph.standard_errors[0, 1] == pytest.approx(expected.standard_error, abs=1e-9)


def test_one_attribute_with_an_order_and_one_without_have_a_v():
    joint = estimate_joint([k_rr(3, 4), k_rr(3, 4)], SQUARE)
    mixed = [Attribute.ordinal("a", 3), Attribute("b", 3)]
    graph = dependence_graph(mixed, {("b", "a"): joint})
    assert graph.similarity[0, 1] == pytest.approx(cramers_v(joint).value, abs=1e-12)


def test_rare_categories_do_not_drown_the_others():
    # 40 categories, of which 36 have about five people in 20,000.
    shares = np.full((40, 3), 5.0 / 3)
    shares[:4] = np.array([[4000, 500, 500], [500, 4000, 500], [500, 500, 4000], [1600] * 3])
    exact = graph_of(
        estimate_joint([direct(40), direct(3)], np.round(shares * 1000)), None, (40, 3)
    )
    channel, rng = joint_design([40, 3], 0.7), np.random.default_rng(4)
    counts = channel.survey_counts((shares / shares.sum()).ravel(), 20_000, rng, 20)
    found = [
        graph_of(estimate_joint([channel], each.reshape(40, 3)), None, (40, 3)) for each in counts
    ]
    errors = [graph.similarity[0, 1] - exact.similarity[0, 1] for graph in found]
    assert np.abs(errors).max() < 0.05
    assert {note.code for graph in found for note in graph.notes} == {"rare_merged"}


def test_rarest_categories_are_merged_first_and_neighbours_where_there_is_an_order():
    shares = np.array([0.5, 0.01, 0.47, 0.02])
    single = ((0,), (1,), (2,), (3,))
    after = next_groups(single, shares, ordered=False)
    assert after == ((0,), (1, 3), (2,))
    assert next_groups(after, shares, ordered=False) == ((0,), (1, 2, 3))
    after = next_groups(single, shares, ordered=True)
    assert after == ((0,), (1, 2), (3,))
    assert next_groups(after, shares, ordered=True) == ((0,), (1, 2, 3))


def test_nine_direct_answers_are_a_category_and_eight_are_not():
    # sqrt(m (1 - m) / n) is a third of m at nine people of very many.
    for answers, groups in ((10, 3), (8, 2)):
        table = estimate_joint([direct(3), direct(2)], [[5000, 4000], [4000, 5000], [answers, 0]])
        rows = merge_rare(table, (False, False)).row_groups
        assert len(rows) == groups


def test_a_large_table_is_merged_to_what_can_be_computed():
    table = estimate_joint([direct(60), direct(50)], np.full((60, 50), 100))
    merged = merge_rare(table, (False, True))
    assert 1500 < merged.proportions.size <= 1600
    assert all(group == tuple(range(group[0], group[-1] + 1)) for group in merged.column_groups)


def test_a_merged_table_is_that_of_merged_reports():
    channel = k_rr(4, 3)
    joint = estimate_joint([direct(4), channel], np.arange(16).reshape(4, 4) + 5)
    merged = MergedTable(joint, ((0, 2), (1, 3)), ((0,), (1,), (2, 3)))
    assert merged.proportions[0, 2] == pytest.approx(joint.proportions[[0, 2], 2:].sum())
    cell = np.zeros((4, 4))
    cell[np.ix_([0, 2], [2, 3])] = 1
    assert merged.standard_errors[0, 2] == pytest.approx(joint.covariance_of(cell, cell) ** 0.5)
    assert merged.covariance_of([[0, 0, 1], [0, 0, 0]], [[0, 0, 1], [0, 0, 0]]) == pytest.approx(
        merged.standard_errors[0, 2] ** 2
    )
    assert (merged.n, merged.population) == (joint.n, "sample")
    assert merged.projected().sum() == pytest.approx(1)


def test_the_order_of_attributes_and_of_each_pair_changes_nothing():
    rng = np.random.default_rng(2)
    given = [Attribute("a", 3), Attribute("b", 4), Attribute("c", 2)]
    tables = {("a", "b"): (3, 4), ("b", "c"): (4, 2), ("c", "a"): (2, 3)}
    devices = {"a": k_rr(3, 3), "b": k_rr(4, 3), "c": k_rr(2, 3)}
    counts = {pair: rng.integers(20, 90, size=shape) for pair, shape in tables.items()}
    straight = dependence_graph(
        given, {(i, j): estimate_joint([devices[i], devices[j]], c) for (i, j), c in counts.items()}
    )
    turned = dependence_graph(
        given[::-1],
        {(j, i): estimate_joint([devices[j], devices[i]], c.T) for (i, j), c in counts.items()},
    )
    assert np.allclose(straight.similarity, turned.similarity[::-1, ::-1], atol=1e-9)
    assert np.allclose(straight.lower, turned.lower[::-1, ::-1], atol=1e-9)


def test_a_pair_that_was_never_asked_is_refused_or_marked():
    given = [Attribute("a", 2), Attribute("b", 2), Attribute("c", 2)]
    table = estimate_joint([direct(2), direct(2)], [[40, 10], [10, 40]])
    pairs = {("a", "b"): table, ("b", "c"): table}
    error = refusal(dependence_graph, given, pairs)
    assert "hold every pair" in str(error)
    assert (error.code, error.value) == ("pairs_missing", ("a", "c"))
    graph = dependence_graph(given, pairs, missing="mark")
    assert np.isnan(graph.similarity[0, 2])
    assert (graph.respondents[0, 2], graph.standard_errors[0, 2]) == (0, 0.5)
    assert [(note.first, note.second, note.code) for note in graph.notes] == [
        ("a", "c", "never_asked")
    ]
    assert graph.weights()[0].tolist() == [0, graph.similarity[0, 1], 0]


def test_a_graph_is_stored_and_read_again():
    given = [Attribute("a", 2), Attribute("b", 2, (0, 3)), Attribute("c", 2)]
    table = estimate_joint([k_rr(2, 1), k_rr(2, 1)], [[40, 10], [10, 30]])
    graph = dependence_graph(given, {("a", "b"): table}, missing="mark")
    stored = json.loads(json.dumps(graph.to_dict(), allow_nan=False))
    again = DependenceGraph.from_dict(stored)
    assert (again.attributes, again.notes) == (graph.attributes, graph.notes)
    for name in ("similarity", "standard_errors", "lower", "respondents"):
        assert np.array_equal(
            getattr(again, name), getattr(graph, name), equal_nan=name == "similarity"
        )
    assert again.to_dict() == graph.to_dict()
    broken = [
        ({**stored, "format": 0}, "unknown_format"),
        (None, "unknown_format"),
        ({**stored, "lower": [[0]]}, "stored_damaged"),
        ({**stored, "notes": [["a", "b", "nothing"]]}, "stored_damaged"),
        ({**stored, "attributes": []}, "stored_damaged"),
        ({"format": 1}, "stored_damaged"),
    ]
    for value, code in broken:
        assert refusal(DependenceGraph.from_dict, value).code == code


def test_reports_that_tell_nothing_are_said_to():
    empty = estimate_joint([direct(2), direct(2)], [[0, 0], [0, 0]])
    for scores in (None, (0, 1)):
        graph = graph_of(empty, scores, (2, 2))
        assert (graph.similarity[0, 1], graph.standard_errors[0, 1]) == (0, 0.5)
        assert graph.notes[0].code == "nothing_told"
    alike = graph_of(estimate_joint([direct(2), direct(2)], [[9, 0], [9, 0]]), (0, 1), (2, 2))
    assert alike.notes[0].code == "no_spread"


def test_a_p_value_below_a_level_leaves_independence_out_of_the_interval():
    generator = np.random.default_rng(8)
    graphs = [pilot(people(3000, generator, agree=0.4), 2, generator) for _ in range(4)]
    pairs = np.triu_indices(len(SIZES), 1)
    p_values = np.concatenate([graph.p_values[pairs] for graph in graphs])
    lower = np.concatenate([graph.lower[pairs] for graph in graphs])
    assert 5 < (p_values < 0.05).sum() < p_values.size
    clear = np.abs(p_values - 0.05) > 1e-6
    assert ((p_values < 0.05) == (lower > 0))[clear].all()


@pytest.mark.slow
def test_few_pilots_of_independent_questions_join_any(monkeypatch):
    """One of 28 pairs is below 0.05 in three of four pilots; with the rate, in one of five."""
    # Which are joined hangs on values and p-values; most of the time would go into intervals.
    monkeypatch.setattr(Distance, "interval", lambda self, alpha: (0.0, self.limit))
    generator, joined, pilots = np.random.default_rng(9), 0, examples(40, 100)
    for _ in range(pilots):
        graph = pilot(people(5000, generator, agree=0.0), 2, generator)
        joined += graph.weights(least=0.0).any()
    # Three standard errors.
    assert joined / pilots < FALSE_RATE + 3 * (FALSE_RATE * (1 - FALSE_RATE) / pilots) ** 0.5


def test_what_may_be_noise_has_no_weight():
    asked = tuple(Attribute(name, 2) for name in "abc")
    similarity = np.array([[1, 0.3, 0.2], [0.3, 1, 0.05], [0.2, 0.05, 1]])
    p_values = np.array([[0, 0.01, 0.21], [0.01, 0, 0.13], [0.21, 0.13, 0]])
    people = np.ones((3, 3), dtype=int)
    graph = DependenceGraph(asked, similarity, similarity * 0, similarity, p_values, people)
    assert graph.weights().tolist() == [[0, 0.3, 0], [0.3, 0, 0], [0, 0, 0]]
    # The second of three: 0.13 is below 2/3 of 0.2 and above 2/3 of 0.1.
    assert graph.weights(0.01)[1, 2] == 0.05
    assert graph.weights(0.01, 0.1)[1, 2] == 0
    assert graph.weights(rate=0.25)[0, 2] == 0.2
    assert (graph.names, graph.sizes) == (("a", "b", "c"), (2, 2, 2))


@pytest.mark.parametrize(
    ("estimates", "code"),
    [
        ({("a", "c"): None}, "unknown_attribute"),
        ({("a", "a"): None}, "unknown_attribute"),
        ({("a",): None}, "not_pairs"),
        ({"ab": None}, "unknown_attribute"),
        ({("a", "b"): None}, "not_two_attributes"),
        (
            {("a", "b"): estimate_joint([direct(2), direct(3)], np.ones((2, 3)))},
            "not_two_attributes",
        ),
        ({("a", "b"): estimate(k_rr(9, 1), [9] * 9)}, "not_two_attributes"),
    ],
)
def test_estimates_that_do_not_fit_are_refused(estimates, code):
    assert refusal(dependence_graph, [Attribute("a", 3), Attribute("b", 3)], estimates).code == code


def test_a_pair_twice_and_a_pair_that_is_too_large_are_refused():
    table = estimate_joint([direct(3), direct(3)], SQUARE)
    given = [Attribute("a", 3), Attribute("b", 3)]
    with pytest.raises(ArgumentError, match="each pair once"):
        dependence_graph(given, {("a", "b"): table, ("b", "a"): table})
    large = estimate_joint([direct(65), direct(64)], np.ones((65, 64)))
    error = refusal(dependence_graph, [Attribute("a", 65), Attribute("b", 64)], {("a", "b"): large})
    assert (error.code, error.value) == ("too_many_cells", 65 * 64)


def test_numbers_have_the_middles_of_their_bins_as_scores():
    bins = Bins.equal(0, 100, 100, 4)
    attribute = Attribute.of_bins("age", bins)
    assert attribute.ordered
    assert (attribute.size, attribute.scores) == (4, tuple(bins.middles.tolist()))
    for wrong in (
        lambda: Attribute("", 2),
        lambda: Attribute("a", 1),
        lambda: Attribute("a", 2, [1]),
    ):
        with pytest.raises(ArgumentError):
            wrong()


def test_bins_of_equal_frequency_follow_the_guess():
    shares = np.ones(100) / 100
    assert equal_frequency_bins(0, 99, shares, 4).starts == (0, 25, 50, 75)
    # One value holds more than half: the bins beside it are joined.
    heavy = [0.1, 0.1, 0.6, 0.1, 0.1]
    assert equal_frequency_bins(0, 4, heavy, 5).starts == (0, 2, 3)
    with pytest.raises(ArgumentError):
        equal_frequency_bins(0, 4, heavy, 6)
