"""A budget split over questions: closed forms, brute force, certificates and bounds."""

from decimal import Decimal
from itertools import product

import numpy as np
import pytest
from scipy.stats import norm

import rr_engine as rr
from rr_engine.spending import separable
from rr_engine.spending.coupled import PairItem, QuestionItem
from rr_engine.spending.curves import Table, subset_sizes
from rr_engine.spending.questions import pair_table
from rr_engine.spending.separable import smallest_largest, smallest_sum
from tests.engine.engine_cases import refusal

OBJECTIVES = ("largest", "mean", "mean_square")
N = 800


def device_of(share, question):
    if share.device == "k_rr":
        return rr.k_rr(question.categories, share.epsilon / question.options)
    return rr.designs.subset_selection(question.categories, share.epsilon, share.subset_size)


def random_questions(rng, count, **rest):
    return [
        rr.spending.BudgetQuestion(
            size := int(rng.integers(2, 7)),
            tuple(rng.dirichlet(np.ones(size))),
            weight=float(rng.uniform(0.5, 2)),
            **rest,
        )
        for _ in range(count)
    ]


def value_of(objective, questions, margins):
    weights = np.array([question.weight for question in questions])
    if objective == "largest":
        return max(weights * margins)
    return weights @ np.array(margins) ** (2 if objective == "mean_square" else 1) / weights.sum()


def brute_force(objective, questions, grid, total):
    """Return the best value over a grid, from the engine's own devices and margins."""
    tables = [
        [
            min(
                rr.margin_of_error(device(question.categories, epsilon), question.prevalence, N)
                for device in (rr.k_rr, rr.designs.subset_selection)
            )
            for epsilon in grid
        ]
        for question in questions
    ]
    places = [
        places
        for places in product(range(len(grid)), repeat=len(questions))
        if sum(grid[place] for place in places) <= total
    ]
    return min(
        value_of(objective, questions, [t[p] for t, p in zip(tables, chosen, strict=True)])
        for chosen in places
    )


# --- closed forms --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_margins_are_those_of_the_devices(seed):
    questions = random_questions(np.random.default_rng(seed), 5)
    split = rr.spending.split_budget(questions, 6, N, objective=OBJECTIVES[seed % 3])
    pairs = zip(split.questions, split.even, strict=True)
    for question, shares in zip(questions, pairs, strict=True):
        for share in shares:
            margin = rr.margin_of_error(device_of(share, question), question.prevalence, N)
            assert share.margin == pytest.approx(margin, rel=1e-9)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_one_share_counts_alone_and_none_is_even(prevalence):
    share = rr.spending.split_budget(
        [rr.spending.BudgetQuestion(4, prevalence, devices=("k_rr",))], "1.5", N
    ).questions[0]
    expected = rr.margin_of_error(rr.k_rr(4, "1.5"), 0.25 if prevalence is None else prevalence, N)
    assert (share.epsilon, share.margin) == (Decimal("1.50"), pytest.approx(expected, rel=1e-9))


def test_options_share_the_epsilon():
    question = rr.spending.BudgetQuestion(
        options=4, prevalence=(0.1, 0.2, 0.5, 0.9), devices=("k_rr",)
    )
    share = rr.spending.split_budget([question], 4, N).questions[0]
    assert share.margin == pytest.approx(rr.margin_of_error(rr.k_rr(2, 1), 0.5, N), rel=1e-9)


@pytest.mark.parametrize("size", [2, 3, 7, 20, 49])
def test_subset_sizes_are_those_of_subset_selection(size):
    epsilons = [Decimal(step) / 7 for step in range(1, 40)]
    expected = [rr.designs.best_subset_size(size, str(epsilon)[:12]) for epsilon in epsilons]
    assert subset_sizes(size, np.array([float(e) for e in epsilons])).tolist() == expected


