"""Printed numbers and formulas of REFERENCE.md, sections 1 to 4, and where each is held.

What PINNED lists is tested in the file of its subject; the rest is below.
"""

import re
from math import sqrt
from pathlib import Path

import pytest

import rr_engine as rr

HERE = Path(__file__).parent
PINNED = {
    "errors of k-ary RR and Laplace, t = 6 (Wang Eq. 18 to 21)": (
        "test_laplace.py",
        "test_mean_squared_errors_of_the_reference_to_the_printed_digit",
    ),
    "Laplace with two categories (Wang Eq. 11)": (
        "test_laplace.py",
        "test_two_categories_keep_the_truth_as_in_equation_11",
    ),
    "pi* of three (epsilon, delta) (Holohan Theorem 3)": (
        "test_optimal.py",
        "test_threshold_to_the_printed_digit",
    ),
    "the table of survey designs, and each epsilon": (
        "test_designs_contract.py",
        "test_table_is_the_one_of_the_literature",
    ),
    "58.6 honest answers for one fake (AUDIT 14)": (
        "test_robustness.py",
        "test_one_fake_weighs_58_6_honest_answers_at_epsilon_1_and_100_categories",
    ),
    "1,025 people, where rr stops at 998 (PEERS, fault 7)": (
        "test_solving.py",
        "test_forced_response_with_two_thirds_needs_1025_for_five_percent",
    ),
}


@pytest.mark.parametrize("value", PINNED)
def test_what_is_held_elsewhere_is_there(value):
    file, name = PINNED[value]
    assert re.search(rf"^def {name}\(", (HERE / file).read_text(), re.MULTILINE)


def test_binary_estimate_and_variance():
    # Holohan Eq. 4 and 6; with the n - 1 of Wang Eq. 18 in an estimated variance.
    p00, p11, no, yes = 0.9, 0.7, 640, 360
    result = rr.estimate(rr.designs.generalized_binary(p00, p11), [no, yes])
    share = yes / (no + yes)
    assert result.proportions[1] == pytest.approx((p00 - 1 + share) / (p00 + p11 - 1))
    variance = share * (1 - share) / ((no + yes - 1) * (p00 + p11 - 1) ** 2)
    assert result.covariance[1, 1] == pytest.approx(variance)


def test_fewer_yes_than_the_design_can_give():
    # PEERS, faults 2 and 3: elsewhere a standard error of 86,489,212, of 0.000002, or none.
    result = rr.estimate(rr.forced_response(2 / 3, 1 / 6), [175, 25])
    assert result.proportions[1] == pytest.approx(-0.0625, abs=1e-15)
    assert result.standard_errors[1] == pytest.approx(sqrt(0.125 * 0.875 / 199) * 3 / 2)
    assert result.projected()[1] == 0
    assert result.note("outside_range") is not None
    # The score test keeps x while |1/8 - s| <= 1.96 sqrt(s (1 - s) / 200), s = 1/6 + 2x/3.
    high, z = result.possible_interval()[1, 1], 1.959963984540054
    share = 1 / 6 + 2 / 3 * high
    assert share - 1 / 8 == pytest.approx(z * sqrt(share * (1 - share) / 200), abs=1e-6)
    likeliest = rr.estimate(rr.forced_response(2 / 3, 1 / 6), [175, 25], method="mle")
    assert likeliest.proportions[1] == 0
    assert 0.03 < likeliest.standard_errors[1] < 0.05
