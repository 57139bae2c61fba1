"""Printed numbers and formulas of REFERENCE.md, sections 1 to 4, and where each is held.

What PINNED lists is tested in the file of its subject; the rest is below.
"""

import re
from fractions import Fraction
from math import exp, log, log2, sqrt
from pathlib import Path

import numpy as np
import pytest

from rr_engine import (
    entropy,
    estimate,
    forced_response,
    frapp,
    generalized_binary,
    k_rr,
    uniform_perturbation,
    warner,
)

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


@pytest.mark.parametrize("size", [2, 3, 10])
def test_warner_up_and_frapp_are_one_family(size):
    ratio = exp(1)
    keep = (ratio - 1) / (ratio + size - 1)
    optimum = k_rr(size, 1).matrix
    assert frapp(size, ratio).matrix == pytest.approx(optimum)
    assert uniform_perturbation(size, keep).matrix == pytest.approx(optimum)
    assert optimum[0, 0] == pytest.approx(ratio / (size - 1 + ratio))
    if size == 2:
        assert warner(ratio / (1 + ratio)).matrix == pytest.approx(optimum)


def test_binary_estimate_and_variance():
    # Holohan Eq. 4 and 6; with the n - 1 of Wang Eq. 18 in an estimated variance.
    p00, p11, no, yes = 0.9, 0.7, 640, 360
    result = estimate(generalized_binary(p00, p11), [no, yes])
    share = yes / (no + yes)
    assert result.proportions[1] == pytest.approx((p00 - 1 + share) / (p00 + p11 - 1))
    variance = share * (1 - share) / ((no + yes - 1) * (p00 + p11 - 1) ** 2)
    assert result.covariance[1, 1] == pytest.approx(variance)


def test_closed_forms_of_the_k_ary_family_in_rationals():
    # a = 3/7, b = 1/7: P**-1 = (I - b 11') / (a - b), and so (lam - b) / (a - b).
    counts, a, b = [41, 23, 9, 4, 3], Fraction(3, 7), Fraction(1, 7)
    design = frapp(5, 3)
    assert design.matrix[0, :2].tolist() == pytest.approx([float(a), float(b)])
    shares = [(Fraction(count, sum(counts)) - b) / (a - b) for count in counts]
    assert estimate(design, counts).proportions.tolist() == pytest.approx(
        [float(share) for share in shares], abs=1e-14
    )


def test_error_of_the_entropy():
    # dH/dpi_i = -(log2 pi_i + 1 / ln 2), REFERENCE 4 (Wang 5.2 drops the sign).
    result = estimate(k_rr(3, 2), [500, 300, 200])
    shares, slope = result.proportions, -(np.log2(result.proportions) + 1 / log(2))
    found = entropy(result, correction="none")
    assert found.value == pytest.approx(-sum(p * log2(p) for p in shares))
    assert found.standard_error == pytest.approx(sqrt(slope @ result.covariance @ slope))


def test_fewer_yes_than_the_design_can_give():
    # PEERS, faults 2 and 3: elsewhere a standard error of 86,489,212, of 0.000002, or none.
    result = estimate(forced_response(2 / 3, 1 / 6), [175, 25])
    assert result.proportions[1] == pytest.approx(-0.0625, abs=1e-15)
    assert result.standard_errors[1] == pytest.approx(sqrt(0.125 * 0.875 / 199) * 3 / 2)
    assert result.projected()[1] == 0
    assert result.note("outside_range") is not None
    # The score test keeps x while |1/8 - s| <= 1.96 sqrt(s (1 - s) / 200), s = 1/6 + 2x/3.
    high, z = result.possible_interval()[1, 1], 1.959963984540054
    share = 1 / 6 + 2 / 3 * high
    assert share - 1 / 8 == pytest.approx(z * sqrt(share * (1 - share) / 200), abs=1e-6)
    likeliest = estimate(forced_response(2 / 3, 1 / 6), [175, 25], method="mle")
    assert likeliest.proportions[1] == 0
    assert 0.03 < likeliest.standard_errors[1] < 0.05
