"""A crowd whose pairs of questions were measured by the same people, against cross-tables.

The reports of one person are drawn together here, person by person, so that nothing rests on the
engine's own simulations but the devices' tables.
"""

from itertools import combinations

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import refusal

SURVEYS, MADE_UP = 150, 20_000


def attributes_of(sizes):
    return [rr.crowd.CrowdAttribute(f"q{q}", size, range(size)) for q, size in enumerate(sizes)]


def table_of(shape, *reports):
    """Count the people of each combination of reports."""
    table = np.zeros(shape, dtype=int)
    np.add.at(table, reports, 1)
    return table


def send(generator, device, truths):
    """Draw one report of each person by the columns of the device's table."""
    ends = np.cumsum(device.matrix, axis=0)[:-1, truths]
    return (generator.random(len(truths)) >= ends).sum(axis=0)


class Survey:
    """Questions with associations between any two of them, and people who answer to devices.

    `ways`: the devices of each stratum. `skipped`: the share of people who leave out a question.
    `table`: shares of all combinations of answers, drawn with this strength where not given.
    """

    def __init__(self, generator, sizes, ways, n, strength=0.8, skipped=0.0, table=None):
        self.sizes, self.ways, self.table = sizes, ways, table
        self.names = [f"q{number}" for number in range(len(sizes))]
        if table is None:
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
                sent = send(generator, devices[question], self.truths[question][used])
                self.reports[question][used] = sent
        self.left_out = generator.random(self.truths.shape) < skipped

    def counts(self, *questions):
        """Return for each stratum the table of the reports to these questions."""
        answered = ~self.left_out[list(questions)].any(axis=0)
        return [
            table_of(
                [devices[question].tally_size for question in questions],
                *(self.reports[q][answered & (self.stratum == number)] for q in questions),
            )
            for number, devices in enumerate(self.ways)
        ]

    def crowd(self):
        return rr.crowd.pooled_distribution(attributes_of(self.sizes), self.alone(), self.pairs())

    def alone(self):
        return [
            rr.crowd.ClusterReports([name], [devices[q] for devices in self.ways], self.counts(q))
            for q, name in enumerate(self.names)
        ]

    def pairs(self):
        return [
            rr.crowd.ClusterReports(
                [self.names[first], self.names[second]],
                [
                    rr.channels.ProductChannel((devices[first], devices[second]))
                    for devices in self.ways
                ],
                [table.ravel() for table in self.counts(first, second)],
            )
            for first, second in combinations(range(len(self.sizes)), 2)
        ]

    def cross_table(self, first, second):
        """The estimate that a declared cross-table has."""
        designs = [(devices[first], devices[second]) for devices in self.ways]
        tables = self.counts(first, second)
        if len(designs) == 1:
            return rr.estimate_joint(designs[0], tables[0])
        return rr.joint.estimate_joint_strata(designs, tables)


def some_device(generator, size):
    """One of the devices that a question of so many answers can have, or none."""
    epsilon = generator.uniform(0.7, 3)
    choices = [lambda: rr.designs.direct(size), lambda: rr.k_rr(size, epsilon)]
    if size == 2:
        choices.append(lambda: rr.DesignMatrix(rr.forced_response(0.7, 0.2).matrix))
    elif size > 3:
        choices.append(lambda: rr.designs.subset_selection(size, epsilon))
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
            drawn = table_of(shares.shape, people[:, first], people[:, second]) / MADE_UP
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
    survey = Survey(generator, (2, 3), [[rr.k_rr(2, 1.5), rr.designs.direct(3)]], 900)
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
    device, counts = rr.k_rr(4, 1.2), np.array([300, 240, 150, 110])
    scores = (1, 2, 3, None)
    crowd = rr.crowd.pooled_distribution(
        [rr.crowd.CrowdAttribute("q", 4, scores)],
        [rr.crowd.ClusterReports(["q"], [device], [counts])],
    )
    found = rr.estimate(device, counts)
    for category, ends in enumerate(found.interval(method="default")):
        share = crowd.share({"q": [category]})
        assert share.interval()[0] == pytest.approx(ends)
        assert share.standard_errors[0] == pytest.approx(found.standard_errors[category])
    two = crowd.share({"q": [0, 2]})
    assert two.standard_errors[0] ** 2 == pytest.approx(
        found.covariance_of([1, 0, 1, 0], [1, 0, 1, 0])
    )
    mean, known = crowd.mean("q"), rr.association.mean_of_answered(found, scores[:3])
    assert mean.values[0] == pytest.approx(known.value)
    assert mean.standard_errors[0] == pytest.approx(known.standard_error)
    assert mean.repetitions == 0


