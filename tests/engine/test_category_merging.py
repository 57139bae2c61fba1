"""Merging categories: which are merged, and what it loses."""

from itertools import combinations

import numpy as np
import pytest

from rr_engine import (
    ArgumentError,
    Attribute,
    direct,
    estimate_joint,
    joint_design,
    merge_categories,
    mutual_information,
)
from rr_engine.clusters.merging import denoised, losses

REGION = Attribute("region", 4)
INCOME, HEALTH = Attribute("income", 2), Attribute("health", 3)
# Regions 0 and 2 are alike, and so are 1 and 3.
COUNTS = np.array([[900, 100], [200, 800], [450, 50], [100, 400]])


def exact(counts):
    return estimate_joint([direct(size) for size in np.shape(counts)], counts)


def information(table):
    shares = np.asarray(table) / np.sum(table)
    product = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    some = shares > 0
    return float((shares[some] * np.log2(shares[some] / product[some])).sum())


def test_categories_that_are_alike_are_merged_at_no_loss():
    merged = merge_categories(
        ["region"], [REGION, INCOME], {("region", "income"): exact(COUNTS)}, 2
    )
    assert merged.groups == (((0, 2), (1, 3)),)
    assert (merged.cells_before, merged.cells) == (4, 2)
    assert merged.lost == pytest.approx(0, abs=1e-3)
    (pair,) = merged.pairs
    assert pair.information_before == pytest.approx(information(COUNTS), rel=0.02)
    assert pair.v_after == pytest.approx(0.7 * 2 * 0.5, abs=0.02)


def test_only_neighbours_are_merged_where_there_is_an_order():
    ordered = Attribute.ordinal("region", 4)
    merged = merge_categories(
        ["region"], [ordered, INCOME], {("region", "income"): exact(COUNTS)}, 3
    )
    # The neighbours 2 and 3 have the fewest people.
    assert merged.groups == (((0,), (1,), (2, 3)),)
    assert merged.lost > 0.1
    turned = merge_categories(
        ["region"], [ordered, INCOME], {("income", "region"): exact(COUNTS.T)}, 3
    )
    assert turned.groups == merged.groups


def test_the_loss_of_each_merger_is_that_of_the_information():
    table = np.random.default_rng(1).random((5, 4))
    table /= table.sum()
    found = losses(table)
    for first, second in combinations(range(5), 2):
        rest = [row for row in range(5) if row not in (first, second)]
        after = np.vstack([table[rest], table[first] + table[second]])
        expected = information(table) - information(after)
        assert found[first, second] == pytest.approx(expected, abs=1e-12)
    assert not losses(np.array([[0.2, 0.2], [0.0, 0.0], [0.3, 0.3]])).round(12).any()


def test_a_cluster_is_merged_until_it_fits():
    rng = np.random.default_rng(3)
    given = [REGION, INCOME, HEALTH]
    pairs = {
        (first.name, second.name): exact(rng.integers(20, 200, size=(first.size, second.size)))
        for first, second in combinations(given, 2)
    }
    for cells in (24, 20, 12, 8):
        merged = merge_categories(["region", "income", "health"], given, pairs, cells)
        assert merged.cells <= cells
        assert merged.cells == np.prod([len(groups) for groups in merged.groups])
        assert len(merged.pairs) == 3
        for groups, attribute in zip(merged.groups, given, strict=True):
            assert sorted(c for group in groups for c in group) == list(range(attribute.size))
        for pair in merged.pairs:
            assert pair.information_after <= pair.information_before + 1e-12
    assert merged.names == ("region", "income", "health")


def test_noise_is_no_reason_to_keep_categories_apart():
    # 10 regions of two kinds, through one device over the pair; n 20,000, seed 8.
    kinds = np.array([0.9, 0.2] * 5)
    shares = np.column_stack([kinds, 1 - kinds]) / 10
    channel = joint_design([10, 2], 0.6)
    counts = channel.survey_counts(shares.ravel(), 20_000, np.random.default_rng(8), 1)[0]
    merged = merge_categories(
        ["region"],
        [Attribute("region", 10), INCOME],
        {("region", "income"): estimate_joint([channel], counts.reshape(10, 2))},
        2,
    )
    assert merged.groups == (((0, 2, 4, 6, 8), (1, 3, 5, 7, 9)),)


def test_what_may_be_noise_is_taken_for_independence():
    table = exact([[52, 48], [48, 52]])
    assert denoised(table) == pytest.approx(np.full((2, 2), 0.25), abs=1e-3)
    clear = exact([[9000, 1000], [1000, 9000]])
    assert denoised(clear) == pytest.approx(clear.proportions, abs=1e-3)
    assert mutual_information(clear).value == pytest.approx(information(denoised(clear)), abs=5e-3)


@pytest.mark.parametrize(
    ("names", "pairs", "cells", "argument"),
    [
        (["nothing"], {}, 2, "names"),
        (["region", "region"], {}, 2, "names"),
        ("region", {}, 2, "names"),
        (["region"], {}, 2, "estimates"),
        (["health"], {("region", "income"): exact(COUNTS)}, 2, "estimates"),
        (["region", "income"], {("region", "income"): exact(COUNTS)}, 3, "cells"),
    ],
)
def test_what_cannot_be_merged_is_refused(names, pairs, cells, argument):
    with pytest.raises(ArgumentError) as error:
        merge_categories(names, [REGION, INCOME, HEALTH], pairs, cells)
    assert error.value.argument == argument