@pytest.mark.parametrize("seed", range(4))
def test_the_margin_of_a_pair_is_that_of_the_product(seed):
    rng = np.random.default_rng(seed)
    questions = [rr.spending.BudgetQuestion(3), rr.spending.BudgetQuestion(5)]
    table = rng.dirichlet(np.ones(15)).reshape(3, 5)
    split = rr.spending.split_budget(questions, 2, N, pairs=[rr.spending.BudgetPair(0, 1, table)])
    designs = [device_of(s, q) for s, q in zip(split.questions, questions, strict=True)]
    channel = rr.channels.ProductChannel(designs)
    expected = rr.margin_of_error(channel, table.ravel(), N)
    assert split.pair_margins[0] == pytest.approx(expected, rel=1e-9)


def test_logarithms_of_variances_are_convex_and_slopes_right():
    rng = np.random.default_rng(5)
    items = [
        QuestionItem((1,), 1.0, 6, 1, rng.dirichlet(np.ones(6))),
        PairItem((0, 1), 1.0, rng.dirichlet(np.ones(24)).reshape(4, 6)),
    ]
    for item, sizes in product(items, ([1, 1], [2, 3], [1, 2])):
        for _ in range(20):
            ends = rng.uniform(0.05, 5, (2, 2))
            logs = [np.log(item.variance(e, sizes)[0]) for e in (*ends, ends.mean(axis=0))]
            assert logs[2] <= (logs[0] + logs[1]) / 2 + 1e-9
            variance, slopes = item.variance(ends[0], sizes)
            for axis, slope in zip(item.axes, slopes, strict=True):
                moved = ends[0].copy()
                moved[axis] += 1e-6
                nearby = item.variance(moved, sizes)[0]
                assert (nearby - variance) / 1e-6 == pytest.approx(slope, rel=1e-3)


# --- the best split ------------------------------------------------------------------------------


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_no_split_of_a_grid_is_better(objective, count):
    questions = random_questions(np.random.default_rng(count), count, least="0.25", most=2)
    grid = [Decimal("0.25") * step for step in range(1, 9)]
    best = brute_force(objective, questions, grid, Decimal(count) * 3 / 4)
    split = rr.spending.split_budget(questions, Decimal(count) * 3 / 4, N, objective, step="0.25")
    assert split.value == pytest.approx(best, rel=0.01)
    assert split.certificate.bound <= best * (1 + 1e-9)
    fine = rr.spending.split_budget(questions, Decimal(count) * 3 / 4, N, objective)
    assert fine.value <= best * (1 + 1e-9)


def value_with_pairs(objective, questions, pairs, epsilons):
    """Return the objective of k-ary randomized response; the variances are tested above."""
    items = [
        QuestionItem((i,), 1.0, question.categories, 1, question.shares)
        for i, question in enumerate(questions)
    ] + [PairItem((p.first, p.second), 1.0, pair_table(p, questions)) for p in pairs]
    variances = [item.variance(epsilons, [1, 1, 1])[0] for item in items]
    margins = norm.ppf(0.975) * np.sqrt(np.array(variances) / N)
    return value_of(objective, [*questions, *pairs], margins)


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_with_pairs_no_split_of_a_grid_is_better(objective):
    questions = random_questions(np.random.default_rng(8), 3, devices=("k_rr",))
    pairs = [rr.spending.BudgetPair(0, 1, weight=2), rr.spending.BudgetPair(1, 2)]
    best = min(
        value_with_pairs(objective, questions, pairs, np.array(steps) / 4)
        for steps in product(range(1, 11), repeat=3)
        if sum(steps) <= 12
    )
    split = rr.spending.split_budget(questions, 3, N, objective, pairs)
    assert split.value <= best * 1.0001
    assert split.certificate.bound <= split.value
    assert split.certificate.gap <= 0.01 * split.value
    assert split.value < split.even_value


