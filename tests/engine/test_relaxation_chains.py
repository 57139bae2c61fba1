"""Chains of devices: their event, their samples and their draws."""

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.privacy.loss import ratio_at_most
from tests.engine.engine_cases import refusal
from tests.engine.relaxation_cases import DRAWS, PAIRS, check_exact, lopsided


def test_a_chain_is_an_event_of_the_accountant():
    chain = rr.relaxation.Chain([rr.k_rr(3, e) for e in ("0.5", "1", "2")])
    event = chain.event(["0.5", "1", "2"])
    assert isinstance(event, rr.privacy.Relaxation)
    assert rr.privacy.total_epsilon(event) == 2
    # Never above the declared epsilon, and below it by rounding to integers alone.
    assert 2 - 1e-8 < chain.epsilon <= 2
    assert refusal(chain.event, ["0.5", "1", "1.9"]).code == "declaration_not_kept"
    assert refusal(chain.event, ["2"]).code == "not_a_chain"


def test_a_chain_that_does_not_hold_names_its_link():
    error = refusal(rr.relaxation.Chain, [rr.k_rr(3, e) for e in (1, 2, 1.5)])
    assert (error.argument, error.code) == ("designs[1]", "no_relaxation")
    refusal(rr.relaxation.Chain, [])


@pytest.mark.slow
def test_a_sampled_chain_has_the_law_of_the_chain():
    for designs in (lopsided(), [rr.k_rr(3, e) for e in ("0.5", "1", "2")]):
        chain = rr.relaxation.Chain(designs)
        for truth in (0, 2):
            drawn = chain.sample(np.full(DRAWS, truth), 5)
            law = chain.law(truth)
            tuples, counts = np.unique(drawn, axis=0, return_counts=True)
            observed = dict(zip(map(tuple, tuples.tolist()), counts.tolist(), strict=True))
            assert set(observed) <= set(law)
            for reports, chance in law.items():
                expected = DRAWS * float(chance)
                # Within 5 standard errors of a count.
                assert abs(observed.get(reports, 0) - expected) < 5 * expected**0.5 + 1


NESTED = (
    rr.channels.ProductChannel([rr.channels.UniformChannel(2, 9, 7, 16), PAIRS["product"][0]]),
    rr.channels.ProductChannel([rr.channels.UniformChannel(2, 10, 6, 16), PAIRS["product"][1]]),
)
SAMPLED = {
    "products of products": NESTED,
    **{name: PAIRS[name] for name in ("product", "joint", "uniform, then joint", "scale")},
    "answer-reversing": PAIRS["k-ary, answer-reversing"],
}


@pytest.mark.parametrize("name", SAMPLED)
def test_every_step_of_a_chain_is_sampled_by_its_table(name):
    chain = rr.relaxation.Chain(SAMPLED[name])
    drawn = chain.sample(np.full(DRAWS, 1), 9)
    for position, design in enumerate(chain.designs):
        shares = np.bincount(drawn[:, position], minlength=design.tally_size) / DRAWS
        # Within 5 standard errors (at most .0011 each).
        assert shares == pytest.approx(design.matrix[:, 1], abs=0.0056)
    reports = range(chain.designs[0].tally_size)
    assert all(report in reports for report in chain.draw(1))
    (degradation,) = chain.degradations
    assert rr.relaxation.draw_relaxed(degradation, *chain.designs, reports[-1], 1) in reports
    if "product" not in name:
        expected = degradation.integers.astype(float) / degradation.denominator
        assert degradation.matrix == pytest.approx(expected, rel=1e-12)


def test_laws_and_weights_of_products_and_of_long_chains_are_not_listed():
    chain = rr.relaxation.Chain(PAIRS["product"])
    error = refusal(rr.relaxation.exact_kernel_weights, chain.degradations[0], *chain.designs, 0, 0)
    assert error.code == refusal(chain.law, 0).code == "table_not_available"
    assert (
        refusal(rr.relaxation.Chain([rr.k_rr(50, e) for e in (1, 2, 3)]).law, 0).code
        == "too_many_cells"
    )


