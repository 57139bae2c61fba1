"""What one press draws for all items of a battery is audited over the reports to all of them.

The page's own press, session and devices draw. Bytes are those of a fixed key: a run counts what
every other run counts.
"""

from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Page

from tests.audit.audit import (
    BEYOND_DOUBT,
    SIGNIFICANCE,
    epsilon_lower_bound,
    goodness_of_fit,
    matrices_of,
)
from tests.browser.rr_page import answer_of
from tests.builders import launched

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

# Each draws for three items.
PRESSES = 400_000
# So many show what is wrong with another way.
FEW = PRESSES // 8
ITEM = {"battery": 1, "epsilon": "0.5"}
ITEMS = [{**ITEM, "text": "pens?", "battery_text": "Have you taken"}]
ITEMS += [{**ITEM, "text": text} for text in ("food?", "money?")]
# What people answer to the three items; neighbours differ in one of them, and the last in all.
PEOPLE = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]
REPORTS = [*product(range(2), repeat=3)]
PRESSING = """
const {checkDevice} = await import("/static/js/rr/device.js");
const {seededSource} = await import("/tests/audit/harness.js");
const clients = await import("/tests/audit/mutants/batteries.js");
const {document, name, people, draws} = JSON.parse(text);
const devices = document.devices.map((one) => checkDevice(one, new Map()));
const counts = [];
for (const answers of people) {
  const source = await seededSource(JSON.stringify(answers), draws * 64);
  const found = {};
  for (let i = 0; i < draws; i += 1) {
    const sent = await clients[name](devices, answers, source);
    found[sent] = (found[sent] ?? 0) + 1;
  }
  counts.push(found);
}
delete crypto.getRandomValues;
return counts;
"""
Counts = npt.NDArray[np.int64]
Law = npt.NDArray[np.float64]


def audit_of(page: Page, name: str, draws: int) -> tuple[Counts, Law]:
    """Counts by person and by reports to all items, and the product of the devices."""
    launch = launched(questions=ITEMS, budget=9)
    given = {"document": launch.document, "name": name, "people": PEOPLE}
    found = answer_of(page, PRESSING, given | {"draws": draws // len(PEOPLE)})
    counts = [[each.get(f"[{','.join(map(str, x))}]", 0) for x in REPORTS] for each in found]
    assert np.sum(counts) == draws
    matrices = matrices_of(launch.parameters)
    law = [
        [prod(float(m[r, t]) for m, r, t in zip(matrices, x, truths, strict=True)) for x in REPORTS]
        for truths in PEOPLE
    ]
    return np.array(counts), np.array(law)


def test_one_press_draws_for_each_item_on_its_own(page: Page) -> None:
    counts, law = audit_of(page, "shipping", PRESSES)
    assert goodness_of_fit(counts, law) > SIGNIFICANCE
    for first, second in product(range(len(PEOPLE)), repeat=2):
        pairs = zip(PEOPLE[first], PEOPLE[second], strict=True)
        epsilon = 0.5 * sum(one != other for one, other in pairs)
        if epsilon:
            bound = epsilon_lower_bound(counts[[first, second]], BEYOND_DOUBT)
            assert 0.8 * epsilon < bound <= epsilon


@pytest.mark.parametrize("name", ["sameBytes", "alikeTogether", "firstAlone", "neverAllKept"])
def test_another_press_is_seen(page: Page, name: str) -> None:
    counts, law = audit_of(page, name, FEW)
    assert goodness_of_fit(counts, law) < SIGNIFICANCE
