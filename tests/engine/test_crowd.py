"""The pooled distribution: known results, agreement with the rest of the engine, enumeration."""

from itertools import product

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.crowd.moments import _accepted
from rr_engine.crowd.statistics import Evidence
from tests.engine.engine_cases import outcomes

SMOKES = rr.crowd.CrowdAttribute("smokes", ["no", "yes"], (0, 1))
DRINKS = rr.crowd.CrowdAttribute("drinks", 3, (0, 1, 5))
AGE = rr.crowd.CrowdAttribute("age", 4, (10, 20, 30, None), (5, 15, 25, 35))
EXACT = 10**12
BOTH, COUNTS = rr.channels.joint_design([2, 3], 0.8), [400, 100, 100, 100, 100, 200]


def habits(device=BOTH, counts=COUNTS):
    """Reports of one device on smoking and drinking."""
    return rr.crowd.ClusterReports(["smokes", "drinks"], [device], [counts])


def ages(counts):
    return rr.crowd.ClusterReports(["age"], [rr.k_rr(4, 2)], [counts])


def exactly(attributes, table):
    """The crowd that has this joint table, from a device that changes nothing."""
    shares = np.asarray(table, dtype=float)
    counts = np.rint(shares / shares.sum() * EXACT).astype(np.int64).ravel()
    names = [attribute.name for attribute in attributes]
    reports = rr.crowd.ClusterReports(names, [rr.designs.direct(shares.size)], [counts])
    return rr.crowd.pooled_distribution(attributes, [reports])


@pytest.fixture
def table():
    return np.random.default_rng(7).dirichlet(np.ones(24)).reshape(2, 3, 4)


@pytest.fixture
def crowd(table):
    return exactly([SMOKES, DRINKS, AGE], table)


# --- iterative proportional fitting -------------------------------------------------------------


def test_two_margins_of_nothing_shared_give_their_product():
    fit = rr.crowd.iterative_proportional_fitting([[0.6, 0.4], [0.2, 0.3, 0.5]], [[0], [1]], [2, 3])
    assert fit.table == pytest.approx(np.outer([0.6, 0.4], [0.2, 0.3, 0.5]))
    assert fit.converged
    assert fit.rounds == 1


def test_pairs_that_share_one_attribute_give_conditional_independence(table):
    first, second = table.sum(axis=2), table.sum(axis=0)
    fit = rr.crowd.iterative_proportional_fitting([first, second], [[0, 1], [1, 2]], [2, 3, 4])
    expected = first[:, :, None] * second[None] / second.sum(axis=1)[None, :, None]
    assert fit.table == pytest.approx(expected, abs=1e-12)


def test_all_pairs_of_a_table_without_interaction_of_three_give_it_back():
    rng = np.random.default_rng(3)
    pairs = [rng.uniform(0.5, 2, (2, 3)), rng.uniform(0.5, 2, (3, 4)), rng.uniform(0.5, 2, (2, 4))]
    table = np.einsum("ab,bc,ac->abc", *pairs)
    table /= table.sum()
    margins = [table.sum(axis=2), table.sum(axis=0), table.sum(axis=1).T]
    fit = rr.crowd.iterative_proportional_fitting(margins, [[0, 1], [1, 2], [2, 0]], [2, 3, 4])
    assert fit.converged
    assert fit.table == pytest.approx(table, abs=1e-9)


def test_margins_that_contradict_each_other_do_not_converge():
    fit = rr.crowd.iterative_proportional_fitting([[0.5, 0.5], [0.7, 0.3]], [[0], [0]], [2])
    assert not fit.converged
    assert fit.deviation == pytest.approx(0.2)
    assert fit.rounds < 9


def test_too_many_combinations_are_refused():
    with pytest.raises(rr.errors.ArgumentError, match="at most 1048576"):
        rr.crowd.iterative_proportional_fitting([[0.5, 0.5]], [[0]], [2] * 21)


# --- statistics of a known table ----------------------------------------------------------------