def test_reports_that_a_device_does_not_know_are_refused():
    (degradation,) = rr.relaxation.Chain(NESTED).degradations
    bits = rr.relaxation.exact_degradation(*[rr.channels.BitChannel.from_epsilon(3, 1)] * 2)
    for draw, given in (
        (rr.relaxation.draw_relaxed, (degradation, *NESTED, 12, 7)),
        (rr.relaxation.draw_degraded, (degradation, 12)),
        (rr.relaxation.draw_degraded, (bits, (1, 0))),
    ):
        assert refusal(draw, *given).code == "unknown_report"
    others = [rr.channels.UniformChannel(12, 5, 1, 16)] * 2
    assert isinstance(
        refusal(rr.relaxation.draw_relaxed, degradation, *others, 0, 0), rr.errors.DesignError
    )


def test_devices_without_information_and_large_kernels():
    useless = rr.DesignMatrix.from_integers([[2, 2], [1, 1], [1, 1]], 4)
    check_exact(rr.relaxation.exact_degradation(useless, useless), useless, useless)
    certain = rr.DesignMatrix.from_integers([[3, 3], [1, 1]], 4)
    check_exact(rr.relaxation.exact_degradation(certain, useless), certain, useless)
    pair = rr.channels.UniformChannel(3, 2**29, 7 * 2**28, 2**32), rr.k_rr(3, "0.1")
    for compute in (rr.relaxation.relaxation_kernel, rr.relaxation.exact_degradation):
        assert refusal(compute, *pair).value[:2] == ("0", "0")
    error = refusal(rr.relaxation.relaxation_kernel, rr.k_rr(300, 1), rr.k_rr(300, 2))
    assert error.code == "table_too_large"


def test_a_chain_of_one_is_its_device():
    chain = rr.relaxation.Chain([rr.k_rr(3, 1)])
    assert chain.degradations == ()
    assert chain.sample([0, 1], 1).shape == (2, 1)
    assert len(chain.draw(2)) == 1


def uneven(seed, reports, truths, epsilon):
    """A table that mostly tells the truth, uneven like searched ones, of at most this epsilon."""
    uniforms = np.random.default_rng(seed).random((reports, truths))
    weights = np.exp(epsilon * (uniforms + np.eye(reports, truths)) / 4)
    return rr.DesignMatrix(weights / weights.sum(axis=0), declared_epsilon=str(epsilon))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("first", "second"), [(4, 4), (4, 6), (6, 4)])
def test_a_degraded_copy_is_exact_and_keeps_to_its_epsilon(seed, first, second):
    later = uneven(seed, second, 4, 2).quantized()
    target = uneven(seed + 100, first, 4, 1)
    design, degradation = rr.relaxation.degraded_copy(later, target)
    assert design.epsilon_at_most("1")
    assert (degradation.integers @ later.integers == design.integers).all()
    assert degradation.denominator * later.denominator == design.denominator <= 2**52
    assert (
        rr.relaxation.Chain([design, later]).likelihood_ratio_bound == later.likelihood_ratio_bound
    )


def test_the_degraded_copy_of_a_device_that_fits_is_that_device():
    later = rr.k_rr(4, 2).quantized()
    design, _ = rr.relaxation.degraded_copy(later, rr.k_rr(4, 1))
    # 20 bits are left for the degradation.
    assert design.matrix == pytest.approx(rr.k_rr(4, 1).matrix, abs=2e-6)
    assert (
        refusal(rr.relaxation.degraded_copy, later, rr.k_rr(4, 1), bits=32).code == "too_few_bits"
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 6, 7])
def test_a_next_device_is_found_where_the_target_does_not_fit(seed):
    now, target = uneven(seed, 4, 4, 1).quantized(), uneven(seed + 50, 4, 4, 2)
    with pytest.raises(rr.errors.DesignError):
        rr.relaxation.exact_degradation(now, target)
    later = rr.relaxation.relaxable_next(now, target)
    assert ratio_at_most(later.likelihood_ratio_bound, target.declared_epsilon)
    assert rr.relaxation.exact_degradation(now, later).next_size == 4
    # Nearer to the target than the device in use is.
    assert distance(later, target) < distance(now, target)
    chain = rr.relaxation.Chain([now, later])
    assert chain.likelihood_ratio_bound > now.likelihood_ratio_bound


