from decimal import Decimal

import pytest

from rr_engine import (
    AccountingError,
    Composition,
    Direct,
    EpsilonError,
    Randomized,
    Relaxation,
    total_epsilon,
)
from rr_engine.library import randomized_epsilon, within_budget


def test_tenths_add_up_without_rounding():
    event = Composition([Randomized(0.1), Randomized("0.2")])
    assert total_epsilon(event) == Decimal("0.3")
    assert within_budget(event, 0.3)
    assert not within_budget(event, "0.29999999999999999999999999999999999999")


def test_sums_of_many_and_of_very_different_sizes_are_exact():
    assert total_epsilon(Composition([Randomized("0.1")] * 1000)) == 100
    tiny = Composition([Randomized("700"), Randomized("1e-50")])
    assert total_epsilon(tiny) == Decimal("700." + "0" * 49 + "1")
    assert not within_budget(tiny, 700)


def test_composition_nests_and_may_be_empty():
    inner = Composition([Randomized(1), Randomized("0.5")])
    assert total_epsilon(Composition([inner, inner, Randomized(2)])) == 5
    assert total_epsilon(Composition([])) == 0


def test_a_chain_of_relaxations_costs_its_last_step():
    chain = Relaxation([Randomized("0.5"), Randomized(1), Randomized(2)])
    assert total_epsilon(chain) == 2
    assert total_epsilon(Composition([chain, Randomized("0.5")])) == Decimal("2.5")


def test_direct_answers_have_no_finite_loss_and_stand_outside_the_budget():
    survey = Composition([Randomized("1.5"), Direct(), Composition([Direct(), Randomized(1)])])
    assert total_epsilon(survey) == Decimal("Infinity")
    assert randomized_epsilon(survey) == Decimal("2.5")
    assert within_budget(survey, "2.5")
    assert randomized_epsilon(Direct()) == 0


def test_events_are_immutable_values():
    assert Randomized(0.1) == Randomized("0.1")
    assert len({Randomized(0.1), Randomized("0.1"), Direct(), Direct()}) == 2
    with pytest.raises(AttributeError):
        Randomized(1).epsilon = 2


@pytest.mark.parametrize(
    "events", [[], [Direct()], [Randomized(2), Randomized(1)], [Composition([])]]
)
def test_refuses_a_chain_that_is_no_relaxation(events):
    with pytest.raises(AccountingError):
        Relaxation(events)


@pytest.mark.parametrize("unknown", [1, "1", None, object(), Decimal(1), [Randomized(1)]])
def test_refuses_what_it_does_not_know(unknown):
    for account in (total_epsilon, randomized_epsilon):
        with pytest.raises(AccountingError):
            account(unknown)
    with pytest.raises(AccountingError):
        Composition([unknown])


def test_refuses_a_subclass_whose_rule_it_cannot_know():
    class Cheaper(Randomized):
        """Says it costs less."""

    with pytest.raises(AccountingError):
        total_epsilon(Cheaper(1))
    with pytest.raises(AccountingError):
        Composition([Cheaper(1)])


@pytest.mark.parametrize("epsilon", [0, -1, "nan", float("inf"), None, True])
def test_refuses_budgets_that_guarantee_nothing(epsilon):
    with pytest.raises(EpsilonError):
        Randomized(epsilon)


@pytest.mark.parametrize("events", [None, 3, Randomized(1)])
def test_refuses_what_is_no_sequence(events):
    with pytest.raises(AccountingError):
        Composition(events)