def rows_of(table, *scores):
    """The cells of a table as weighted rows of numbers, refusals left out."""
    cells = [
        (share, [score[index] for score, index in zip(scores, place, strict=True)])
        for place, share in np.ndenumerate(table)
    ]
    known = [(share, row) for share, row in cells if None not in row]
    weights = np.array([share for share, _ in known])
    return np.array([row for _, row in known], dtype=float), weights / weights.sum()


def test_moments_are_those_of_the_table(crowd, table):
    rows, weights = rows_of(table, (0, 1), (0, 1, 5), (10, 20, 30, None))
    mean = weights @ rows
    covariance = (rows - mean).T @ ((rows - mean) * weights[:, None])
    drinks, _ = rows_of(table.sum(axis=(0, 2)), (0, 1, 5))
    shares = table.sum(axis=(0, 2))
    found = crowd.mean("drinks").values[0]
    assert found == pytest.approx(shares @ drinks[:, 0])
    assert crowd.variance("drinks").values[0] == pytest.approx(
        shares @ drinks[:, 0] ** 2 - found**2
    )
    pair, of_pair = rows_of(table.sum(axis=0), (0, 1, 5), (10, 20, 30, None))
    r = np.cov(pair.T, aweights=of_pair, ddof=0)
    assert crowd.correlation(["drinks", "age"]).values[0] == pytest.approx(
        r[0, 1] / np.sqrt(r[0, 0] * r[1, 1])
    )
    slopes = np.linalg.solve(covariance[1:, 1:], covariance[1:, 0])
    regression = crowd.regression("smokes", ["drinks", "age"])
    assert regression.values == pytest.approx([mean[0] - slopes @ mean[1:], *slopes])
    assert regression.labels == ("(intercept)", "drinks", "age")


def test_shares_and_conditional_tables_are_those_of_the_table(crowd, table):
    share = crowd.share({"smokes": [1], "age": [0, 1]}, where={"drinks": [1, 2], "age": [0, 1, 2]})
    group = table[:, 1:, :3]
    assert share.values[0] == pytest.approx(group[1, :, :2].sum() / group.sum())
    found = crowd.conditional_table("drinks", "smokes", where={"age": [3]})
    pair = table[:, :, 3]
    expected = pair / pair.sum(axis=1, keepdims=True)
    assert found.values.reshape(2, 3) == pytest.approx(expected)
    assert found.labels[:3] == ("0 | no", "1 | no", "2 | no")
    assert crowd.margin(["age", "smokes"]) == pytest.approx(table.sum(axis=1).T)


def test_quantiles_are_interpolated_in_bins_and_answers_elsewhere():
    shares = np.array([0.2, 0.3, 0.3, 0.2])
    age = exactly([AGE], shares)
    # The shares of those who answered are 1/4, 3/8 and 3/8; the median lies two thirds into the
    # second bin.
    assert age.quantile("age").values[0] == pytest.approx(15 + 10 * 2 / 3)
    drinks = exactly([DRINKS], [0.2, 0.3, 0.5])
    assert [drinks.quantile("drinks", chance).values[0] for chance in (0.1, 0.4, 0.6)] == [0, 1, 5]


def test_a_mean_of_bins_is_that_of_the_rest_of_the_engine():
    device, counts = rr.k_rr(4, 2), [260, 240, 300, 120]
    crowd = rr.crowd.pooled_distribution(
        [AGE], [rr.crowd.ClusterReports(["age"], [device], [counts])]
    )
    found = rr.association.mean_of_answered(rr.estimate(device, counts), [10, 20, 30])
    mean = crowd.mean("age", repetitions=1999)
    assert mean.values[0] == pytest.approx(found.value)
    # A standard error from so many surveys has one of its own of 1.6 %.
    assert mean.standard_errors[0] == pytest.approx(found.standard_error, rel=0.08)


# --- clusters -----------------------------------------------------------------------------------