def distance(first, second):
    return np.abs(first.matrix - second.matrix).sum()


def test_a_target_that_fits_is_kept():
    now = rr.designs.card_deck(6, "0.5").quantized()
    target = rr.designs.card_deck(6, "1")
    assert rr.relaxation.relaxable_next(now, target) == target.quantized()


def test_what_cannot_be_repaired_is_refused():
    now = rr.designs.subset_selection(6, 0.5, k=3).quantized()
    with pytest.raises(rr.errors.DesignError) as caught:
        rr.relaxation.relaxable_next(now, rr.designs.card_deck(6, 0.6, k=2))
    assert caught.value.code == "no_relaxation"
    error = refusal(rr.relaxation.relaxable_next, rr.k_rr(3, 2).quantized(), rr.k_rr(3, 1))
    assert error.code == "no_relaxation"
    with pytest.raises(rr.EngineError):
        rr.relaxation.relaxable_next(rr.k_rr(3, 2), rr.channels.UniformChannel(3, 4, 1, 6))


@pytest.mark.parametrize("size", [5, 6, 7, 10, 13, 16, 30])
def test_the_same_cards_at_a_higher_epsilon_need_few_integers(size):
    now = rr.designs.card_deck(size, "0.5").quantized()
    later = rr.relaxation.sharpened(now, "1")
    assert later.epsilon_at_most("1")
    # A factor is one of 2**20 to 2**21, in steps of at most 60.
    assert later.epsilon > 0.9998
    same_cards = rr.designs.card_deck(size, "1", k=now_size(size))
    if same_cards.reports == now.reports:
        assert later.matrix == pytest.approx(same_cards.matrix, abs=1e-5)
    degradation = rr.relaxation.exact_degradation(now, later)
    assert isinstance(degradation, rr.relaxation.UniformDegradation)
    assert degradation.denominator < 2**32
    chain = rr.relaxation.Chain([now, later])
    assert chain.likelihood_ratio_bound == later.likelihood_ratio_bound


def now_size(size):
    return rr.designs.card_deck(size, "0.5").subset_size


@pytest.mark.parametrize("seed", range(4))
def test_any_table_can_be_sharpened(seed):
    now = uneven(seed, 5, 4, 1).quantized()
    later = rr.relaxation.sharpened(now, "2.5")
    assert later.epsilon_at_most("2.5")
    assert later.epsilon > 2.499
    degradation = rr.relaxation.exact_degradation(now, later)
    degraded = degradation.integers @ later.integers * now.denominator
    expected = now.integers.astype(object) * later.denominator * degradation.denominator
    assert (degraded == expected).all()


def test_sharpening_is_refused_where_there_is_nothing_to_take_out():
    now = rr.k_rr(3, 1).quantized()
    with pytest.raises(rr.errors.EpsilonError) as caught:
        rr.relaxation.sharpened(now, "0.9")
    assert caught.value.code == "epsilon_too_small"
    with pytest.raises(rr.errors.EpsilonError):
        rr.relaxation.sharpened(rr.designs.direct(3), "2")
    assert refusal(rr.relaxation.sharpened, now, "2", bits=32).code == "too_few_bits"
    assert rr.relaxation.sharpened(now, "2").matrix == pytest.approx(rr.k_rr(3, 2).matrix, abs=1e-6)
