"""The reports of somebody over all waves are audited as a whole: chains of reports."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from rr_engine.relaxation import Chain
from surveys.parameters import Device, coded
from surveys.parameters.exact import design_of
from tests.audit.audit import (
    BEYOND_DOUBT,
    SIGNIFICANCE,
    epsilon_lower_bound,
    exact_law,
    goodness_of_fit,
)
from tests.browser.rr_page import answer_of
from tests.vectors.case_lines import read_vectors
from tests.waves import coded_launch, next_wave

SETUP = """
const {checkDevice, drawReport} = await import("/static/js/rr/device.js");
const earlier = await import("/static/js/rr/earlier.js");
const {countChains} = await import("/tests/audit/harness.js");
const mutants = await import("/tests/audit/mutants/devices.js");
const {raw, draws, name} = JSON.parse(text);
const devices = raw.map((one) => checkDevice(one, new Map([["earlier", earlier]])));
const shipping = (...given) => earlier.relax(...given).code;
const relaxed = name === "shipping" ? shipping : mutants[name];
const truths = devices[0].columns.map((_, truth) => truth);
return truths.map((truth) => countChains(drawReport, relaxed, devices, truth, draws));
"""
YES_NO = {"name": "drug", "epsilon": "0.5"}
THREE = {
    "name": "drug",
    "kind": "single_choice",
    "options": ["Never", "Once", "Often"],
    "epsilon": "0.5",
}
MILLION = 1_000_000


def devices_of_waves(question: dict[str, Any], *epsilons: str) -> list[tuple[Device, Any]]:
    """The device of each wave, and as it is served."""
    launches = [coded_launch(questions=[question])]
    for epsilon in epsilons:
        launches.append(next_wave(launches[-1], drug=epsilon))
    return [(launch.parameters.devices[0], launch.document["devices"][0]) for launch in launches]


def chain_of(devices: list[tuple[Device, Any]]) -> Chain:
    return Chain([design_of(coded(device.table)) for device, _served in devices])


def count_chains(page: Page, devices: Any, name: str, draws: int) -> np.ndarray:
    raw = [served for _device, served in devices]
    return np.array(answer_of(page, SETUP, {"raw": raw, "draws": draws, "name": name}))


@pytest.mark.django_db
@pytest.mark.parametrize("question", [YES_NO, THREE], ids=["two answers", "three answers"])
def test_a_whole_chain_leaks_exactly_what_the_last_wave_does(question: dict[str, Any]) -> None:
    """From the integers that are served, in rational arithmetic."""
    chain = chain_of(devices_of_waves(question, "1", "1.5"))
    laws = [chain.law(truth) for truth in range(chain.designs[0].truth_size)]
    ratio = max(
        max(law[reports] for law in laws) / min(law[reports] for law in laws) for reports in laws[0]
    )
    assert ratio == chain.designs[-1].likelihood_ratio_bound
    for wave, design in enumerate(chain.designs):
        for truth, law in enumerate(laws):
            for report in range(design.tally_size):
                share = sum(chance for reports, chance in law.items() if reports[wave] == report)
                entry = design.integers[report, truth]
                assert share == Fraction(int(entry), design.denominator)


@pytest.mark.browser
@pytest.mark.django_db
def test_the_shipping_chain_reveals_no_more_than_its_last_wave(page: Page) -> None:
    """A million pairs of reports for each answer: epsilon .5 and then 1, which is 1 in all."""
    devices = devices_of_waves(YES_NO, "1")
    counts = count_chains(page, devices, "shipping", MILLION)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 1, counts.tolist()
    # Far below it the audit would see nothing.
    assert epsilon_lower_bound(counts) > 0.95
    assert goodness_of_fit(counts, exact_law(chain_of(devices))) > SIGNIFICANCE


@pytest.mark.browser
@pytest.mark.django_db
def test_three_waves_of_three_answers_reveal_no_more_than_the_last(page: Page) -> None:
    devices = devices_of_waves(THREE, "1", "1.5")
    # The harness relaxes from one wave to the next.
    for wave, (_device, served) in enumerate(devices):
        assert [entry["wave"] for entry in served["earlier"]] == list(range(1, wave + 1))
    counts = count_chains(page, devices, "shipping", 200_000)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 1.5, counts.tolist()
    assert epsilon_lower_bound(counts) > 1.3
    assert goodness_of_fit(counts, exact_law(chain_of(devices))) > SIGNIFICANCE


@pytest.mark.browser
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "bound"), [("redrawn", 1.4), ("resent", 0.0), ("correctedToTruth", 1.1)]
)
def test_a_wrong_relaxation_is_seen(page: Page, name: str, bound: float) -> None:
    """Drawn anew, .5 and 1 add up to 1.5, although each report alone is what it declares."""
    devices = devices_of_waves(YES_NO, "1")
    counts = count_chains(page, devices, name, 200_000)
    if bound:
        assert epsilon_lower_bound(counts) > bound
    assert goodness_of_fit(counts, exact_law(chain_of(devices))) < SIGNIFICANCE
    if name == "redrawn":
        later = counts.reshape(2, 2, 2).sum(axis=1)
        assert epsilon_lower_bound(later, BEYOND_DOUBT) <= 1


@pytest.mark.browser
def test_a_kernel_rounded_to_doubles_is_seen_by_the_bytes(page: Page) -> None:
    """No count of draws sees it; at the ends of the intervals it draws another report."""
    script = """
    const {checkDevice} = await import("/static/js/rr/device.js");
    const earlier = await import("/static/js/rr/earlier.js");
    const {roundedKernel} = await import("/tests/audit/mutants/devices.js");
    const {devices, draws} = JSON.parse(text);
    const checked = new Map(devices.map(({case: name, device}) =>
      [name, checkDevice(device, new Map([["earlier", earlier]]))]));
    const differing = (relaxed) => draws.filter(({case: name, previous, truth, bytes, report}) => {
      let used = 0;
      const all = Uint8Array.from(bytes.match(/../g) ?? [], (digits) => parseInt(digits, 16));
      const padded = Uint8Array.from([...all, ...new Uint8Array(64)]);
      const source = (count) => padded.slice(used, used += count);
      const drawn = relaxed(checked.get(name), 1, previous, truth, source);
      return drawn !== report || used !== all.length;
    }).length;
    const shipping = (...given) => earlier.relax(...given).code;
    return [differing(shipping), differing(roundedKernel)];
    """
    vectors = read_vectors("relaxations.json")
    names = {"two answers", "three answers"}
    vectors = {
        "devices": [entry for entry in vectors["devices"] if entry["case"] in names],
        "draws": [entry for entry in vectors["draws"] if entry["case"] in names],
    }
    assert len(vectors["draws"]) > 50
    right, rounded = answer_of(page, script, vectors)
    assert right == 0
    assert rounded > len(vectors["draws"]) / 2
