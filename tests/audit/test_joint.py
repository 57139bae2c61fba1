"""The one report to a group of questions is audited whole, over all combinations of answers."""

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Page

from tests.audit.audit import BEYOND_DOUBT, SIGNIFICANCE, epsilon_lower_bound, goodness_of_fit
from tests.browser.rr_page import answer_of
from tests.builders import launched

SETUP = """
const {checkDevice, drawReport} = await import("/static/js/rr/device.js");
const joint = await import("/static/js/rr/joint.js");
const {countGroups} = await import("/tests/audit/harness.js");
const mutants = await import("/tests/audit/mutants/groups.js");
const {raw, truths, draws, name} = JSON.parse(text);
const device = checkDevice(raw, new Map([["joint", joint]]));
const draw = name === "shipping" ? drawReport : mutants[name];
return truths.map((truth) => countGroups(draw, device, truth, draws));
"""
YES_NO = {"group": 1, "epsilon": "0.5"}
THREE = {
    "group": 1,
    "kind": "single_choice",
    "options": ["Never", "Once", "Often"],
    "epsilon": "0.5",
}
MILLION = 1_000_000
Counts = npt.NDArray[np.int64]


def group_of(*questions: dict[str, Any]) -> dict[str, Any]:
    """The device of a launch with one group, as it is served."""
    return launched(questions=list(questions)).document["devices"][0]


def tuples(device: dict[str, Any]) -> list[tuple[int, ...]]:
    return list(product(*(range(len(names)) for names in device["table"]["parts"])))


def exact_table(device: dict[str, Any]) -> npt.NDArray[np.float64]:
    """The chance of every tuple of reports under each truth, from the served integers."""
    table, cells = device["table"], tuples(device)
    changed = [[sum(a != b for a, b in zip(t, r, strict=True)) for r in cells] for t in cells]
    return np.array([[table["weights"][w] / table["denominator"] for w in row] for row in changed])


def count_groups(page: Page, device: dict[str, Any], name: str, draws: int) -> Counts:
    """Counts by truth and by report, both over all combinations."""
    given = {"raw": device, "truths": tuples(device), "draws": draws, "name": name}
    return np.array(answer_of(page, SETUP, given))


def parts_of(counts: Counts, device: dict[str, Any]) -> list[Counts]:
    """Return for each question the counts of its code, by the combination of true answers."""
    sizes = [len(names) for names in device["table"]["parts"]]
    cells = counts.reshape(-1, *sizes)
    axes = range(1, cells.ndim)
    return [cells.sum(axis=tuple(other for other in axes if other != axis)) for axis in axes]


@pytest.mark.django_db
def test_a_group_is_one_device_of_the_sum_of_the_epsilons():
    device = group_of(YES_NO, THREE)
    assert device["epsilon"] == "1"
    assert device["questions"] == ["q1", "q2"]
    table = exact_table(device)
    assert np.log(table.max() / table.min()) <= 1


@pytest.mark.browser
@pytest.mark.django_db
def test_a_shipping_group_keeps_its_epsilon_over_whole_reports(page: Page) -> None:
    """A million for every combination of the answers to two questions."""
    device = group_of(YES_NO, THREE)
    counts = count_groups(page, device, "shipping", MILLION)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 1, counts.tolist()
    # Far below it the audit would see nothing.
    assert epsilon_lower_bound(counts) > 0.97
    assert goodness_of_fit(counts, exact_table(device)) > SIGNIFICANCE


@pytest.mark.browser
@pytest.mark.django_db
def test_the_papers_weights_keep_their_epsilon_over_whole_reports(page: Page) -> None:
    """Served as of a survey that declares them: 9 / 3 / 1 over 16ths, so epsilon is ln 9."""
    device = group_of(YES_NO, YES_NO) | {"family": "joint", "epsilon": "2.2"}
    device["table"] = device["table"] | {"denominator": 16, "weights": [9, 3, 1]}
    counts = count_groups(page, device, "shipping", MILLION // 5)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 2.1973
    assert epsilon_lower_bound(counts) > 2.15
    assert goodness_of_fit(counts, exact_table(device)) > SIGNIFICANCE


@pytest.mark.browser
@pytest.mark.django_db
def test_one_factor_drawn_twice_is_seen_in_the_whole_report_only(page: Page) -> None:
    """Each question alone has its law; together they reveal the sum of what each reveals."""
    device = group_of(YES_NO, YES_NO)
    counts = count_groups(page, device, "drawnTwice", 200_000)
    laws = parts_of(exact_table(device), device)
    for part, law in zip(parts_of(counts, device), laws, strict=True):
        assert epsilon_lower_bound(part, BEYOND_DOUBT) <= 1
        assert goodness_of_fit(part, law) > SIGNIFICANCE
    assert epsilon_lower_bound(counts) > 1.15
    assert goodness_of_fit(counts, exact_table(device)) < SIGNIFICANCE


@pytest.mark.browser
@pytest.mark.django_db
@pytest.mark.parametrize(("name", "least"), [("eachWithAll", 1.9), ("neverAllChanged", 1.5)])
def test_a_draw_that_reveals_more_is_seen(page: Page, name: str, least: float) -> None:
    counts = count_groups(page, group_of(YES_NO, THREE), name, 100_000)
    assert epsilon_lower_bound(counts) > least


@pytest.mark.browser
@pytest.mark.django_db
def test_answers_changed_into_themselves_are_seen(page: Page) -> None:
    device = group_of(YES_NO, THREE)
    counts = count_groups(page, device, "changesIntoItself", 100_000)
    assert goodness_of_fit(counts, exact_table(device)) < SIGNIFICANCE