@pytest.mark.parametrize("seed", range(12))
def test_never_worse_than_the_even_split_and_within_the_bounds(seed):
    rng = np.random.default_rng(seed)
    questions = random_questions(rng, 4, least="0.1", most="1.5")
    pairs = [rr.spending.BudgetPair(0, 3)] if seed % 2 else []
    total = Decimal(str(round(float(rng.uniform(0.4, 7)), 2)))
    split = rr.spending.split_budget(questions, total, N, OBJECTIVES[seed % 3], pairs)
    assert split.value <= split.even_value
    assert split.total <= total
    assert sum(share.epsilon for share in split.even) <= total
    for share in split.questions:
        assert Decimal("0.1") <= share.epsilon <= Decimal("1.5")
        assert share.epsilon % Decimal("0.01") == 0
    margins = [*(share.margin for share in split.questions), *split.pair_margins]
    value = value_of(split.objective, [*questions, *pairs], margins)
    assert split.value == pytest.approx(value, rel=1e-12)
    assert split.certificate.gap <= 0.01 * split.value


def test_a_smaller_largest_margin_takes_what_the_certificate_says():
    questions = random_questions(np.random.default_rng(2), 5)
    split = rr.spending.split_budget(questions, 4, N)
    assert split.certificate.gap == 0
    targets = [split.value * (1 - 1e-9) / question.weight for question in questions]
    smallest = rr.spending.smallest_budget(questions, N, targets)
    assert smallest.total == split.certificate.needed
    assert smallest.total > 4


def test_no_step_moved_between_questions_lowers_the_mean():
    questions = random_questions(np.random.default_rng(4), 4)
    split = rr.spending.split_budget(questions, 4, N, "mean")
    weights = np.array([question.weight for question in questions])

    def gain(index, steps):
        epsilon = split.questions[index].epsilon + Decimal("0.01") * steps
        share = rr.spending.split_budget([questions[index]], epsilon, N).questions[0]
        return weights[index] * (split.questions[index].margin - share.margin) / weights.sum()

    price = split.certificate.price * 0.01
    for index in range(4):
        assert gain(index, 1) <= price * (1 + 1e-6)
        assert -gain(index, -1) >= price * (1 - 1e-6)


def test_what_has_no_weight_gets_the_least():
    questions = [
        rr.spending.BudgetQuestion(3),
        rr.spending.BudgetQuestion(3, weight=0, least="0.2"),
    ]
    for objective in ("mean", "mean_square"):
        split = rr.spending.split_budget(questions, 2, N, objective)
        assert [str(share.epsilon) for share in split.questions] == ["1.80", "0.20"]


def test_a_question_at_its_largest_epsilon_leaves_the_rest_to_the_others():
    questions = [
        rr.spending.BudgetQuestion(9, most=1),
        rr.spending.BudgetQuestion(2),
        rr.spending.BudgetQuestion(2),
    ]
    split = rr.spending.split_budget(questions, 5, N)
    assert [str(share.epsilon) for share in split.questions] == ["1.00", "2.00", "2.00"]
    assert split.certificate.needed is None


def test_a_device_of_epsilon_is_used_where_it_is_better():
    shares = (0.1, 0.2, 0.3, 0.4)
    device = rr.spending.DeviceOfEpsilon("laplace", lambda epsilon: rr.designs.laplace(4, epsilon))
    split = rr.spending.split_budget(
        [rr.spending.BudgetQuestion(4, shares, devices=(device,))], 2, N
    )
    assert split.questions[0].device == "laplace"
    assert split.questions[0].subset_size is None
    expected = rr.margin_of_error(rr.designs.laplace(4, 2), shares, N)
    assert split.questions[0].margin == pytest.approx(expected)
    both = rr.spending.split_budget(
        [rr.spending.BudgetQuestion(4, shares, devices=("k_rr", device))], 2, N
    )
    assert both.questions[0].margin <= split.questions[0].margin


