"""The reports of one answer to all tiers are audited together: colluding tells no more."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Page

from rr_engine.relaxation import Chain
from surveys.parameters import Chain as ChainTable
from surveys.parameters import Device
from surveys.parameters.exact import design_of
from tests.audit.audit import (
    BEYOND_DOUBT,
    SIGNIFICANCE,
    epsilon_lower_bound,
    exact_law,
    goodness_of_fit,
)
from tests.browser.rr_page import answer_of
from tests.builders import launched
from tests.vectors.case_lines import read_vectors

SETUP = """
const {checkDevice, drawReport} = await import("/static/js/rr/device.js");
const chain = await import("/static/js/rr/chain.js");
const {countTiers} = await import("/tests/audit/harness.js");
const mutants = await import("/tests/audit/mutants/devices.js");
const {raw, draws, name} = JSON.parse(text);
const device = checkDevice(raw, new Map([["chain", chain]]));
const draw = name === "shipping" ? drawReport : mutants[name];
return device.columns.map((_, truth) => countTiers(draw, device, truth, draws));
"""
TIERS = (("The public", "0.25"), ("Partners", "0.5"), ("Our own team", "1"))
EPSILONS = (0.25, 0.5, 1.0)
YES_NO = {"epsilon": "1"}
THREE = {"kind": "single_choice", "options": ["Never", "Once", "Often"], "epsilon": "1"}
MILLION = 1_000_000
Counts = npt.NDArray[np.int64]


def tiered(question: dict[str, Any]) -> tuple[Device, Any]:
    """A device of a launch with tiers, and as it is served."""
    launch = launched(questions=[question], tiers=TIERS)
    return launch.parameters.devices[0], launch.document["devices"][0]


def chain_of(device: Device) -> Chain:
    assert isinstance(device.table, ChainTable)
    return Chain([design_of(step) for step in device.table.steps])


def count_tiers(page: Page, served: Any, name: str, draws: int) -> Counts:
    """Counts by truth and by the report of every tier."""
    counts = np.array(answer_of(page, SETUP, {"raw": served, "draws": draws, "name": name}))
    sizes = [len(step["reports"]) for step in served["table"]["steps"]]
    return counts.reshape(-1, *sizes)


def seen_by(counts: Counts, tiers: tuple[int, ...]) -> Counts:
    """Counts by truth of what these tiers read together."""
    others = tuple(tier + 1 for tier in range(counts.ndim - 1) if tier not in tiers)
    return counts.sum(axis=others).reshape(len(counts), -1)


@pytest.mark.django_db
@pytest.mark.parametrize("question", [YES_NO, THREE], ids=["two answers", "three answers"])
def test_any_tiers_together_learn_exactly_what_the_highest_of_them_does(question: Any) -> None:
    """From the integers that are served, in rational arithmetic."""
    device, _served = tiered(question)
    chain = chain_of(device)
    laws = [chain.law(truth) for truth in range(chain.designs[0].truth_size)]
    for size in (1, 2, 3):
        for tiers in combinations(range(3), size):
            seen = [joint(law, tiers) for law in laws]
            ratio = max(
                max(law[reports] for law in seen) / min(law[reports] for law in seen)
                for reports in seen[0]
            )
            assert ratio == chain.designs[tiers[-1]].likelihood_ratio_bound
    for tier, design in enumerate(chain.designs):
        for truth, law in enumerate(laws):
            shares = joint(law, (tier,))
            column = [
                Fraction(int(entry), design.denominator) for entry in design.integers.T[truth]
            ]
            assert [shares[report,] for report in range(design.tally_size)] == column


def joint(law: dict[tuple[int, ...], Fraction], tiers: tuple[int, ...]) -> dict[Any, Fraction]:
    seen: dict[tuple[int, ...], Fraction] = {}
    for reports, chance in law.items():
        key = tuple(reports[tier] for tier in tiers)
        seen[key] = seen.get(key, Fraction(0)) + chance
    return seen


@pytest.mark.browser
@pytest.mark.django_db
@pytest.mark.parametrize("question", [YES_NO, THREE], ids=["two answers", "three answers"])
def test_shipping_tiers_reveal_together_what_the_highest_does(page: Page, question: Any) -> None:
    """A million answers for each truth: every pair of tiers, and all three."""
    device, served = tiered(question)
    counts = count_tiers(page, served, "shipping", MILLION)
    for size in (1, 2, 3):
        for tiers in combinations(range(3), size):
            seen, epsilon = seen_by(counts, tiers), EPSILONS[tiers[-1]]
            assert epsilon_lower_bound(seen, BEYOND_DOUBT) <= epsilon, (tiers, seen.tolist())
            # Far below it the audit would see nothing.
            assert epsilon_lower_bound(seen) > 0.9 * epsilon
    assert goodness_of_fit(seen_by(counts, (0, 1, 2)), exact_law(chain_of(device))) > SIGNIFICANCE
    for tier, design in enumerate(chain_of(device).designs):
        assert goodness_of_fit(seen_by(counts, (tier,)), design.matrix.T) > SIGNIFICANCE


@pytest.mark.browser
@pytest.mark.django_db
def test_versions_drawn_anew_from_the_truth_are_seen(page: Page) -> None:
    """Each alone is what its tier declares; together .25, .5 and 1 add up to 1.75."""
    device, served = tiered(YES_NO)
    counts = count_tiers(page, served, "freshTiers", 200_000)
    for tier, epsilon in enumerate(EPSILONS):
        assert epsilon_lower_bound(seen_by(counts, (tier,)), BEYOND_DOUBT) <= epsilon
    assert epsilon_lower_bound(seen_by(counts, (1, 2))) > 1.4
    assert epsilon_lower_bound(seen_by(counts, (0, 1, 2))) > 1.6
    assert goodness_of_fit(seen_by(counts, (0, 1, 2)), exact_law(chain_of(device))) < SIGNIFICANCE


@pytest.mark.browser
@pytest.mark.django_db
def test_one_version_for_all_tiers_is_seen(page: Page) -> None:
    _device, served = tiered(YES_NO)
    counts = count_tiers(page, served, "oneForAllTiers", 200_000)
    assert epsilon_lower_bound(seen_by(counts, (0,))) > 0.9


@pytest.mark.browser
def test_degradations_rounded_to_doubles_are_seen_by_the_bytes(page: Page) -> None:
    """No count of draws sees it; it takes other bytes, and so draws other reports."""
    script = """
    const {checkDevice, drawReport} = await import("/static/js/rr/device.js");
    const chain = await import("/static/js/rr/chain.js");
    const {roundedDegradation} = await import("/tests/audit/mutants/devices.js");
    const {device, draws} = JSON.parse(text);
    const checked = checkDevice(device, new Map([["chain", chain]]));
    const differing = (draw) => draws.filter(({truth, bytes, reports}) => {
      let used = 0;
      const all = Uint8Array.from(bytes.match(/../g), (digits) => parseInt(digits, 16));
      const padded = Uint8Array.from([...all, ...new Uint8Array(64)]);
      const drawn = draw(checked, truth, (count) => padded.slice(used, used += count));
      return String(drawn) !== String(reports) || used !== all.length;
    }).length;
    return [differing(drawReport), differing(roundedDegradation)];
    """
    vectors = read_vectors("chains.json")
    (device,) = [each["device"] for each in vectors["devices"] if each["case"] == "five tiers"]
    draws = [each for each in vectors["draws"] if each["case"] == "five tiers"]
    right, rounded = answer_of(page, script, {"device": device, "draws": draws})
    assert right == 0
    assert rounded > len(draws) / 2
