"""Chains of devices: their event, their samples and their draws."""

import numpy as np
import pytest

import rr_engine
from rr_engine import (
    AccountingError,
    ArgumentError,
    BitChannel,
    CategoryError,
    DesignError,
    DesignMatrix,
    ProductChannel,
    UniformChannel,
    draw_degraded,
    draw_relaxed,
    exact_degradation,
    exact_kernel_weights,
    relaxation_kernel,
    total_epsilon,
)
from rr_engine.library import Chain
from tests.engine.channel_cases import COIN
from tests.engine.relaxation_cases import DRAWS, PAIRS, check_exact, lopsided


def test_a_chain_is_an_event_of_the_accountant():
    chain = Chain([rr_engine.k_rr(3, e) for e in ("0.5", "1", "2")])
    event = chain.event(["0.5", "1", "2"])
    assert isinstance(event, rr_engine.Relaxation)
    assert total_epsilon(event) == 2
    # Never above the declared epsilon, and below it by rounding to integers alone.
    assert 2 - 1e-8 < chain.epsilon <= 2
    with pytest.raises(AccountingError) as caught:
        chain.event(["0.5", "1", "1.9"])
    assert caught.value.code == "declaration_not_kept"
    with pytest.raises(AccountingError) as caught:
        chain.event(["2"])
    assert caught.value.code == "not_a_chain"


def test_a_chain_that_does_not_hold_names_its_link():
    with pytest.raises(DesignError) as caught:
        Chain([rr_engine.k_rr(3, e) for e in (1, 2, 1.5)])
    assert (caught.value.argument, caught.value.code) == ("designs[1]", "no_relaxation")
    with pytest.raises(ArgumentError):
        Chain([])


@pytest.mark.slow
def test_a_sampled_chain_has_the_law_of_the_chain():
    for designs in (lopsided(), [rr_engine.k_rr(3, e) for e in ("0.5", "1", "2")]):
        chain = Chain(designs)
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


def test_products_are_sampled_and_drawn():
    chain = Chain(PAIRS["product"])
    drawn = chain.sample(np.full(DRAWS, 4), 6)
    for position, design in enumerate(chain.designs):
        shares = np.bincount(drawn[:, position], minlength=6) / DRAWS
        # Within 5 standard errors (at most .0011 each).
        assert shares == pytest.approx(design.matrix[:, 4], abs=0.0056)
    assert all(0 <= report < 6 for report in chain.draw(4))
    with pytest.raises(ArgumentError) as caught:
        chain.law(0)
    assert caught.value.code == "table_not_available"
    with pytest.raises(ArgumentError) as caught:
        exact_kernel_weights(chain.degradations[0], *chain.designs, 0, 0)
    assert caught.value.code == "table_not_available"
    with pytest.raises(ArgumentError) as caught:
        Chain([rr_engine.k_rr(50, e) for e in (1, 2, 3)]).law(0)
    assert caught.value.code == "too_many_cells"


@pytest.mark.parametrize(
    "name", ["joint", "uniform, then joint", "k-ary, answer-reversing", "scale"]
)
def test_chains_of_other_tables_are_sampled(name):
    chain = Chain(PAIRS[name])
    drawn = chain.sample(np.full(DRAWS, 1), 9)
    for position, design in enumerate(chain.designs):
        shares = np.bincount(drawn[:, position], minlength=design.tally_size) / DRAWS
        # Within 5 standard errors (at most .0011 each).
        assert shares == pytest.approx(design.matrix[:, 1], abs=0.0056)
    degradation = chain.degradations[0]
    expected = degradation.integers.astype(float) / degradation.denominator
    assert degradation.matrix == pytest.approx(expected, rel=1e-12)


def test_products_of_products_are_drawn():
    inner = [ProductChannel([COIN, UniformChannel(3, 8, 4, 16)]), UniformChannel(2, 9, 7, 16)]
    outer = [
        ProductChannel([rr_engine.warner(0.9).quantized(), UniformChannel(3, 10, 3, 16)]),
        UniformChannel(2, 10, 6, 16),
    ]
    chain = Chain([ProductChannel(inner), ProductChannel(outer)])
    drawn = chain.sample(np.full(DRAWS, 7), 10)
    shares = np.bincount(drawn[:, 0], minlength=12) / DRAWS
    # Within 5 standard errors (at most .0011 each).
    assert shares == pytest.approx(chain.designs[0].matrix[:, 7], abs=0.0056)
    assert all(0 <= report < 12 for report in chain.draw(7))
    assert 0 <= draw_relaxed(chain.degradations[0], *chain.designs, 11, 7) < 12
    for draw in (
        lambda: draw_relaxed(chain.degradations[0], *chain.designs, 12, 7),
        lambda: draw_degraded(chain.degradations[0], 12),
        lambda: draw_degraded(exact_degradation(*[BitChannel.from_epsilon(3, 1)] * 2), (1, 0)),
    ):
        with pytest.raises(CategoryError) as caught:
            draw()
        assert caught.value.code == "unknown_report"
    with pytest.raises(DesignError):
        draw_relaxed(chain.degradations[0], *[UniformChannel(12, 5, 1, 16)] * 2, 0, 0)


def test_devices_without_information_and_large_kernels():
    useless = DesignMatrix.from_integers([[2, 2], [1, 1], [1, 1]], 4)
    check_exact(exact_degradation(useless, useless), useless, useless)
    certain = DesignMatrix.from_integers([[3, 3], [1, 1]], 4)
    check_exact(exact_degradation(certain, useless), certain, useless)
    for compute in (relaxation_kernel, exact_degradation):
        with pytest.raises(DesignError) as caught:
            compute(UniformChannel(3, 2**29, 7 * 2**28, 2**32), rr_engine.k_rr(3, "0.1"))
        assert caught.value.value[:2] == ("0", "0")
    with pytest.raises(ArgumentError) as caught:
        relaxation_kernel(rr_engine.k_rr(300, 1), rr_engine.k_rr(300, 2))
    assert caught.value.code == "table_too_large"


def test_a_chain_of_one_is_its_device():
    chain = Chain([rr_engine.k_rr(3, 1)])
    assert chain.degradations == ()
    assert chain.sample([0, 1], 1).shape == (2, 1)
    assert len(chain.draw(2)) == 1