def test_a_curve_of_margins_is_interpolated_between_its_ends():
    epsilons = [Decimal(step) / 4 for step in range(1, 17)]
    margins = [rr.margin_of_error(rr.k_rr(5, e), [0.2] * 5, N) for e in epsilons]
    curve = rr.spending.MarginCurve("measured", epsilons, margins)
    questions = [rr.spending.BudgetQuestion(5, devices=(curve,)), rr.spending.BudgetQuestion(2)]
    plain = [rr.spending.BudgetQuestion(5, devices=("k_rr",)), rr.spending.BudgetQuestion(2)]
    measured, exact = (rr.spending.split_budget(asked, 3, N) for asked in (questions, plain))
    assert measured.questions[0].device == "measured"
    assert measured.value == pytest.approx(exact.value, rel=0.01)
    alone = rr.spending.split_budget(questions[:1], 8, N).questions[0]
    assert (alone.epsilon, alone.margin) == (4, pytest.approx(margins[-1], rel=1e-9))
    for rising, positive in (([], []), ([1, 1], [0.2, 0.1]), ([1, 2], [0.1, 0]), ([1, 2], [0.1])):
        with pytest.raises(rr.EngineError):
            rr.spending.MarginCurve("measured", rising, positive)


def table_of_margins(values):
    values = np.array(values, dtype=float)
    places = np.arange(len(values))
    return Table(places + 1, values, places * 0, 1, ())


def test_margins_that_are_not_convex_are_bounded_too(monkeypatch):
    rng = np.random.default_rng(9)
    for _ in range(30):
        tables = [table_of_margins(np.sort(rng.uniform(0, 1, 7))[::-1]) for _ in range(3)]
        weights, total = np.ones(3), 11
        splits = [p for p in product(range(7), repeat=3) if sum(p) + 3 <= total]
        margins = np.array([[t.margins[i] for t, i in zip(tables, p, strict=True)] for p in splits])
        chosen = smallest_sum(tables, [table.margins for table in tables], total)
        value = sum(t.margins[i] for t, i in zip(tables, chosen.places, strict=True))
        best = margins.sum(axis=1).min()
        assert chosen.bound <= best + 1e-12
        assert value == pytest.approx(best, rel=1e-12)
        monkeypatch.setattr(separable, "MOST_WORK", 0)
        chosen = smallest_sum(tables, [table.margins for table in tables], total)
        value = sum(t.margins[i] for t, i in zip(tables, chosen.places, strict=True))
        # One segment of one hull at most lies between them (Shapley and Folkman).
        longest = max(table.margins[0] - table.margins[-1] for table in tables)
        assert chosen.bound <= best + 1e-12
        assert best - 1e-12 <= value <= chosen.bound + longest
        monkeypatch.undo()
        largest = smallest_largest(tables, weights, total)
        assert largest.bound == pytest.approx(margins.max(axis=1).min())


# --- the smallest budget -------------------------------------------------------------------------


def test_one_step_less_misses_a_margin():
    questions = random_questions(np.random.default_rng(6), 4, devices=("k_rr",))
    margins = [0.05, 0.06, None, 0.08]
    plan = rr.spending.smallest_budget(questions, 2000, margins, step="0.0001")
    for question, share, margin in zip(questions, plan.questions, margins, strict=True):
        if margin is None:
            assert share.epsilon == Decimal("0.01")
        else:
            assert share.epsilon == rr.planning.solve_epsilon(
                question.categories, question.prevalence, margin, 2000
            )


def test_pairs_make_the_smallest_budget_larger_and_are_reached():
    questions = [
        rr.spending.BudgetQuestion(2, 0.1),
        rr.spending.BudgetQuestion(4),
        rr.spending.BudgetQuestion(3),
    ]
    alone = rr.spending.smallest_budget(questions, 1500, 0.05)
    plan = rr.spending.smallest_budget(questions, 1500, 0.05, [rr.spending.BudgetPair(0, 1)])
    assert max(*(share.margin for share in plan.questions), *plan.pair_margins) <= 0.05
    assert alone.total < plan.total
    assert plan.bound <= float(plan.total) <= plan.bound + 0.03
    # What the bound says cannot be had is not had by any split of a coarse grid either.
    shares = rr.spending.split_budget(
        questions, str(round(plan.bound - 0.01, 2)), 1500, pairs=[rr.spending.BudgetPair(0, 1)]
    )
    assert shares.value > 0.05
    assert shares.certificate.bound > 0.0499


# --- what is refused -----------------------------------------------------------------------------


DEVICES = "k_rr, subset_selection, DeviceOfEpsilon or MarginCurve"


