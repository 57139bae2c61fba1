"""A crowd whose pairs of questions were measured by the same people, against cross-tables.

The reports of one person are drawn together here, person by person, so that nothing rests on the
engine's own simulations but the devices' tables.
"""

from itertools import combinations

import numpy as np
import pytest

from rr_engine import (
    ArgumentError,
    ClusterReports,
    CrowdAttribute,
    DesignError,
    DesignMatrix,
    ProductChannel,
    direct,
    estimate,
    estimate_joint,
    estimate_joint_strata,
    forced_response,
    joint_design,
    k_rr,
    mean_of_answered,
    pooled_distribution,
    subset_selection,
)

SURVEYS, MADE_UP = 300, 20_000


class Survey:
    """Questions with associations between any two of them, and people who answer to devices.

    `ways`: the devices of each stratum. `skipped`: the share of people who leave out a question.
    """

    def __init__(self, generator, sizes, ways, n, strength=0.8, skipped=0.0):
        self.sizes, self.ways = sizes, ways
        self.names = [f"q{number}" for number in range(len(sizes))]
        logits = np.zeros(sizes)
        for pair in combinations(range(len(sizes)), 2):
            shape = [size if axis in pair else 1 for axis, size in enumerate(sizes)]
            logits = logits + generator.normal(0, strength, shape)
        self.table = np.exp(logits) / np.exp(logits).sum()
        cells = generator.choice(self.table.size, size=n, p=self.table.ravel())
        self.truths = np.array(np.unravel_index(cells, sizes))
        self.stratum = generator.integers(len(ways), size=n)
        self.reports = np.empty_like(self.truths)
        for question in range(len(sizes)):
            for number, devices in enumerate(ways):
                used = self.stratum == number
                ends = np.cumsum(devices[question].matrix, axis=0)[:, self.truths[question][used]]
                chances = generator.random(used.sum())
                self.reports[question][used] = (chances >= ends[:-1]).sum(axis=0)
        self.left_out = generator.random(self.truths.shape) < skipped

    def counts(self, *questions):
        """Return for each stratum the table of the reports to these questions."""
        answered = ~self.left_out[list(questions)].any(axis=0)
        found = []
        for number, devices in enumerate(self.ways):
            shape = [devices[question].tally_size for question in questions]
            table = np.zeros(shape, dtype=int)
            used = answered & (self.stratum == number)
            np.add.at(table, tuple(self.reports[question][used] for question in questions), 1)
            found.append(table)
        return found

    def crowd(self):
        attributes = [
            CrowdAttribute(name, size, tuple(range(size)))
            for name, size in zip(self.names, self.sizes, strict=True)
        ]
        alone = [
            ClusterReports([name], [devices[q] for devices in self.ways], self.counts(q))
            for q, name in enumerate(self.names)
        ]
        return pooled_distribution(attributes, alone, self.pairs())

    def pairs(self):
        return [
            ClusterReports(
                [self.names[first], self.names[second]],
                [ProductChannel((devices[first], devices[second])) for devices in self.ways],
                [table.ravel() for table in self.counts(first, second)],
            )
            for first, second in combinations(range(len(self.sizes)), 2)
        ]

    def cross_table(self, first, second):
        """The estimate that a declared cross-table has."""
        designs = [(devices[first], devices[second]) for devices in self.ways]
        tables = self.counts(first, second)
        if len(designs) == 1:
            return estimate_joint(designs[0], tables[0])
        return estimate_joint_strata(designs, tables)


def some_device(generator, size):
    """One of the devices that a question of so many answers can have, or none."""
    epsilon = generator.uniform(0.7, 3)
    choices = [lambda: direct(size), lambda: k_rr(size, epsilon)]
    if size == 2:
        choices.append(lambda: DesignMatrix(forced_response(0.7, 0.2).matrix))
    elif size > 3:
        choices.append(lambda: subset_selection(size, epsilon))
    return choices[generator.integers(len(choices))]()


def random_survey(generator):
    sizes = tuple(generator.integers(2, 5, size=3).tolist())
    strata = generator.choice([1, 1, 2, 3])
    ways = [[some_device(generator, size) for size in sizes] for _ in range(strata)]
    n = int(generator.integers(400, 4000))
    skipped = generator.choice([0, 0, 0.03])
    return Survey(generator, sizes, ways, n, skipped=skipped)


