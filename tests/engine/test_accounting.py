from decimal import Decimal

import pytest

import rr_engine as rr
from rr_engine import library as lib


def test_tenths_add_up_without_rounding():
    event = rr.Composition([rr.Randomized(0.1), rr.Randomized("0.2")])
    assert rr.total_epsilon(event) == Decimal("0.3")
    assert lib.within_budget(event, 0.3)
    assert not lib.within_budget(event, "0.29999999999999999999999999999999999999")


def test_sums_of_many_and_of_very_different_sizes_are_exact():
    assert rr.total_epsilon(rr.Composition([rr.Randomized("0.1")] * 1000)) == 100
    tiny = rr.Composition([rr.Randomized("700"), rr.Randomized("1e-50")])
    assert rr.total_epsilon(tiny) == Decimal("700." + "0" * 49 + "1")
    assert not lib.within_budget(tiny, 700)


def test_composition_nests_and_may_be_empty():
    inner = rr.Composition([rr.Randomized(1), rr.Randomized("0.5")])
    assert rr.total_epsilon(rr.Composition([inner, inner, rr.Randomized(2)])) == 5
    assert rr.total_epsilon(rr.Composition([])) == 0


def test_a_chain_of_relaxations_costs_its_last_step():
    chain = rr.Relaxation([rr.Randomized("0.5"), rr.Randomized(1), rr.Randomized(2)])
    assert rr.total_epsilon(chain) == 2
    assert rr.total_epsilon(rr.Composition([chain, rr.Randomized("0.5")])) == Decimal("2.5")


def test_direct_answers_have_no_finite_loss_and_stand_outside_the_budget():
    survey = rr.Composition(
        [rr.Randomized("1.5"), rr.Direct(), rr.Composition([rr.Direct(), rr.Randomized(1)])]
    )
    assert rr.total_epsilon(survey) == Decimal("Infinity")
    assert lib.randomized_epsilon(survey) == Decimal("2.5")
    assert lib.within_budget(survey, "2.5")
    assert lib.randomized_epsilon(rr.Direct()) == 0


def test_events_are_immutable_values():
    assert rr.Randomized(0.1) == rr.Randomized("0.1")
    assert len({rr.Randomized(0.1), rr.Randomized("0.1"), rr.Direct(), rr.Direct()}) == 2
    with pytest.raises(AttributeError):
        rr.Randomized(1).epsilon = 2


@pytest.mark.parametrize(
    "events", [[], [rr.Direct()], [rr.Randomized(2), rr.Randomized(1)], [rr.Composition([])]]
)
def test_refuses_a_chain_that_is_no_relaxation(events):
    with pytest.raises(rr.AccountingError):
        rr.Relaxation(events)


def test_refuses_a_subclass_whose_rule_it_cannot_know():
    class Cheaper(rr.Randomized):
        """Says it costs less."""

    with pytest.raises(rr.AccountingError):
        rr.total_epsilon(Cheaper(1))
    with pytest.raises(rr.AccountingError):
        rr.Composition([Cheaper(1)])
