"""Relaxed reports on a mean, enumerated in rational arithmetic."""

from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest

from rr_engine.bounded import MeanDevice, flip_chance, relax_mean_report, relaxed_chance
from tests.engine.engine_cases import refusal

EPSILONS = ("0.1", "0.5", "1", "2.5")


def chains(steps):
    """Yield chains of two to four devices; short denominators keep the fractions short."""
    devices = [MeanDevice.from_epsilon(steps, epsilon, bits=16) for epsilon in EPSILONS]
    for length in (2, 3, 4):
        yield from combinations(devices, length)


def step_chance(report, previous, value, pair):
    one = relaxed_chance(previous, value, *pair)
    return one if report == 1 else 1 - one


def joint_chances(chain, value):
    """Return the chance of every sequence of reports of a person with this number."""
    found = {}
    for reports in product((0, 1), repeat=len(chain)):
        chance = chain[0].chance(value, reports[0])
        for pair, (previous, report) in zip(pairwise(chain), pairwise(reports), strict=True):
            chance *= step_chance(report, previous, value, pair)
        found[reports] = chance
    return found


@pytest.mark.parametrize("steps", range(1, 7))
def test_every_step_is_the_declared_device_and_the_chain_leaks_the_last_epsilon(steps):
    for chain in chains(steps):
        tables = [joint_chances(chain, value) for value in range(steps + 1)]
        for value, table in enumerate(tables):
            assert sum(table.values()) == 1
            for position, device in enumerate(chain):
                one = sum(chance for reports, chance in table.items() if reports[position] == 1)
                assert one == device.chance(value)
        ratios = [
            max(table[reports] for table in tables) / min(table[reports] for table in tables)
            for reports in tables[0]
        ]
        assert max(ratios) == chain[-1].likelihood_ratio_bound


@pytest.mark.parametrize("steps", [1, 3, 6])
def test_the_reports_before_say_nothing_beside_the_last(steps):
    chain = next(chain for chain in chains(steps) if len(chain) == 4)
    tables = [joint_chances(chain, value) for value in range(steps + 1)]
    for reports in tables[0]:
        parts = {
            table[reports] / chain[-1].chance(value, reports[-1])
            for value, table in enumerate(tables)
        }
        assert len(parts) == 1


def test_a_new_draw_instead_of_a_relaxation_leaks_more():
    chain = MeanDevice.from_epsilon(2, "1", bits=16), MeanDevice.from_epsilon(2, "2", bits=16)
    both = [chain[0].chance(value) * chain[1].chance(value) for value in range(3)]
    assert max(both) / min(both) > chain[1].likelihood_ratio_bound


def test_the_channel_between_two_devices_changes_reports_alike():
    now, after = MeanDevice.from_epsilon(5, "0.7"), MeanDevice.from_epsilon(5, "1.9")
    flip = flip_chance(now, after)
    assert 0 < flip < Fraction(1, 2)
    for value in range(6):
        one = after.chance(value)
        assert (1 - flip) * one + flip * (1 - one) == now.chance(value)


def test_the_kernel_is_that_of_the_rounded_number_averaged_over_it():
    now, after = MeanDevice.from_epsilon(4, "0.7"), MeanDevice.from_epsilon(4, "1.9")
    for value, previous in product(range(5), (0, 1)):
        # Which end the number was rounded to, given the report; then the kernel of that end.
        shares = {0: Fraction(4 - value, 4), 4: Fraction(value, 4)}
        weights = {end: share * now.chance(end, previous) for end, share in shares.items()}
        averaged = sum(
            weight / sum(weights.values()) * relaxed_chance(previous, end, now, after)
            for end, weight in weights.items()
        )
        assert averaged == relaxed_chance(previous, value, now, after)


def test_rounding_anew_for_the_next_report_leaks_more_than_was_declared():
    now, after = MeanDevice.from_epsilon(4, "1"), MeanDevice.from_epsilon(4, "2")
    changed_to_one = [
        now.chance(value, 0)
        * sum(
            share * relaxed_chance(0, end, now, after)
            for end, share in ((0, Fraction(4 - value, 4)), (4, Fraction(value, 4)))
        )
        for value in range(5)
    ]
    assert max(changed_to_one) / min(changed_to_one) > after.likelihood_ratio_bound


def test_the_draw_has_the_exact_chance():
    now, after = MeanDevice(2, 3, 1, 8), MeanDevice(2, 1, 3, 8)
    for previous, value in product((0, 1), range(3)):
        chance = relaxed_chance(previous, value, now, after)
        ones = sum(
            relax_mean_report(
                previous,
                value,
                now,
                after,
                lambda size, number=number: number.to_bytes(size, "big"),
            )
            for number in range(chance.denominator)
        )
        assert Fraction(ones, chance.denominator) == chance


def test_an_equal_device_keeps_the_report():
    device = MeanDevice.from_epsilon(9, "1")
    assert flip_chance(device, device) == 0
    for previous, value in product((0, 1), range(10)):
        assert relaxed_chance(previous, value, device, device) == previous


@pytest.mark.parametrize(
    ("after", "code"),
    [
        (MeanDevice.from_epsilon(5, "0.9"), "budget_falls"),
        (MeanDevice.from_epsilon(6, "2"), "categories_differ"),
    ],
)
def test_no_relaxation_to_a_lower_epsilon_or_another_grid(after, code):
    caught = refusal(flip_chance, MeanDevice.from_epsilon(5, "1"), after)
    assert (caught.argument, caught.code) == ("device_next", code)
