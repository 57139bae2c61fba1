"""The stochastic lie detector of Moshagen, Musch & Erdfelder."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binom, chi2

from rr_engine.compliance import cheating_share, stochastic_lie_detector
from rr_engine.designs import mangat
from rr_engine.errors import ArgumentError, CountsError

CASES = [
    (0.2, 0.8, [330, 670], [690, 310]),
    (0.3, 0.6, [110, 90], [160, 60]),
    (0.9, 0.1, [75, 25], [31, 69]),
]


def closed_form(p1, p2, counts1, counts2):
    """Model "SLD" of RRreg 0.7.6 (RRuni.SLD in R/RRuni_models.R): pi, t and their errors."""
    n1, n2 = sum(counts1), sum(counts2)
    l1, l2 = counts1[1] / n1, counts2[1] / n2
    v1, v2 = l1 * (1 - l1) / (n1 - 1), l2 * (1 - l2) / (n2 - 1)
    pi = ((l2 - l1) + (p2 - p1)) / (p2 - p1)
    t = (l2 * (1 - p1) - l1 * (1 - p2)) / ((l2 - l1) + (p2 - p1))
    below = (p1 - p2 + l1 - l2) ** 2
    first, second = (p1 - p2) * (p2 + l2 - 1) / below, (p1 - p2) * (p1 + l1 - 1) / below
    errors = np.sqrt((v1 + v2) / (p1 - p2) ** 2), np.sqrt(v1 * first**2 + v2 * second**2)
    return [pi, t], errors


@pytest.mark.parametrize("case", CASES)
def test_values_and_errors_are_those_of_rrreg(case):
    found = stochastic_lie_detector(*case)
    values, errors = closed_form(*case)
    assert found.values == pytest.approx(values, abs=1e-9)
    assert found.standard_errors == pytest.approx(errors, rel=1e-9)


def test_it_is_the_cheating_share_where_all_cheaters_are_carriers():
    p1, p2, *counts = CASES[0]
    types = cheating_share([mangat(p1), mangat(p2)], counts)
    found = stochastic_lie_detector(p1, p2, *counts)
    assert found.values[0] * (1 - found.values[1]) == pytest.approx(types.cheaters)
    assert (found.statistic, found.p_value) == (types.statistic, types.p_value)


def loss(parameters, p, counts):
    pi, t = parameters
    total = 0.0
    for chance, (no, yes) in zip(p, counts, strict=True):
        share = np.clip(pi * t + (1 - pi) * (1 - chance), 1e-300, 1 - 1e-16)
        total -= yes * np.log(share) + no * np.log1p(-share)
    return total


@pytest.mark.parametrize("case", [CASES[0], (0.2, 0.8, [20, 80], [79, 21])])
def test_ends_lie_where_the_profile_likelihood_says(case):
    p, counts = case[:2], case[2:]
    found = stochastic_lie_detector(*case)

    def least(bounds):
        starts = product(*(np.linspace(low, high, 4)[1:3] for low, high in bounds))
        return min(minimize(loss, s, (p, counts), bounds=bounds).fun for s in starts)

    best = least([(0, 1)] * 2)
    assert loss(found.maximum_likelihood, p, counts) == pytest.approx(best, abs=1e-5)
    for (which, _), end in np.ndenumerate(found.intervals):
        bounds = [(0, 1), (0, 1)]
        bounds[which] = (end, end)
        drop = least(bounds) - best
        if 0 < end < 1:
            assert drop == pytest.approx(chi2.ppf(0.95, 1) / 2, abs=1e-3)
        else:
            assert drop <= chi2.ppf(0.95, 1) / 2 + 1e-6


@pytest.mark.slow
def test_intervals_cover():
    # Every outcome of two groups of 5, but for the unlikely ones.
    p, n, truth, held, total = (0.2, 0.8), 5, (0.4, 0.6), np.zeros(2), 0.0
    pi, t = truth
    chances = [binom.pmf(np.arange(n + 1), n, pi * t + (1 - pi) * (1 - one)) for one in p]
    for yes in product(range(n + 1), repeat=2):
        chance = chances[0][yes[0]] * chances[1][yes[1]]
        if chance > 8e-3:
            ends = stochastic_lie_detector(*p, *([n - one, one] for one in yes)).intervals
            held += chance * ((ends[:, 0] - 1e-9 <= truth) & (truth <= ends[:, 1] + 1e-9))
            total += chance
    assert total > 0.9
    assert (held / total >= 0.93).all(), held


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("no_reports", ([0, 0], [3, 4])),
        ("one_report", ([1, 0], [3, 4])),
        ("all_alike", ([9, 0], [3, 4])),
        ("no_carriers", ([10, 90], [90, 10])),
    ],
)
def test_trouble_is_said_and_every_number_is_one(code, counts):
    found = stochastic_lie_detector(0.2, 0.8, *counts)
    assert code in {note.code for note in found.notes}
    for numbers in (found.values, found.covariance, found.maximum_likelihood, found.intervals):
        assert not np.isnan(numbers).any()
    assert (found.intervals[:, 0] <= found.maximum_likelihood + 1e-9).all()
    assert (found.maximum_likelihood <= found.intervals[:, 1] + 1e-9).all()


def test_without_carriers_their_honesty_can_be_anything():
    found = stochastic_lie_detector(0.2, 0.8, [20, 80], [80, 20])
    assert found.values[0] == pytest.approx(0, abs=1e-12)
    assert found.intervals[1].tolist() == [0, 1]
    assert found.p_value == 1


def test_refuses_what_cannot_be_told():
    with pytest.raises(ArgumentError, match="p2 must differ from p1"):
        stochastic_lie_detector(0.4, 0.4, [5, 5], [5, 5])
    with pytest.raises(ArgumentError, match="p1 must be a probability"):
        stochastic_lie_detector(1.4, 0.4, [5, 5], [5, 5])
    with pytest.raises(CountsError, match="counts2"):
        stochastic_lie_detector(0.2, 0.4, [5, 5], [5, 5, 5])