def test_three_questions_have_the_distribution_of_largest_entropy_with_all_pairs():
    """With no noise: the truth, where no three of them are related otherwise than by two."""
    sizes = (2, 3, 2)
    ways = [[rr.designs.direct(size) for size in sizes]]
    survey = Survey(np.random.default_rng(4302), sizes, ways, 10)
    counts = np.rint(survey.table * 10**9).astype(np.int64)
    survey.counts = lambda *q: [counts.sum(axis=tuple({0, 1, 2} - set(q)))]
    crowd = survey.crowd()
    assert crowd.margin(["q0", "q1", "q2"]) == pytest.approx(survey.table, abs=1e-6)
    found = crowd.share({"q0": [1]}, where={"q1": [2], "q2": [0]}, repetitions=19)
    group = survey.table[:, 2, 0]
    assert found.values[0] == pytest.approx(group[1] / group.sum(), abs=1e-5)
    drawn = table_of(sizes, *crowd.synthetic(200_000).T) / 200_000
    assert drawn == pytest.approx(survey.table, abs=5 * np.sqrt(0.25 / 200_000))


def test_a_question_of_a_group_is_related_to_one_outside_and_the_group_keeps_its_own_table():
    generator, sizes = np.random.default_rng(4303), (2, 2, 3)
    ways = [[rr.designs.direct(size) for size in sizes]]
    truth = Survey(generator, sizes, ways, 40_000, strength=1)
    group, alone = rr.channels.joint_design([2, 2], 0.75), rr.k_rr(3, 2)
    cells = np.ravel_multi_index(tuple(truth.truths[:2]), (2, 2))
    sent, other = send(generator, group, cells), send(generator, alone, truth.truths[2])
    both, parts = (
        rr.channels.ProductChannel((group.margin([0]), alone)),
        np.unravel_index(sent, (2, 2)),
    )
    crowd = rr.crowd.pooled_distribution(
        attributes_of(sizes),
        [
            rr.crowd.ClusterReports(["q0", "q1"], [group], [np.bincount(sent, minlength=4)]),
            rr.crowd.ClusterReports(["q2"], [alone], [np.bincount(other, minlength=3)]),
        ],
        [
            rr.crowd.ClusterReports(
                [f"q{q}", "q2"], [both], [table_of((2, 3), part, other).ravel()]
            )
            for q, part in enumerate(parts)
        ],
    )
    assert crowd.share({"q0": [1], "q1": [1]}).repetitions == 0
    within, table = crowd.mean("q2", where={"q0": [1], "q1": [1]}), truth.table
    for statistic, expected in (
        (crowd.share({"q0": [1], "q2": [2]}), table[1, :, 2].sum()),
        (crowd.share({"q0": [1], "q1": [0], "q2": [2]}), table[1, 0, 2]),
        (within, table[1, 1] @ [0, 1, 2] / table[1, 1].sum()),
    ):
        assert abs(statistic.values[0] - expected) <= 4 * statistic.standard_errors[0]
        assert not statistic.note("independent_by_assumption")
    means = [crowd.mean(name).values[0] for name in ("q0", "q1")]
    assert crowd.synthetic(50_000)[:, :2].mean(axis=0) == pytest.approx(means, abs=0.01)