def test_attributes_of_different_clusters_are_independent():
    reports = [habits(), ages([300, 200, 200, 100])]
    crowd = rr.crowd.pooled_distribution([AGE, SMOKES, DRINKS], reports)
    alone = [crowd.share({"smokes": [1]}).values[0], crowd.share({"age": [1]}).values[0]]
    together = crowd.share({"smokes": [1], "age": [1]})
    assert together.values[0] == pytest.approx(np.prod(alone))
    assert together.note("independent_by_assumption")
    across = crowd.correlation(["smokes", "age"])
    assert across.values[0] == pytest.approx(0, abs=1e-12)
    assert across.note("independent_by_assumption")
    within = crowd.correlation(["smokes", "drinks"])
    assert not within.notes
    conditioned = crowd.mean("drinks", where={"age": [1]})
    assert conditioned.values == pytest.approx(crowd.mean("drinks").values)
    assert conditioned.interval() == pytest.approx(crowd.mean("drinks").interval())


def test_clusters_that_share_an_attribute_agree_on_it():
    second = rr.channels.joint_design([3, 4], 0.7)
    reports = [
        habits(),
        rr.crowd.ClusterReports(["drinks", "age"], [second], [[150, 80, 90, 60] * 3]),
    ]
    crowd = rr.crowd.pooled_distribution([SMOKES, DRINKS, AGE], reports)
    alone = [
        rr.crowd.pooled_distribution([SMOKES, DRINKS, AGE], [each]).mean("drinks", repetitions=1999)
        for each in reports
    ]
    both = crowd.mean("drinks", repetitions=1999)
    low, high = sorted(each.values[0] for each in alone)
    assert low < both.values[0] < high
    assert both.standard_errors[0] < min(each.standard_errors[0] for each in alone)
    assert not crowd.notes
    pair = crowd.margin(["smokes", "drinks"])
    assert pair.sum(axis=0) == pytest.approx(crowd.margin(["drinks", "age"]).sum(axis=1))
    # Tables that no cluster holds follow from the fitted joint table.
    triple = crowd.margin(["smokes", "drinks", "age"])
    given = triple / triple.sum(axis=(0, 2), keepdims=True)
    product_given = given.sum(axis=2, keepdims=True) * given.sum(axis=0, keepdims=True)
    assert given == pytest.approx(product_given, abs=1e-8)
    assert np.isfinite(crowd.correlation(["smokes", "age"]).interval()).all()


def test_margins_that_no_table_has_are_noted():
    """Three pairs, each of opposites, cannot all be: two of three yes-or-no answers are alike."""
    opposite = np.array([0, 500, 500, 0])
    names = [rr.crowd.CrowdAttribute(name, 2) for name in "abc"]
    reports = [
        rr.crowd.ClusterReports(list(pair), [rr.designs.direct(4)], [opposite])
        for pair in ("ab", "bc", "ac")
    ]
    crowd = rr.crowd.pooled_distribution(names, reports)
    assert [note.code for note in crowd.notes] == ["margins_not_met"]


def test_large_clusters_that_share_attributes_are_refused_with_the_limit():
    wide = [rr.crowd.CrowdAttribute(f"q{index}", 40) for index in range(4)]
    device = rr.channels.UniformChannel((40, 40), 800, 1, 2399)
    reports = [
        rr.crowd.ClusterReports([f"q{index}", f"q{index + 1}"], [device], [[1] * 1600])
        for index in range(3)
    ]
    with pytest.raises(rr.errors.DesignError, match="at most 1048576") as refusal:
        rr.crowd.pooled_distribution(wide, reports)
    assert refusal.value.code == "too_many_cells"
    assert refusal.value.value == 40**4
    apart = rr.crowd.pooled_distribution(wide, [reports[0], reports[2]])
    assert apart.share({"q0": [0], "q3": [0]}, repetitions=19).values[0] == pytest.approx(1 / 1600)