@pytest.mark.slow
def test_crowd_cross_table_and_synthetic_data_agree_on_random_surveys():
    """Within three standard errors, in every cell of every pair. The truth is within three in all
    but as many cells as chance leaves out: 0.3 %, and at most 1 % in so many.
    """
    generator = np.random.default_rng(4300)
    missed = cells = 0
    for number in range(SURVEYS):
        survey = random_survey(generator)
        crowd = survey.crowd()
        people = crowd.synthetic(MADE_UP, number)
        for first, second in combinations(range(3), 2):
            found = survey.cross_table(first, second)
            shares, errors = found.proportions, found.standard_errors
            names = survey.names[first], survey.names[second]
            # As one question in each answer to the other, times how many gave that.
            within = crowd.conditional_table(*names, repetitions=19).values
            both = within.reshape(shares.T.shape).T * shares.sum(axis=0)
            # A group with an estimate of no people or fewer has no shares.
            there = shares.sum(axis=0) > 0
            assert (abs(both - shares) <= 3 * errors)[:, there].all(), number
            drawn = np.zeros(shares.shape)
            np.add.at(drawn, (people[:, first], people[:, second]), 1 / MADE_UP)
            of_drawing = np.sqrt(drawn * (1 - drawn) / MADE_UP)
            # Nobody can be made up where fewer than none are estimated.
            apart = abs(drawn - np.maximum(shares, 0))
            assert (apart <= 3 * np.hypot(errors, of_drawing) + 1e-3).all(), number
            truth = survey.table.sum(axis=3 - first - second)
            missed += (abs(shares - truth) > 3 * errors).sum()
            cells += truth.size
    assert missed <= 0.01 * cells


def test_a_pair_is_the_cross_table_and_its_errors_those_of_the_estimate():
    generator = np.random.default_rng(4301)
    survey = Survey(generator, (2, 3), [[k_rr(2, 1.5), direct(3)]], 900)
    crowd, found = survey.crowd(), survey.cross_table(0, 1)
    for i, j in np.ndindex(2, 3):
        share = crowd.share({"q0": [i], "q1": [j]})
        assert share.values[0] == pytest.approx(found.proportions[i, j], abs=1e-12)
        assert share.standard_errors[0] == pytest.approx(found.standard_errors[i, j])
        assert share.repetitions == 0
        assert not share.note("independent_by_assumption")
    within = crowd.conditional_table("q0", "q1")
    shares = found.proportions / found.proportions.sum(axis=0)
    assert within.values.reshape(3, 2) == pytest.approx(shares.T, abs=1e-12)
    # Fieller's ends are where the shares are off by so many of their errors.
    for value, (low, high) in zip(within.values, within.interval(), strict=True):
        assert low < value < high


def test_shares_and_means_of_everybody_have_the_closed_forms_of_the_estimates():
    device, counts = k_rr(4, 1.2), np.array([300, 240, 150, 110])
    scores = (1, 2, 3, None)
    crowd = pooled_distribution(
        [CrowdAttribute("q", 4, scores)], [ClusterReports(["q"], [device], [counts])]
    )
    found = estimate(device, counts)
    for category, ends in enumerate(found.interval(method="default")):
        share = crowd.share({"q": [category]})
        assert share.interval()[0] == pytest.approx(ends)
        assert share.standard_errors[0] == pytest.approx(found.standard_errors[category])
    two = crowd.share({"q": [0, 2]})
    assert two.standard_errors[0] ** 2 == pytest.approx(
        found.covariance_of([1, 0, 1, 0], [1, 0, 1, 0])
    )
    mean, known = crowd.mean("q"), mean_of_answered(found, scores[:3])
    assert mean.values[0] == pytest.approx(known.value)
    assert mean.standard_errors[0] == pytest.approx(known.standard_error)
    assert mean.repetitions == 0


