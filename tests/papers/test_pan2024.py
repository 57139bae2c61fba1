"""The tables and figures of Pan et al. (2024), against what the paper prints and its theory."""

from itertools import pairwise

import numpy as np
import pytest

from papers import pan2024

# The appendix as printed: t, then the relaxations .1 to .5, .5 to 1, 1 to 2 and 2 to 10.
PRINTED = {
    "Pr(a|a,a)": """
        3 0.584 0.840 0.943 1.000
        4 0.511 0.802 0.922 1.000
        5 0.463 0.775 0.906 1.000
        6 0.430 0.755 0.891 1.000
        7 0.405 0.740 0.879 1.000
        8 0.386 0.728 0.869 1.000
        9 0.371 0.718 0.860 1.000
        10 0.359 0.710 0.852 1.000""",
    "Pr(b|b,a)": """
        3 0.392 0.509 0.347 0.000
        4 0.342 0.486 0.339 0.000
        5 0.310 0.470 0.333 0.000
        6 0.288 0.458 0.328 0.000
        7 0.272 0.449 0.324 0.000
        8 0.259 0.442 0.320 0.000
        9 0.249 0.436 0.316 0.000
        10 0.241 0.431 0.314 0.000""",
    "Pr(a|b,a)": """
        3 0.379 0.359 0.575 1.000
        4 0.297 0.296 0.520 1.000
        5 0.245 0.252 0.474 1.000
        6 0.208 0.219 0.436 0.999
        7 0.181 0.194 0.403 0.999
        8 0.160 0.174 0.375 0.999
        9 0.143 0.158 0.351 0.999
        10 0.130 0.144 0.330 0.999""",
}
CELLS = [
    (name, int(size), first, float(chance))
    for name, text in PRINTED.items()
    for size, *chances in map(str.split, text.strip().splitlines())
    for first, chance in zip(pan2024.TABLE_EPSILONS[:-1], chances, strict=True)
]


@pytest.fixture(scope="module")
def computed():
    rows, _ = pan2024.tables()
    return {(row["table"], row["t"], row["epsilon"]): row["chance"] for row in rows}


@pytest.mark.parametrize(("name", "size", "epsilon", "printed"), CELLS)
def test_the_tables_are_those_of_the_appendix(computed, name, size, epsilon, printed):
    assert len(computed) == len(CELLS) == 96
    assert round(computed[name, size, epsilon], 3) == printed


@pytest.fixture(scope="module")
def binary():
    return pan2024.binary_experiment()


@pytest.fixture(scope="module")
def polychotomous():
    return pan2024.polychotomous_experiment()


def test_figure_1_follows_its_theory(binary):
    rows, _ = pan2024.figure_1a(binary)
    assert len(rows) == 10
    for row in rows:
        check_theory(row)
        assert row["sd_theory"] ** 2 == pytest.approx(
            pan2024.relaxed_variance(row["epsilon"], 1000), rel=1e-6
        )


def check_theory(row):
    # 100 repetitions, seed 2024: within four standard errors of a mean, and of a variance.
    assert abs(row["mean"] - row["truth"]) < 4 * row["mean_se"]
    ratio = (row["sd"] / row["sd_theory"]) ** 2
    assert abs(ratio - 1) < 4 * (2 / 99) ** 0.5


def test_relaxation_beats_noisy_samples_at_the_same_budget(binary):
    rows, _ = pan2024.figure_1b(binary)
    first = rows[0]
    # One sample is a randomized response of Eq. 65's epsilon.
    assert first["relaxation_theory"] == pytest.approx(first["noisy_samples_theory"])
    for row in rows:
        ratio = row["noisy_samples"] / row["noisy_samples_theory"]
        assert abs(ratio - 1) < 4 * (2 / 99) ** 0.5
    for earlier, row in pairwise(rows):
        assert row["relaxation_theory"] < earlier["relaxation_theory"]
        assert row["relaxation_theory"] < row["noisy_samples_theory"]
        assert row["relaxation"] < row["noisy_samples"]


@pytest.mark.parametrize(("name", "people"), [("binary", 800), ("polychotomous", 500)])
def test_no_attack_errs_less_than_the_floor(request, name, people):
    rows, _ = pan2024.error_rates(request.getfixturevalue(name))
    assert len(rows) == 10
    for row in rows:
        assert row["people"] == people
        # 100 repetitions: four standard errors of a mean rate.
        slack = 4 * (row["floor"] * (1 - row["floor"]) / (100 * people)) ** 0.5
        for attack in pan2024.ATTACKS:
            assert row[attack] > row["floor"] - slack
        # The first two are Bayes' best guess.
        assert row["last output"] == row["maximum likelihood"]
        assert abs(row["last output"] - row["floor"]) < slack
    last = rows[-1]
    assert last["most frequent"] > last["floor"] + slack
    assert last["weighted most frequent"] > last["floor"] + slack


def test_figure_2_follows_its_theory(polychotomous):
    rows, _ = pan2024.figure_2(polychotomous)
    assert len(rows) == 50
    for row in rows:
        check_theory(row)
    truths = sorted({row["truth"] for row in rows})
    assert truths == pytest.approx(np.arange(1, 6) / 15)
