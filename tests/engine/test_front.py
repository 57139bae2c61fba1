"""Fronts: measured anew, undominated, with true gaps."""

from itertools import pairwise

import numpy as np
import pytest

from rr_engine.optimisation import mse_lower_bound
from rr_engine.optimisation.front import lowest_errors, members_of
from tests.engine.optimal_cases import DELTA, PRIORS, N, exact_measures

PRIOR = PRIORS["normal"]


@pytest.fixture(scope="module")
def certificates():
    return [mse_lower_bound(PRIOR, N, privacy, DELTA) for privacy in (0.3, 0.45, 0.6, 0.72)]


def rough_matrices():
    """Stochastic but for a solver's rounding, some beyond the bound."""
    rng = np.random.default_rng(2)
    columns = np.swapaxes(rng.dirichlet(np.ones(10), size=(40, 10)), 1, 2)
    share = np.linspace(0.1, 0.9, 40)[:, None, None]
    return list(share * np.eye(10) + (1 - share) * columns + 1e-10 * rng.normal(size=(40, 10, 10)))


@pytest.mark.slow
def test_members_are_stochastic_within_bounds_and_measured_as_they_are(certificates):
    members, _ = members_of(rough_matrices(), N, DELTA, None, certificates)
    for member in members:
        assert np.abs(member.matrix.sum(axis=0) - 1).max() < 1e-12
        assert member.matrix.min() >= 0
        assert not member.matrix.flags.writeable
        privacy, error, worst = map(float, exact_measures(member.matrix, PRIOR))
        assert member.privacy == pytest.approx(privacy, rel=1e-12)
        assert member.mse == pytest.approx(error / N, rel=1e-11)
        assert member.worst_posterior == pytest.approx(worst, rel=1e-12)
        assert member.worst_posterior <= DELTA + 1e-12
        assert member.epsilon == pytest.approx(member.design().epsilon, rel=1e-12)
        assert member.mse == pytest.approx(member.design().mse(PRIOR, N), rel=1e-11)


def test_no_member_beats_another(certificates):
    members, _ = members_of(rough_matrices(), N, DELTA, None, certificates)
    assert len(members) > 3
    for before, after in pairwise(members):
        assert before.privacy < after.privacy
        assert before.mse < after.mse


def test_gaps_are_measured_from_a_bound_that_holds(certificates):
    members, _ = members_of(rough_matrices(), N, DELTA, None, certificates)
    for member in [member for member in members if member.privacy < 0.7][::8]:
        own = mse_lower_bound(PRIOR, N, member.privacy, DELTA)
        claimed = member.mse / (1 + member.gap)
        # A certificate made for another level proves less here, never more.
        assert claimed <= own.value * (1 + 1e-9)
        assert member.gap >= 0


def test_each_certificate_proves_its_own_bound_where_it_was_made(certificates):
    levels = np.array([certificate.privacy for certificate in certificates])
    together = lowest_errors(certificates, levels) / N
    own = np.array([certificate.bound for certificate in certificates])
    assert (together >= own * (1 - 1e-12)).all()
    assert together == pytest.approx(own, rel=1e-5)


def test_a_budget_bounds_members_and_certificates(certificates):
    certificates = [*certificates, mse_lower_bound(PRIOR, N, epsilon="1.5")]
    members, _ = members_of(rough_matrices(), N, DELTA, "1.5", certificates)
    for member in members:
        assert member.epsilon <= 1.5 + 1e-9
        assert member.mse >= certificates[-1].bound


def test_nothing_found_is_an_empty_front(certificates):
    assert members_of([], N, DELTA, None, certificates) == ((), 0.0)