def test_three_questions_have_the_distribution_of_largest_entropy_with_all_pairs():
    """With no noise: the truth, where no three of them are related otherwise than by two."""
    generator = np.random.default_rng(4302)
    survey = Survey(generator, (2, 3, 2), [[direct(2), direct(3), direct(2)]], 10)
    counts = np.rint(survey.table * 10**9).astype(np.int64)
    attributes = [CrowdAttribute(f"q{q}", size, range(size)) for q, size in enumerate((2, 3, 2))]
    alone = [
        ClusterReports([f"q{q}"], [direct(size)], [counts.sum(axis=tuple({0, 1, 2} - {q}))])
        for q, size in enumerate((2, 3, 2))
    ]
    pairs = [
        ClusterReports(
            [f"q{i}", f"q{j}"],
            [ProductChannel((direct(counts.shape[i]), direct(counts.shape[j])))],
            [counts.sum(axis=3 - i - j).ravel()],
        )
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    crowd = pooled_distribution(attributes, alone, pairs)
    assert crowd.margin(["q0", "q1", "q2"]) == pytest.approx(survey.table, abs=1e-6)
    found = crowd.share({"q0": [1]}, where={"q1": [2], "q2": [0]}, repetitions=19)
    group = survey.table[:, 2, 0]
    assert found.values[0] == pytest.approx(group[1] / group.sum(), abs=1e-5)
    people = crowd.synthetic(200_000)
    drawn = np.zeros(survey.table.shape)
    np.add.at(drawn, tuple(people.T), 1 / len(people))
    assert drawn == pytest.approx(survey.table, abs=5 * np.sqrt(0.25 / len(people)))


def test_a_question_of_a_group_is_related_to_one_outside_and_the_group_keeps_its_own_table():
    generator = np.random.default_rng(4303)
    truth = Survey(generator, (2, 2, 3), [[direct(2), direct(2), direct(3)]], 40_000, strength=1)
    group, alone = joint_design([2, 2], 0.75), k_rr(3, 2)
    n = truth.truths.shape[1]
    cells = np.ravel_multi_index(tuple(truth.truths[:2]), (2, 2))
    ends = [np.cumsum(d.matrix, axis=0) for d in (group, alone)]
    sent = (generator.random(n) >= ends[0][:-1, cells]).sum(axis=0)
    other = (generator.random(n) >= ends[1][:-1, truth.truths[2]]).sum(axis=0)
    parts = np.array(np.unravel_index(sent, (2, 2)))
    channel = group.margin([0])
    attributes = [CrowdAttribute(f"q{q}", size, range(size)) for q, size in enumerate((2, 2, 3))]
    pairs = []
    for q in (0, 1):
        table = np.zeros((2, 3), dtype=int)
        np.add.at(table, (parts[q], other), 1)
        pairs.append(
            ClusterReports([f"q{q}", "q2"], [ProductChannel((channel, alone))], [table.ravel()])
        )
    crowd = pooled_distribution(
        attributes,
        [
            ClusterReports(["q0", "q1"], [group], [np.bincount(sent, minlength=4)]),
            ClusterReports(["q2"], [alone], [np.bincount(other, minlength=3)]),
        ],
        pairs,
    )
    assert crowd.share({"q0": [1], "q1": [1]}).repetitions == 0
    for statistic, expected in (
        (crowd.share({"q0": [1], "q2": [2]}), truth.table[1, :, 2].sum()),
        (crowd.share({"q0": [1], "q1": [0], "q2": [2]}), truth.table[1, 0, 2]),
        (
            crowd.mean("q2", where={"q0": [1], "q1": [1]}),
            truth.table[1, 1] @ [0, 1, 2] / truth.table[1, 1].sum(),
        ),
    ):
        assert abs(statistic.values[0] - expected) <= 4 * statistic.standard_errors[0]
        assert not statistic.note("independent_by_assumption")
    people = crowd.synthetic(50_000)
    assert people[:, :2].mean(axis=0) == pytest.approx(
        [crowd.mean(name).values[0] for name in ("q0", "q1")], abs=0.01
    )


@pytest.mark.slow
def test_intervals_of_statistics_across_pairs_cover():
    """Each in 80 surveys; four standard errors of a share of these below 95 %."""
    surveys, generator = 80, np.random.default_rng(4304)
    devices = [k_rr(2, 2), direct(3), k_rr(2, 1.5)]
    table = Survey(generator, (2, 3, 2), [devices], 10).table
    statistics = {
        "correlation": lambda crowd: crowd.correlation(["q0", "q1"], repetitions=39),
        "share": lambda crowd: crowd.share({"q0": [1], "q1": [2], "q2": [1]}, repetitions=39),
        "within": lambda crowd: crowd.share({"q0": [1]}, where={"q1": [0]}),
        "mean": lambda crowd: crowd.mean("q1", where={"q2": [1]}),
        "slope": lambda crowd: crowd.regression("q1", ["q0", "q2"], repetitions=39),
    }
    exact = pooled_distribution(
        [CrowdAttribute(f"q{q}", size, range(size)) for q, size in enumerate((2, 3, 2))],
        [
            ClusterReports(
                ["q0", "q1", "q2"], [direct(12)], [np.rint(table.ravel() * 10**12).astype(int)]
            )
        ],
    )
    hits = dict.fromkeys(statistics, 0)
    truths = {name: find(exact).values[-1] for name, find in statistics.items()}
    for _ in range(surveys):
        survey = Survey(generator, (2, 3, 2), [devices], 1500, strength=0)
        cells = generator.choice(12, size=1500, p=table.ravel())
        survey.truths = np.array(np.unravel_index(cells, (2, 3, 2)))
        for q, device in enumerate(devices):
            ends = np.cumsum(device.matrix, axis=0)[:-1, survey.truths[q]]
            survey.reports[q] = (generator.random(1500) >= ends).sum(axis=0)
        crowd = survey.crowd()
        for name, find in statistics.items():
            low, high = find(crowd).interval()[-1]
            hits[name] += low <= truths[name] <= high
    least = 0.95 - 4 * np.sqrt(0.95 * 0.05 / surveys)
    assert min(hits.values()) / surveys >= least, hits
    assert np.mean(list(hits.values())) / surveys <= 0.985, hits


def test_attributes_whose_pair_was_not_measured_are_noted():
    survey = Survey(np.random.default_rng(4305), (2, 2, 2), [[k_rr(2, 2)] * 3], 500)
    attributes = [CrowdAttribute(f"q{q}", 2, (0, 1)) for q in range(3)]
    alone = [ClusterReports([f"q{q}"], [k_rr(2, 2)], survey.counts(q)) for q in range(3)]
    crowd = pooled_distribution(attributes, alone, survey.pairs()[:2])
    assert not crowd.share({"q0": [1], "q1": [1]}).note("independent_by_assumption")
    three = crowd.share({"q0": [1], "q1": [1], "q2": [1]}, repetitions=19)
    assert three.note("independent_by_assumption")
    two = crowd.share({"q1": [1], "q2": [1]}, repetitions=19)
    assert two.note("independent_by_assumption")
    assert crowd.synthetic(10, names=["q2", "q0"]).shape == (10, 2)


def test_pairs_that_are_none_are_refused():
    survey = Survey(np.random.default_rng(4306), (2, 2), [[k_rr(2, 2)] * 2], 100)
    attributes = [CrowdAttribute(f"q{q}", 2, (0, 1)) for q in range(2)]
    alone = [ClusterReports([f"q{q}"], [k_rr(2, 2)], survey.counts(q)) for q in range(2)]
    (pair,) = survey.pairs()
    together = ClusterReports(["q0", "q1"], [joint_design([2, 2], 0.8)], pair.counts)
    for clusters, pairs in (
        (alone, [pair, pair]),
        (alone, [together]),
        (alone, [alone[0]]),
        (alone[:1], [pair]),
        ([together], [pair]),
    ):
        with pytest.raises(ArgumentError) as refused:
            pooled_distribution(attributes, clusters, pairs)
        assert refused.value.code == "not_pairs"
    with pytest.raises(ArgumentError):
        pooled_distribution(attributes, alone, "pairs")


def test_a_joint_table_that_would_be_too_large_is_refused_with_the_limit():
    sizes, people = (50, 50, 50, 50), 300
    device = direct(50)
    survey = Survey(np.random.default_rng(1), (2,), [[direct(2)]], people)
    survey.sizes, survey.names = sizes, [f"q{q}" for q in range(4)]
    survey.ways, survey.stratum = [[device] * 4], np.zeros(people, dtype=int)
    survey.reports = np.random.default_rng(2).integers(50, size=(4, people))
    survey.left_out = np.zeros((4, people), dtype=bool)
    crowd = survey.crowd()
    crowd.share({"q0": [1], "q1": [1]}, repetitions=19)
    with pytest.raises(DesignError, match="at most 1048576") as refusal:
        crowd.share({name: [1] for name in survey.names}, repetitions=19)
    assert refusal.value.code == "too_many_cells"