@pytest.mark.parametrize(
    ("arguments", "argument", "words"),
    [
        ({"categories": 1}, "categories", "at least 2"),
        ({"options": 3, "categories": 3}, "categories", "be 2 for each of several options"),
        ({"options": 3, "prevalence": [0.1, 0.2]}, "prevalence", "hold 3 shares"),
        ({"prevalence": [0.5, 0.6]}, "prevalence", "sum to 1"),
        ({"weight": -1}, "weight", "from 0 to 1e+06"),
        *[({"devices": devices}, "devices", DEVICES) for devices in ((), ("warner",), "k_rr")],
        ({"least": 2, "most": 1}, "least", "at most the largest, 1"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(arguments, argument, words):
    error = refusal(rr.spending.BudgetQuestion, **arguments)
    assert error.argument == argument
    assert words in str(error)


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"questions": []}, "questions", "not_questions"),
        ({"questions": [1]}, "questions", "not_questions"),
        ({"questions": [rr.spending.BudgetQuestion(weight=0)]}, "questions", "weights_do_not_fit"),
        ({"pairs": [(0, 1)]}, "pairs", "not_budget_pairs"),
        ({"pairs": [rr.spending.BudgetPair(0, 2)]}, "pairs", "out_of_range"),
        ({"pairs": [rr.spending.BudgetPair(0, 1, [[1]])]}, "prevalence", "not_numbers"),
        ({"epsilon": "0.01"}, "epsilon", "epsilon_too_small"),
        ({"step": 3}, "step", "out_of_range"),
        ({"step": "0.0000001"}, "step", "out_of_range"),
        ({"objective": "best"}, "objective", "unknown_choice"),
        ({"n": 0}, "n", "out_of_range"),
    ],
)
def test_a_split_that_makes_no_sense_is_refused(arguments, argument, code):
    valid = {
        "questions": [rr.spending.BudgetQuestion(), rr.spending.BudgetQuestion(3)],
        "epsilon": 2,
        "n": 100,
    }
    caught = refusal(rr.spending.split_budget, **valid | arguments)
    assert (caught.argument, caught.code) == (argument, code)


def test_pairs_of_devices_without_a_form_are_refused():
    device = rr.spending.DeviceOfEpsilon("laplace", lambda epsilon: rr.designs.laplace(3, epsilon))
    for question in (
        rr.spending.BudgetQuestion(3, devices=(device,)),
        rr.spending.BudgetQuestion(options=2),
    ):
        with pytest.raises(rr.EngineError, match="one answer and devices among"):
            rr.spending.split_budget(
                [question, rr.spending.BudgetQuestion()],
                2,
                100,
                pairs=[rr.spending.BudgetPair(0, 1)],
            )
    with pytest.raises(rr.EngineError, match="another question"):
        rr.spending.BudgetPair(1, 1)


def test_devices_that_exist_nowhere_are_refused():
    device = rr.spending.DeviceOfEpsilon("none", lambda epsilon: rr.k_rr(3, -1))
    error = refusal(
        rr.spending.split_budget, [rr.spending.BudgetQuestion(3, devices=(device,))], 2, 100
    )
    assert error.code == "no_feasible_device"
    for name, build in (("", rr.k_rr), ("x", 1)):
        refusal(rr.spending.DeviceOfEpsilon, name, build)


@pytest.mark.parametrize(
    ("margins", "code"), [(0, "not_positive"), ([0.1], "not_numbers"), (1e-6, "margin_unreachable")]
)
def test_margins_out_of_reach_are_refused(margins, code):
    questions, pair = (
        [rr.spending.BudgetQuestion(), rr.spending.BudgetQuestion(3)],
        rr.spending.BudgetPair(0, 1),
    )
    for pairs in ((), (pair,)):
        error = refusal(rr.spending.smallest_budget, questions, 100, margins, pairs)
        assert (error.argument, error.code) == ("margins", code)
    error = refusal(rr.spending.smallest_budget, questions, 100, [None, None, 0.001], [pair])
    assert error.code == "margin_unreachable"
