"""A ranking is audited over whole orders, with the refusal among them."""

from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Page

from surveys.models import Launch
from surveys.parameters.exact import ranking_device
from surveys.parameters.tables import Ranking
from tests.audit.audit import BEYOND_DOUBT, SIGNIFICANCE, epsilon_lower_bound, goodness_of_fit
from tests.browser.rr_page import answer_of
from tests.builders import launched

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

MILLION = 1_000_000
# So many show what is wrong with each of the others.
FEW = MILLION // 10
RANKED = {
    "kind": "ranked_items",
    "options": ["Pay", "Hours", "People", "The work"],
    "design": "near_orders",
    "epsilon": Decimal("1"),
    "prefer_not": True,
}
# As the list stands, two that change places, somewhere between, the reverse, and a refusal.
TRUTHS = [0, 1, 10, 23, 24]
DRAW = """
const {checkDevice, drawReport} = await import("/static/js/rr/device.js");
const {countReports} = await import("/tests/audit/harness.js");
const ranking = await import("/static/js/rr/ranking.js");
const mutants = await import("/tests/audit/mutants/rankings.js");
const {raw, draws, name, truths, reports} = JSON.parse(text);
const device = checkDevice(raw, new Map([["ranking", ranking]]));
const draw = name === "shipping" ? drawReport : mutants[name];
const counted = {...device, reports: Array(reports)};
const drawn = (_, truth, source) => draw(device, truth, source);
return truths.map((truth) => countReports(drawn, counted, truth, draws));
"""
Counts = npt.NDArray[np.int64]
Law = npt.NDArray[np.float64]


@pytest.fixture
def ranked() -> Launch:
    return launched(questions=[RANKED])


def law_of(launch: Launch) -> Law:
    """The declared chance of each report for each of the orders that are drawn."""
    (device,) = launch.parameters.devices
    assert isinstance(device.table, Ranking)
    return ranking_device(device.table).design.matrix.T[TRUTHS]


def counts_of(page: Page, launch: Launch, name: str, draws: int = FEW) -> Counts:
    (raw,) = launch.document["devices"]
    given = {"raw": raw, "name": name, "truths": TRUTHS, "draws": draws, "reports": 25}
    return np.array(answer_of(page, DRAW, given))


def test_a_ranking_reveals_no_more_than_declared(page: Page, ranked: Launch) -> None:
    counts = counts_of(page, ranked, "shipping", MILLION)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 1, counts.tolist()
    # A bound far below would be an audit that sees nothing.
    assert epsilon_lower_bound(counts) > 0.93
    assert goodness_of_fit(counts, law_of(ranked)) > SIGNIFICANCE


@pytest.mark.parametrize("name", ["neighboursOnly", "firstStays"])
def test_another_way_to_exchange_items_is_seen_to_reveal_more(
    page: Page, ranked: Launch, name: str
) -> None:
    assert epsilon_lower_bound(counts_of(page, ranked, name)) > 1


@pytest.mark.parametrize("name", ["anyOrder", "itemsForPlaces"])
def test_another_law_of_orders_is_seen(page: Page, ranked: Launch, name: str) -> None:
    assert goodness_of_fit(counts_of(page, ranked, name), law_of(ranked)) < SIGNIFICANCE
