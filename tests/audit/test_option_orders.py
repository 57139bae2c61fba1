"""Whole reports of people who saw their answers in an order by chance, and that order.

Orders are drawn by the page's own script, answers are pressed where they then stand, and reports
are drawn by the page's own device. Bytes are those of a fixed key: a run counts what every other
run counts.
"""

import json
from itertools import permutations, product
from math import prod
from typing import Any, NamedTuple

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

MILLION = 1_000_000
# So many show what is wrong with another way.
FEW = MILLION // 5
REASONS = ["Pay", "Hours", "People", "Way", "Noise", "Dirt", "Dark", "Other"]
ROTATED = {
    "kind": "single_choice",
    "options": REASONS,
    "prefer_not": True,
    "option_order": "rotated",
    "option_order_kept": True,
}
REVERSED = {
    "kind": "scale",
    "options": ["Low", "Fair", "High"],
    "option_order": "reversed",
    "option_order_kept": True,
}
SHUFFLED = {"kind": "single_choice", "options": REASONS[:4], "option_order": "shuffled"}
RESPONSES = """
const {checkDevice} = await import("/static/js/rr/device.js");
const harness = await import("/tests/audit/harness.js");
const clients = await import("/tests/audit/mutants/orders.js");
const {document, name, people, draws} = JSON.parse(text);
const devices = document.devices.map((one) => checkDevice(one, new Map()));
const draw = (_device, answers, source) => clients[name](document, devices, answers, source);
const counts = [];
for (const answers of people) {
  const source = await harness.seededSource(JSON.stringify(answers), draws * 64);
  counts.push(harness.countTexts(draw, null, answers, draws, source));
}
return counts;
"""
Counts = npt.NDArray[np.int64]
Law = npt.NDArray[np.float64]


class Case(NamedTuple):
    """A survey, the orders of each question, each as the answers then stand, and people by what
    they answer.
    """

    values: dict[str, Any]
    orders: list[list[str]]
    people: list[tuple[int, ...]]
    kept: bool


# “Other” and a refusal stay at the end. What people answer stands first, last and between.
KEPT = Case(
    {"questions": [ROTATED, REVERSED], "linkage": "together", "planned_n": 1000, "budget": 9},
    [["0123456"[i:] + "0123456"[:i] + "78" for i in range(7)], ["012", "210"]],
    [(0, 0), (3, 2), (7, 1), (8, 0)],
    kept=True,
)
UNKEPT = Case(
    {"questions": [SHUFFLED], "budget": 9},
    [["".join(each) for each in permutations("0123")]],
    [(0,), (2,)],
    kept=False,
)


class Audit(NamedTuple):
    """Counts by person and by what is sent with what was seen, their law, and counts of what was
    seen alone.
    """

    counts: Counts
    law: Law
    seen: Counts


def audit_of(page: Page, case: Case, name: str, draws: int) -> Audit:
    launch = launched(**case.values)
    # The script knows the orders of one survey, that of its page.
    page.reload()
    share = draws // len(case.people)
    given = {"document": launch.document, "name": name, "people": case.people, "draws": share}
    found: list[dict[str, int]] = answer_of(page, RESPONSES, given)
    matrices = matrices_of(launch.parameters)
    laws = [law_of(case, matrices, answers) for answers in case.people]
    texts = sorted({*laws[0], *(text for each in found for text in each)})
    counts = np.array([[each.get(text, 0) for text in texts] for each in found])
    table = np.array([[law.get(text, 0.0) for text in texts] for law in laws])
    assert np.allclose(table.sum(axis=1), 1)
    seen: dict[str, int] = {}
    for text, count in zip(texts, counts.sum(axis=0).tolist(), strict=True):
        order = json.dumps(json.loads(text)["seen"])
        seen[order] = seen.get(order, 0) + count
    return Audit(counts, table, np.array([[*seen.values()]]))


def law_of(case: Case, matrices: list[Law], answers: tuple[int, ...]) -> dict[str, float]:
    """The declared chance of each text: any order, and the product of the devices."""
    law = {}
    alike = 1 / prod(map(len, case.orders))
    for numbers in product(*(range(len(orders)) for orders in case.orders)):
        names = [f"q{place}" for place in range(1, len(numbers) + 1)]
        kept = {"orders": dict(zip(names, numbers, strict=True))} if case.kept else {}
        shown = [orders[number] for orders, number in zip(case.orders, numbers, strict=True)]
        seen = dict(zip(names, shown, strict=True))
        for reports in product(*(range(len(matrix)) for matrix in matrices)):
            sent = kept | {"seen": seen, "reports": reports}
            columns = zip(matrices, reports, answers, strict=True)
            chance = prod(float(matrix[report, truth]) for matrix, report, truth in columns)
            law[json.dumps(sent, separators=(",", ":"))] = alike * chance
    return law


def fit_of(audit: Audit) -> float:
    """The smaller of two p-values by Bonferroni: that of all, and that of orders alone."""
    uniform = np.full(audit.seen.shape, 1 / audit.seen.size)
    return 2 * min(goodness_of_fit(audit.counts, audit.law), goodness_of_fit(audit.seen, uniform))


def test_an_order_that_is_sent_follows_from_nothing_and_reveals_nothing(page: Page) -> None:
    audit = audit_of(page, KEPT, "shipping", MILLION)
    assert audit.seen.size == 7 * 2
    assert fit_of(audit) > SIGNIFICANCE
    for first, second in product(range(len(KEPT.people)), repeat=2):
        pairs = zip(KEPT.people[first], KEPT.people[second], strict=True)
        epsilon = sum(one != other for one, other in pairs)
        if epsilon:
            bound = epsilon_lower_bound(audit.counts[[first, second]], BEYOND_DOUBT)
            assert 0.6 * epsilon < bound <= epsilon


def test_all_orders_are_alike_likely_whatever_is_true_and_whatever_is_reported(
    page: Page,
) -> None:
    audit = audit_of(page, UNKEPT, "shipping", MILLION)
    assert audit.seen.size == 24
    assert fit_of(audit) > SIGNIFICANCE


@pytest.mark.parametrize(
    "name",
    ["neverTrueFirst", "moduloOrder", "sameBits", "placeKept", "drawnAnew", "placeForAnswer"],
)
def test_another_way_to_keep_an_order_is_seen(page: Page, name: str) -> None:
    assert fit_of(audit_of(page, KEPT, name, FEW)) < SIGNIFICANCE


@pytest.mark.parametrize("name", ["neverTrueFirst", "anyExchange", "sameBits", "placeForAnswer"])
def test_another_way_to_order_answers_is_seen(page: Page, name: str) -> None:
    assert fit_of(audit_of(page, UNKEPT, name, FEW)) < SIGNIFICANCE
