"""Joint tables through channels that never form their table, against the same devices as tables."""

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.multiattribute.axes import report_axes, truth_axes
from tests.engine.channel_cases import BADGE, CHANNELS, COIN, UNEVEN, dense, some_shares
from tests.engine.engine_cases import refusal

CLOSE = {"rel": 1e-10, "abs": 1e-10}


def group(form, sizes=(3, 2, 4)):
    """Return one device over several questions."""
    return rr.channels.joint_design(sizes, 0.5, bits=24, form=form)


FACTORS = {
    "two attributes": [CHANNELS["uniform"], CHANNELS["uniform, answer-reversing"]],
    "two channels": [CHANNELS["uniform"], CHANNELS["joint, by changes"]],
    "a table and a channel": [UNEVEN, CHANNELS["uniform over pairs"]],
    "a channel and a table": [CHANNELS["uniform, answer-reversing"], BADGE],
    "a product with more reports": [CHANNELS["product, more reports than truths"], COIN],
    "three": [COIN, CHANNELS["uniform, two answers"], CHANNELS["uniform, answer-reversing"]],
    "one": [CHANNELS["uniform"]],
    "one device over all questions": [group("changes")],
    "a uniform device over all questions": [group("uniform")],
    "a group beside a question": [group("changes", (2, 3)), COIN],
    "a group between questions": [COIN, group("changes", (2, 3)), UNEVEN],
}
# Inside a product likelihood weighs reports by margins, beside a table by all of them together.
METHODS = [
    (name, method)
    for name in FACTORS
    for method in ("inversion", "mle")
    if (name, method) != ("a product with more reports", "mle")
]
PLAUSIBLE, FEW = 4_000, 12


def counts_of(factors, n, seed=3):
    """Draw a table of reports of people whose answers are not independent."""
    rng = np.random.default_rng(seed)
    shape = [factor.truth_size for factor in factors]
    shares = some_shares(int(np.prod(shape)))
    truths = np.unravel_index(rng.choice(len(shares), size=n, p=shares), shape)
    reports = [f.sample(t, rng) for f, t in zip(factors, truths, strict=True)]
    table = np.zeros([factor.tally_size for factor in factors], dtype=np.int64)
    np.add.at(table, tuple(reports), 1)
    return table.reshape(report_axes(factors))


def both(name, n, *settings):
    """Return the estimates through the channels, and through their tables, one axis for each."""
    factors = FACTORS[name]
    counts = counts_of(factors, n)
    flat = counts.reshape([factor.tally_size for factor in factors])
    return [
        rr.estimate_joint(factors, counts, *settings),
        rr.estimate_joint([dense(factor) for factor in factors], flat, *settings),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("n", [PLAUSIBLE, FEW, 1, 0])
@pytest.mark.parametrize(("name", "method"), METHODS)
def test_estimates_are_those_of_the_tables(name, n, method, population):
    found, expected = both(name, n, method, population)
    assert found.shape == truth_axes(FACTORS[name])
    for number in ("proportions", "standard_errors"):
        ours, theirs = (getattr(joint, number).ravel() for joint in (found, expected))
        assert ours == pytest.approx(theirs, **CLOSE)
    assert found.covariance == pytest.approx(expected.covariance, **CLOSE)
    assert found.notes == expected.notes


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("name", FACTORS)
def test_intervals_and_margins_are_those_of_the_tables(name, population):
    found, expected = both(name, PLAUSIBLE, "inversion", population)
    for method in ("normal", "chebyshev", "default"):
        ends = expected.interval(method=method)
        found_ends = found.interval(method=method).reshape(ends.shape)
        assert found_ends == pytest.approx(ends, **CLOSE)
    last = range(len(found.shape) - len(FACTORS[name][-1].truth_shape), len(found.shape))
    margins = found.margin(last), expected.margin(len(expected.shape) - 1)
    errors = margins[0].standard_errors.ravel()
    assert errors == pytest.approx(margins[1].standard_errors, **CLOSE)
    ends = margins[1].interval(method="default")
    found_ends = margins[0].interval(method="default").reshape(ends.shape)
    assert found_ends == pytest.approx(ends, **CLOSE)


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("name", ["two attributes", "a channel and a table"])
def test_what_follows_from_a_table_is_the_same(name, population):
    found, expected = both(name, PLAUSIBLE, "inversion", population)
    within = [joint.conditional(0, 1) for joint in (found, expected)]
    assert within[0].values == pytest.approx(within[1].values, **CLOSE)
    assert within[0].standard_errors == pytest.approx(within[1].standard_errors, **CLOSE)
    tests = [rr.independence_test(joint) for joint in (found, expected)]
    assert tests[0].statistic == pytest.approx(tests[1].statistic, **CLOSE)
    for measure in (
        rr.association.cramers_v,
        rr.association.mutual_information,
        rr.association.entropy,
    ):
        numbers = [measure(joint) for joint in (found, expected)]
        assert numbers[0].value == pytest.approx(numbers[1].value, **CLOSE)
        assert numbers[0].standard_error == pytest.approx(numbers[1].standard_error, **CLOSE)


STRATA = {
    "questions": (
        [COIN, CHANNELS["uniform, answer-reversing"]],
        [CHANNELS["uniform, two answers"], UNEVEN],
    ),
    "a group": ([group("changes", (2, 3))], [group("uniform", (2, 3))]),
}


@pytest.mark.parametrize("method", ["inversion", "mle"])
@pytest.mark.parametrize("name", STRATA)
def test_strata_of_channels_are_pooled_as_their_tables_are(name, method):
    strata = STRATA[name]
    counts = [counts_of(stratum, 900, seed) for seed, stratum in enumerate(strata)]
    tables = [[dense(factor) for factor in stratum] for stratum in strata]
    flat = [
        table.reshape([factor.tally_size for factor in stratum])
        for table, stratum in zip(counts, strata, strict=True)
    ]
    found = rr.joint.estimate_joint_strata(strata, counts, method)
    expected = rr.joint.estimate_joint_strata(tables, flat, method)
    close = CLOSE if method == "inversion" or name == "questions" else {"abs": 1e-6}
    assert found.proportions.ravel() == pytest.approx(expected.proportions.ravel(), **close)
    assert found.covariance == pytest.approx(expected.covariance, **close)


def test_truths_have_the_labels_of_a_design_and_else_numbers():
    joint = rr.estimate_joint(
        [COIN, rr.channels.UniformChannel((2, 3), 5, 1, 10)], np.ones((2, 2, 3), dtype=int)
    )
    assert joint.categories == (COIN.categories, ("0", "1"), ("0", "1", "2"))


def test_thousands_of_villages_by_two_answers():
    """The product of the tables would have 10**8 entries; that of the villages alone 25 million."""
    villages = rr.channels.UniformChannel.from_epsilon(5_000, "9", bits=52)
    counts = counts_of([villages, COIN], 20_000)
    joint = rr.estimate_joint([villages, COIN], counts)
    assert joint.proportions.sum() == pytest.approx(1)
    assert joint.interval(method="default").shape == (5_000, 2, 2)
    people = joint.margin(1)
    assert people.proportions == pytest.approx(rr.estimate_joint([COIN], counts.sum(0)).proportions)
    assert refusal(lambda: villages.matrix).code == "table_too_large"


@pytest.mark.parametrize(
    "designs", [[rr.channels.BitChannel(3, 3, 1, 4), COIN], [], [COIN, "coin"], COIN]
)
def test_other_devices_are_refused(designs):
    assert refusal(rr.estimate_joint, designs, np.zeros((2, 2), dtype=int)).code == "not_designs"
