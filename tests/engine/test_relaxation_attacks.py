"""The four attacks of Pan et al. (2024), section 6, and the floor of their Theorem 6.1."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.relaxation_cases import STEPS, k_ary, lopsided

EPSILONS = [float(step) for step in STEPS]


def attacks(chain, size):
    weights = EPSILONS[: len(chain.designs)]
    return {
        "last": rr.relaxation.guess_last,
        "likelihood": lambda reports: rr.relaxation.guess_most_likely(reports, chain),
        "frequency": lambda reports: rr.relaxation.guess_most_frequent(reports, size),
        "weights": lambda reports: rr.relaxation.guess_most_frequent(reports, size, weights),
    }


def exact_error(laws, guesses, tuples):
    """The chance that a guess is wrong, truths equally common, summed over all tuples."""
    right = sum(
        laws[guess].get(reports, Fraction(0))
        for guess, reports in zip(guesses, tuples, strict=True)
    )
    return 1 - right / len(laws)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_no_attack_errs_less_than_the_floor(size):
    chain = rr.relaxation.Chain(k_ary(size))
    laws = [chain.law(truth) for truth in range(size)]
    tuples = sorted(set().union(*laws))
    bound = chain.likelihood_ratio_bound
    floor = (size - 1) / (size - 1 + bound)
    # The best guess of all, truth by truth, for every tuple.
    best = 1 - sum(max(law[reports] for law in laws) for reports in tuples) / size
    assert best == floor
    errors = {
        name: exact_error(laws, attack(np.array(tuples)).tolist(), tuples)
        for name, attack in attacks(chain, size).items()
    }
    assert errors["last"] == errors["likelihood"] == floor
    assert floor < errors["weights"] <= errors["frequency"]
    assert rr.relaxation.attack_floor(size, STEPS[-1]) == pytest.approx(float(floor), rel=1e-7)


def test_redrawing_would_break_the_floor():
    # Three independent reports of epsilon 1 tell more than one of epsilon 1 does.
    design = rr.k_rr(2, 1).quantized()
    chances = [Fraction(int(entry), 2**32) for entry in design.integers[:, 0]]
    right = sum(
        chances[0] ** (3 - wrong) * chances[1] ** wrong * (1, 3)[wrong] for wrong in range(2)
    )
    assert 1 - right < 1 / (1 + design.likelihood_ratio_bound)


def test_the_likeliest_truth_is_that_of_the_last_report_for_any_tables():
    chain = rr.relaxation.Chain(lopsided())
    laws = [chain.law(truth) for truth in range(3)]
    tuples = sorted(set().union(*laws))
    guesses = rr.relaxation.guess_most_likely(np.array(tuples), chain)
    for reports, guess in zip(tuples, guesses.tolist(), strict=True):
        likelihoods = [law[reports] for law in laws]
        assert likelihoods[guess] == max(likelihoods)
        last = chain.designs[-1].matrix[reports[-1]]
        assert last[guess] == last.max()


def test_ties_go_to_the_later_report():
    reports = [[0, 1], [1, 0], [2, 2], [0, 1]]
    assert rr.relaxation.guess_most_frequent(reports, 3).tolist() == [1, 0, 2, 1]
    assert rr.relaxation.guess_most_frequent(reports, 3, [2.0, 1.0]).tolist() == [0, 1, 2, 0]
    # .1 + .2 and .3 are equal weights, although not as floats.
    assert rr.relaxation.guess_most_frequent([[0, 0, 1]], 2, [0.1, 0.2, 0.3]).tolist() == [1]


def test_the_floor_is_the_theorems():
    assert rr.relaxation.attack_floor(2, 1) == pytest.approx(1 / (1 + exp(1)))
    assert rr.relaxation.attack_floor(5, 0.1) == pytest.approx(4 / (4 + exp(0.1)))
    assert rr.relaxation.attack_floor(3, 700) > 0


@pytest.mark.parametrize("reports", [[1, 2], [[0.5]], [[]], [[-1]], "no"])
def test_reports_are_checked(reports):
    with pytest.raises(rr.errors.ArgumentError):
        rr.relaxation.guess_last(reports)
    with pytest.raises(rr.errors.ArgumentError):
        rr.relaxation.guess_most_frequent(reports, 2)


def test_the_likelihood_wants_a_report_of_each_device():
    with pytest.raises(rr.errors.ArgumentError):
        rr.relaxation.guess_most_likely([[0]], rr.relaxation.Chain(k_ary(2)))
    with pytest.raises(rr.errors.ArgumentError):
        rr.relaxation.guess_most_frequent([[0, 3]], 3)
    with pytest.raises(rr.errors.ArgumentError):
        rr.relaxation.guess_most_frequent([[0, 1]], 3, [1.0])