@pytest.mark.slow
def test_intervals_of_statistics_across_pairs_cover():
    """Each in 80 surveys; four standard errors of a share of these below 95 %."""
    surveys, generator, sizes = 80, np.random.default_rng(4304), (2, 3, 2)
    ways = [[rr.k_rr(2, 2), rr.designs.direct(3), rr.k_rr(2, 1.5)]]
    table = Survey(generator, sizes, ways, 10).table
    statistics = {
        "correlation": lambda crowd: crowd.correlation(["q0", "q1"], repetitions=39),
        "share": lambda crowd: crowd.share({"q0": [1], "q1": [2], "q2": [1]}, repetitions=39),
        "within": lambda crowd: crowd.share({"q0": [1]}, where={"q1": [0]}),
        "mean": lambda crowd: crowd.mean("q1", where={"q2": [1]}),
        "slope": lambda crowd: crowd.regression("q1", ["q0", "q2"], repetitions=39),
    }
    everybody = np.rint(table.ravel() * 10**12).astype(int)
    exact = rr.crowd.pooled_distribution(
        attributes_of(sizes),
        [rr.crowd.ClusterReports(["q0", "q1", "q2"], [rr.designs.direct(12)], [everybody])],
    )
    hits = dict.fromkeys(statistics, 0)
    truths = {name: find(exact).values[-1] for name, find in statistics.items()}
    for _ in range(surveys):
        crowd = Survey(generator, sizes, ways, 1500, table=table).crowd()
        for name, find in statistics.items():
            low, high = find(crowd).interval()[-1]
            hits[name] += low <= truths[name] <= high
    least = 0.95 - 4 * np.sqrt(0.95 * 0.05 / surveys)
    assert min(hits.values()) / surveys >= least, hits
    assert np.mean(list(hits.values())) / surveys <= 0.985, hits


def test_attributes_whose_pair_was_not_measured_are_noted():
    survey = Survey(np.random.default_rng(4305), (2, 2, 2), [[rr.k_rr(2, 2)] * 3], 500)
    pairs = survey.pairs()[:2]
    crowd = rr.crowd.pooled_distribution(attributes_of(survey.sizes), survey.alone(), pairs)
    for cells, noted in (("q0 q1", False), ("q0 q1 q2", True), ("q1 q2", True)):
        share = crowd.share({name: [1] for name in cells.split()}, repetitions=19)
        assert bool(share.note("independent_by_assumption")) is noted
    assert crowd.synthetic(10, names=["q2", "q0"]).shape == (10, 2)


def test_pairs_that_are_none_are_refused():
    survey = Survey(np.random.default_rng(4306), (2, 2), [[rr.k_rr(2, 2)] * 2], 100)
    attributes, alone, (pair,) = attributes_of((2, 2)), survey.alone(), survey.pairs()
    together = rr.crowd.ClusterReports(
        ["q0", "q1"], [rr.channels.joint_design([2, 2], 0.8)], pair.counts
    )
    for clusters, pairs in (
        (alone, [pair, pair]),
        (alone, [together]),
        (alone, [alone[0]]),
        (alone[:1], [pair]),
        ([together], [pair]),
    ):
        error = refusal(rr.crowd.pooled_distribution, attributes, clusters, pairs)
        assert error.code == "not_pairs"
    with pytest.raises(rr.errors.ArgumentError):
        rr.crowd.pooled_distribution(attributes, alone, "pairs")


@pytest.mark.slow
def test_a_joint_table_that_would_be_too_large_is_refused_with_the_limit():
    sizes, people = (50, 50, 50, 50), 300
    device = rr.designs.direct(50)
    survey = Survey(np.random.default_rng(1), (2,), [[rr.designs.direct(2)]], people)
    survey.sizes, survey.names = sizes, [f"q{q}" for q in range(4)]
    survey.ways, survey.stratum = [[device] * 4], np.zeros(people, dtype=int)
    survey.reports = np.random.default_rng(2).integers(50, size=(4, people))
    survey.left_out = np.zeros((4, people), dtype=bool)
    crowd = survey.crowd()
    crowd.share({"q0": [1], "q1": [1]}, repetitions=19)
    with pytest.raises(rr.errors.DesignError, match="at most 1048576") as refusal:
        crowd.share({name: [1] for name in survey.names}, repetitions=19)
    assert refusal.value.code == "too_many_cells"