def test_a_cluster_may_name_its_attributes_in_any_order():
    device, counts = BOTH, np.array([[400, 100, 90], [80, 130, 200]])
    crowds = [
        rr.crowd.pooled_distribution(attributes, [habits(device, flat)])
        for attributes in ([SMOKES, DRINKS], [DRINKS, SMOKES])
        for flat in [counts.ravel()]
    ]
    first, second = (crowd.margin(["smokes", "drinks"]) for crowd in crowds)
    assert first == pytest.approx(second)
    assert first == pytest.approx(rr.estimate(device, counts.ravel()).projected().reshape(2, 3))
    for ask in (
        lambda crowd: crowd.mean("drinks"),
        lambda crowd: crowd.regression("drinks", ["smokes"]),
    ):
        assert ask(crowds[0]).values == pytest.approx(ask(crowds[1]).values)
        assert ask(crowds[0]).fitted == pytest.approx(ask(crowds[1]).fitted)


def test_attributes_of_a_large_cluster_are_simulated_by_the_margin_of_its_device(monkeypatch):
    """With a margin and without: the same values, and errors that differ by simulation only.

    Those of a mean have a closed form, which is the same both ways.
    """
    device = rr.channels.joint_design([2, 3, 4], 0.6)
    counts = np.random.default_rng(4).multinomial(3000, device.apply(np.full(24, 1 / 24)))
    reports = [rr.crowd.ClusterReports(["smokes", "drinks", "age"], [device], [counts])]
    crowd = rr.crowd.pooled_distribution([SMOKES, DRINKS, AGE], reports)
    many = {"where": {"smokes": [1]}, "repetitions": 1999}
    margin, mean = crowd.variance("drinks", **many), crowd.mean("drinks", **many)
    assert margin.evidence.simulated.shape == (1999, 1)
    monkeypatch.setattr("rr_engine.crowd.reports.ClusterEstimate.margin", lambda *_: None)
    whole, of_all = crowd.variance("drinks", **many), crowd.mean("drinks", **many)
    assert mean.interval() == pytest.approx(of_all.interval())
    assert mean.standard_errors == pytest.approx(of_all.standard_errors)
    assert margin.values == pytest.approx(whole.values)
    assert margin.fitted == pytest.approx(whole.fitted)
    # Each standard error has one of its own of 1.6 %.
    assert margin.standard_errors == pytest.approx(whole.standard_errors, rel=0.1)
    assert (margin.replicates != whole.replicates).any()


def test_strata_are_pooled_and_products_of_devices_are_clusters():
    devices, counts = [rr.warner(0.75), rr.warner(0.9)], [[560, 440], [280, 120]]
    crowd = rr.crowd.pooled_distribution(
        [SMOKES], [rr.crowd.ClusterReports(["smokes"], devices, counts)]
    )
    pooled = rr.estimate_strata(devices, counts)
    share = crowd.share({"smokes": [1]}, repetitions=1999)
    assert share.values[0] == pytest.approx(pooled.proportions[1])
    assert share.standard_errors[0] == pytest.approx(pooled.standard_errors[1], rel=0.08)
    assert share.n == 1400
    both = rr.channels.ProductChannel((rr.warner(0.8), rr.k_rr(3, 2)))
    joined = rr.crowd.pooled_distribution([SMOKES, DRINKS], [habits(both)])
    found = rr.estimate_joint(both.factors, [[400, 100, 100], [100, 100, 200]])
    assert joined.share({"smokes": [1], "drinks": [2]}).values[0] == pytest.approx(
        found.proportions[1, 2]
    )


def test_shares_are_unbiased_by_enumeration():
    device, truth, n = (
        rr.channels.joint_design([2, 2], 0.6, bits=20),
        np.array([0.4, 0.3, 0.2, 0.1]),
        4,
    )
    names = [rr.crowd.CrowdAttribute("a", 2, (0, 1)), rr.crowd.CrowdAttribute("b", 2, (0, 1))]
    total, covered = np.zeros(2), 0.0
    for counts, chance in outcomes(device.apply(truth), n):
        crowd = rr.crowd.pooled_distribution(
            names, [rr.crowd.ClusterReports(["a", "b"], [device], [counts])]
        )
        both = crowd.share({"a": [1], "b": [1]}, repetitions=19).values[0]
        total += chance * np.array([crowd.mean("a", repetitions=19).values[0], both])
        covered += chance
    assert covered == pytest.approx(1)
    assert total == pytest.approx([0.3, 0.1])


