"""One device over several questions: the paper's numbers, margins, and memory."""

from itertools import product

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.channels.joint_channel import entries_of, neighbours, spectrum_of
from tests.engine.engine_cases import memory_below, refusals

pytestmark = pytest.mark.slow

ADULT = {
    "age": 9, "workclass": 9, "education": 16, "marital": 7, "occupation": 15, "relationship": 6,
    "race": 5, "sex": 2, "country": 42,
}  # fmt: skip
# Table 1 of the paper, but for its last row.
PRINTED = [
    (["workclass", "education"], 0.9, 7.309),
    (["race", "country"], 0.9, 7.735),
    (["workclass", "education", "race", "country"], 0.8, 11.844),
    (["workclass", "race", "country"], 0.7, 8.569),
    (["education", "occupation", "sex"], 0.7, 7.337),
    (["marital", "relationship", "sex"], 0.7, 5.695),
    (["marital", "relationship", "sex"], 0.8, 6.234),
    (["occupation", "sex"], 0.8, 5.171),
]
MEGABYTE = 2**20


@pytest.mark.parametrize(("names", "p", "epsilon"), PRINTED)
def test_losses_are_those_of_the_paper(names, p, epsilon):
    channel = rr.channels.joint_design([ADULT[name] for name in names], p, bits=52)
    assert channel.epsilon == pytest.approx(epsilon, abs=6e-4)


def test_entries_are_those_of_equation_11():
    sizes, p = (2, 3, 4), 0.6
    whole = sum(number / w for w, number in enumerate(neighbours(sizes)) if w)
    channel = rr.channels.joint_design(sizes, p, bits=52)
    cells = list(product(*map(range, sizes)))
    for column, truth in enumerate(cells):
        for row, report in enumerate(cells):
            changed = sum(a != b for a, b in zip(report, truth, strict=True))
            expected = p if changed == 0 else (1 - p) / (changed * whole)
            assert channel.matrix[row, column] == pytest.approx(expected, abs=1e-13)


def test_the_chance_of_the_whole_is_never_above_the_one_asked_for():
    for form in ("changes", "uniform"):
        for bits in (8, 12, 32):
            channel = rr.channels.joint_design([3, 4], 0.55, bits, form)
            assert channel.matrix[0, 0] <= 0.55
            assert channel.matrix[0, 0] > 0.55 - 12 * 2.0**-bits
    assert isinstance(
        rr.channels.joint_design([3, 4], 0.55, form="uniform"), rr.channels.UniformChannel
    )
    assert rr.channels.joint_design([3, 4], 0.55, form="uniform").truth_shape == (3, 4)


def test_neighbours_count_the_tuples_that_differ():
    sizes = (2, 3, 5)
    cells = list(product(*map(range, sizes)))
    changed = [sum(part != 0 for part in cell) for cell in cells]
    assert neighbours(sizes) == [changed.count(w) for w in range(4)]


def test_entries_and_eigenvalues_are_two_forms_of_one_matrix():
    sizes, rng = (2, 3, 4), np.random.default_rng(1)
    entries = rng.normal(size=(2, 2, 2))
    cells = list(product(*map(range, sizes)))
    matrix = np.array(
        [
            [entries[tuple(int(a != b) for a, b in zip(u, v, strict=True))] for v in cells]
            for u in cells
        ]
    )
    spectrum = spectrum_of(entries, sizes)
    assert np.allclose(entries_of(spectrum, sizes), entries)
    numbers = [
        np.prod([size - 1 for size, moved in zip(sizes, index, strict=True) if moved])
        for index in product((0, 1), repeat=3)
    ]
    repeated = np.repeat(spectrum.ravel(), np.array(numbers, dtype=int))
    assert np.allclose(np.sort(np.linalg.eigvalsh(matrix)), np.sort(repeated))


test_what_is_no_joint_device_is_refused = refusals(
    "argument",
    ("weights", lambda: rr.channels.JointChannel((2, 3), (8, 2), 16)),
    ("denominator", lambda: rr.channels.JointChannel((2, 3), (8, 2, 2), 16)),
    ("weights", lambda: rr.channels.JointChannel((2, 3), (8, 2, -1), 12)),
    ("p", lambda: rr.channels.joint_design([2, 3], 1)),
    ("bits", lambda: rr.channels.joint_design([2, 3], 0.01, bits=2)),
    ("form", lambda: rr.channels.joint_design([2], 0.5, form="other")),
    ("sizes", lambda: rr.channels.joint_design([2, 1], 0.5)),
)


def test_too_few_bits_are_a_fault_of_the_design():
    with pytest.raises(rr.errors.DesignError, match="combinations"):
        rr.channels.joint_design([16, 16], 0.01, bits=7)


def test_a_million_answers_never_make_a_table():
    channel = rr.channels.UniformChannel.from_epsilon(10**6, "12")
    with pytest.raises(ValueError, match="entries"):
        _ = channel.matrix
    # The table alone would take 8 million megabytes.
    with memory_below(400 * MEGABYTE):
        counts = channel.counts_of(np.arange(10**6) % 3, 10**6, np.random.default_rng(1))
        found = rr.estimate(channel, counts, population="fixed")
        assert len(found.interval(method="default")) == 10**6
        first = np.zeros(10**6)
        first[:1000] = 1
        assert found.covariance_of(first, first) > 0
        assert rr.margin_of_error(channel, 0.1, 10**6) > 0


def test_a_million_cells_never_make_a_table():
    channel = rr.channels.ProductChannel([rr.channels.UniformChannel.from_epsilon(16, "4")] * 5)
    with pytest.raises(ValueError, match="entries"):
        _ = channel.matrix
    reports = {(1, 2, 3, 4, 5): 500, (0, 0, 0, 0, 0): 900, (15, 2, 3, 4, 15): 600}
    cell = np.zeros(channel.truth_shape)
    cell[0, 0, 0, 0, 0] = 1
    # 8 MB for each list of 2**20 numbers; the table would take 2**40 of them.
    with memory_below(200 * MEGABYTE):
        table = rr.estimate(channel, reports)
        error = table.covariance_of(cell, cell) ** 0.5
        assert table.standard_errors[0] == pytest.approx(error)
        pair = channel.margin([1, 4])
        pair = rr.estimate(pair, rr.channels.margin_of(reports, channel.report_shape, [1, 4]))
    summed = table.proportions.reshape(channel.truth_shape).sum(axis=(0, 2, 3))
    assert np.allclose(pair.proportions, summed.ravel(), atol=1e-9)


def test_margins_of_tables_that_are_too_large_are_still_counted():
    channel = rr.channels.ProductChannel([rr.channels.UniformChannel.from_epsilon(1000, "6")] * 4)
    reports = {(1, 2, 3, 4): 50, 10**12 - 1: 20}
    with pytest.raises(ValueError, match="margins"):
        rr.estimate(channel, reports)
    counts = rr.channels.margin_of(reports, channel.report_shape, [3])
    assert counts == {(4,): 50, (999,): 20}
    assert rr.estimate(channel.margin([3]), counts).n == 70
