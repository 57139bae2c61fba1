from decimal import Decimal

import pytest

import rr_engine as rr


def test_tenths_add_up_without_rounding():
    event = rr.privacy.Composition([rr.privacy.Randomized(0.1), rr.privacy.Randomized("0.2")])
    assert rr.privacy.total_epsilon(event) == Decimal("0.3")
    assert rr.privacy.within_budget(event, 0.3)
    assert not rr.privacy.within_budget(event, "0.29999999999999999999999999999999999999")


def test_sums_of_many_and_of_very_different_sizes_are_exact():
    assert (
        rr.privacy.total_epsilon(rr.privacy.Composition([rr.privacy.Randomized("0.1")] * 1000))
        == 100
    )
    tiny = rr.privacy.Composition([rr.privacy.Randomized("700"), rr.privacy.Randomized("1e-50")])
    assert rr.privacy.total_epsilon(tiny) == Decimal("700." + "0" * 49 + "1")
    assert not rr.privacy.within_budget(tiny, 700)


def test_composition_nests_and_may_be_empty():
    inner = rr.privacy.Composition([rr.privacy.Randomized(1), rr.privacy.Randomized("0.5")])
    assert (
        rr.privacy.total_epsilon(rr.privacy.Composition([inner, inner, rr.privacy.Randomized(2)]))
        == 5
    )
    assert rr.privacy.total_epsilon(rr.privacy.Composition([])) == 0


def test_a_chain_of_relaxations_costs_its_last_step():
    chain = rr.privacy.Relaxation(
        [rr.privacy.Randomized("0.5"), rr.privacy.Randomized(1), rr.privacy.Randomized(2)]
    )
    assert rr.privacy.total_epsilon(chain) == 2
    assert rr.privacy.total_epsilon(
        rr.privacy.Composition([chain, rr.privacy.Randomized("0.5")])
    ) == Decimal("2.5")


def test_direct_answers_have_no_finite_loss_and_stand_outside_the_budget():
    survey = rr.privacy.Composition(
        [
            rr.privacy.Randomized("1.5"),
            rr.privacy.Direct(),
            rr.privacy.Composition([rr.privacy.Direct(), rr.privacy.Randomized(1)]),
        ]
    )
    assert rr.privacy.total_epsilon(survey) == Decimal("Infinity")
    assert rr.privacy.randomized_epsilon(survey) == Decimal("2.5")
    assert rr.privacy.within_budget(survey, "2.5")
    assert rr.privacy.randomized_epsilon(rr.privacy.Direct()) == 0


def test_events_are_immutable_values():
    assert rr.privacy.Randomized(0.1) == rr.privacy.Randomized("0.1")
    assert (
        len(
            {
                rr.privacy.Randomized(0.1),
                rr.privacy.Randomized("0.1"),
                rr.privacy.Direct(),
                rr.privacy.Direct(),
            }
        )
        == 2
    )
    with pytest.raises(AttributeError):
        rr.privacy.Randomized(1).epsilon = 2


@pytest.mark.parametrize(
    "events",
    [
        [],
        [rr.privacy.Direct()],
        [rr.privacy.Randomized(2), rr.privacy.Randomized(1)],
        [rr.privacy.Composition([])],
    ],
)
def test_refuses_a_chain_that_is_no_relaxation(events):
    with pytest.raises(rr.errors.AccountingError):
        rr.privacy.Relaxation(events)


def test_refuses_a_subclass_whose_rule_it_cannot_know():
    class Cheaper(rr.privacy.Randomized):
        """Says it costs less."""

    with pytest.raises(rr.errors.AccountingError):
        rr.privacy.total_epsilon(Cheaper(1))
    with pytest.raises(rr.errors.AccountingError):
        rr.privacy.Composition([Cheaper(1)])