# --- simulated surveys and synthetic data -------------------------------------------------------


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    crowd = rr.crowd.pooled_distribution([AGE], [ages([30, 20, 20, 9])])
    first, again, other = (crowd.variance("age", seed=seed).interval() for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    assert crowd.variance("age").repetitions == 199


def test_simulated_surveys_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch):
    reports = [
        rr.crowd.ClusterReports(["smokes"], [rr.warner(0.8)], [[70, 30]]),
        ages([30, 20, 20, 9]),
    ]
    crowd = rr.crowd.pooled_distribution([SMOKES, AGE], reports)
    whole = crowd.share({"smokes": [1], "age": [0]}).replicates
    monkeypatch.setattr("rr_engine.crowd.computing.CELLS_AT_ONCE", 60)
    assert (crowd.share({"smokes": [1], "age": [0]}).replicates == whole).all()


def test_a_group_that_may_be_empty_is_noted_and_its_interval_is_wide():
    both = rr.channels.joint_design([2, 3], 0.5)
    names = [SMOKES, DRINKS]
    counts = np.rint(1000 * both.apply(np.array([0.4, 0.3, 0.3, 0.0, 0.0, 0.0]))).astype(int)
    reports = [habits(both, counts)]
    crowd = rr.crowd.pooled_distribution(names, reports)
    mean = crowd.mean("drinks", where={"smokes": [1]})
    assert mean.note("small_group")
    assert mean.interval().tolist() == [[0.0, 5.0]]
    nobody = crowd.mean("drinks", where={"smokes": [1], "drinks": []} | {"drinks": [0]})
    assert nobody.note("small_group")


def test_nobody_has_no_value():
    crowd = exactly([SMOKES, DRINKS], [[0.5, 0.3, 0.2], [0, 0, 0]])
    mean = crowd.mean("drinks", where={"smokes": [1]})
    assert np.isnan(mean.values[0])
    assert mean.note("undefined")
    assert mean.interval().tolist() == [[0.0, 5.0]]
    assert np.isinf(mean.standard_errors[0])
    same = crowd.correlation(["smokes", "drinks"])
    assert np.isnan(same.values[0])
    assert same.interval().tolist() == [[-1.0, 1.0]]


def test_synthetic_people_have_the_fitted_distribution():
    reports = [habits(counts=[400, 9, 100, 100, 100, 200]), ages([300, 200, 200, 100])]
    crowd = rr.crowd.pooled_distribution([AGE, SMOKES, DRINKS], reports)
    people = crowd.synthetic(20_000, seed=5)
    assert people.shape == (20_000, 3)
    assert (people == crowd.synthetic(20_000, seed=5)).all()
    for axes in product(range(3), repeat=2):
        if axes[0] >= axes[1]:
            continue
        names = [crowd.attributes[axis].name for axis in axes]
        fitted = crowd.margin(names)
        seen = np.zeros(fitted.shape)
        np.add.at(seen, tuple(people[:, axis] for axis in axes), 1 / len(people))
        error = np.sqrt(fitted * (1 - fitted) / len(people))
        assert (np.abs(seen - fitted) <= 4.5 * error + 1e-12).all()


# --- what does not fit --------------------------------------------------------------------------


def test_a_device_with_other_truths_is_refused():
    with pytest.raises(rr.errors.ArgumentError, match="6 combinations of smokes, drinks"):
        rr.crowd.pooled_distribution([SMOKES, DRINKS], [habits(rr.k_rr(5, 1), [1] * 5)])


def test_a_cluster_without_reports_is_refused():
    with pytest.raises(rr.errors.CountsError, match="one or more reports"):
        rr.crowd.ClusterReports(["smokes"], [rr.warner(0.8)], [[0, 0]])


@pytest.mark.parametrize(
    "condition", [{"drinks": [3]}, {"drinks": []}, {"food": [0]}, {"drinks": ["0"]}, [0]]
)
def test_a_condition_names_categories_of_attributes(crowd, condition):
    with pytest.raises(rr.errors.ArgumentError, match="where"):
        crowd.mean("age", where=condition)


def test_a_number_is_asked_of_an_attribute_with_numbers():
    crowd = exactly([rr.crowd.CrowdAttribute("town", 2), SMOKES], [[1, 2], [3, 4]])
    with pytest.raises(rr.errors.ArgumentError, match="attribute with scores"):
        crowd.mean("town")
    with pytest.raises(rr.errors.ArgumentError, match="other attributes than the outcome"):
        crowd.regression("smokes", ["smokes"])
    with pytest.raises(rr.errors.ArgumentError, match="each once"):
        crowd.correlation(["smokes", "smokes"])


FACTOR = 1.96


def evidence(curve, errors, correlation, rng):
    """Simulated curves whose deviations have exactly these errors at the boundaries."""
    size = len(curve)
    covariance = np.full((size, size), correlation) * np.outer(errors, errors)
    np.fill_diagonal(covariance, np.square(errors))
    draws = rng.standard_normal((400, size))
    draws -= draws.mean(axis=0)
    whitened = draws @ np.linalg.inv(np.linalg.cholesky(draws.T @ draws / len(draws))).T
    roots = np.linalg.cholesky(covariance + 1e-12 * np.eye(size))
    return Evidence(np.array(curve), np.zeros(size), whitened @ roots.T)


def searched(found, places):
    """Where the line is within its own standard errors of zero."""
    at = np.arange(len(found.unbiased))
    # How much of the height at each boundary is in that of the line at a place.
    parts = np.stack([np.interp(places, at, one) for one in np.eye(len(at))])
    squares = found.simulated.T @ found.simulated / len(found.simulated)
    errors = np.sqrt((parts * (squares @ parts)).sum(axis=0))
    near = np.abs(np.interp(places, at, found.unbiased)) <= FACTOR * errors
    return places[near][[0, -1]]


@pytest.mark.parametrize("correlation", [0.0, 0.6])
@pytest.mark.parametrize(
    ("curve", "errors"),
    [
        ([-0.5, -0.1, 0.2, 0.5], [0.001, 0.05, 0.05, 0.001]),
        ([-0.5, -0.4, 0.4, 0.5], [0.001, 0.08, 0.08, 0.001]),
        # A cell below zero: the line falls before it rises.
        ([-0.5, -0.02, -0.06, 0.5], [0.01, 0.05, 0.05, 0.01]),
        # Next to nothing is known.
        ([-0.3, 0.1, 0.0, 0.3], [0.4, 0.4, 0.4, 0.4]),
    ],
)
def test_the_ends_are_those_of_a_search(curve, errors, correlation):
    found = evidence(curve, errors, correlation, np.random.default_rng(4))
    places = np.linspace(0, len(curve) - 1, 60_001)
    ends = _accepted(found, FACTOR)
    assert [ends.min(), ends.max()] == pytest.approx(searched(found, places).tolist(), abs=1e-4)


def test_within_a_bin_the_interval_is_narrower_than_between_those_of_its_ends():
    """Halfway two independent errors are 0.71 of one."""
    found = evidence(
        [-0.5, -0.4, 0.4, 0.5], [0.001, 0.08, 0.08, 0.001], 0.0, np.random.default_rng(4)
    )
    ends = _accepted(found, FACTOR)
    at_the_ends = 2 * FACTOR * 0.08 / 0.8
    assert ends.max() - ends.min() == pytest.approx(at_the_ends / 2**0.5, rel=0.05)
