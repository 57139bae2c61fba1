"""Whole reports of people for whom questions are, and of people for whom they are not.

What is asked is decided by the page's own route, and drawn by its own device. Bytes are those of a
fixed key: a run counts what every other run counts, and the bounds are far from it.
"""

from itertools import product
from math import isclose
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Page

from surveys.parameters import Parameters
from tests.audit.audit import (
    BEYOND_DOUBT,
    SIGNIFICANCE,
    epsilon_lower_bound,
    goodness_of_fit,
    matrices_of,
)
from tests.browser.rr_page import answer_of
from tests.builders import launched
from tests.devices import Json
from tests.filtered import DRUG, OFTEN, question

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

MILLION = 1_000_000
# A defect of these is seen in fewer.
FEW = MILLION // 10
QUESTIONS = [
    {**DRUG, "prefer_not": False},
    {**OFTEN, "prefer_not": False, "epsilon": "0.7"},
    question("caught", only_if="often = Some times | Often", epsilon="0.5"),
]
# What people would answer, and the true answers of their devices: 3 and 2 are “does not apply”.
PEOPLE: list[tuple[Json, tuple[int, int, int]]] = [
    ({"drug": 0}, (0, 3, 2)),
    ({"drug": 1, "often": 0}, (1, 0, 2)),
    ({"drug": 1, "often": 2, "caught": 1}, (1, 2, 1)),
    ({"drug": 1, "often": 2, "caught": 0}, (1, 2, 0)),
]
RESPONSES = """
const {checkDevice} = await import("/static/js/rr/device.js");
const harness = await import("/tests/audit/harness.js");
const clients = await import("/tests/audit/mutants/skips.js");
const {document, name, people, draws} = JSON.parse(text);
const devices = document.devices.map((one) => checkDevice(one, new Map()));
const checked = {...document, devices};
const draw = (_device, answers, source) => clients[name](checked, devices, answers, source);
const counts = [];
for (const answers of people) {
  const source = await harness.seededSource(JSON.stringify(answers), draws * 64);
  counts.push(harness.countTexts(draw, null, answers, draws, source));
}
return counts;
"""


def responses(page: Page, name: str, draws: int) -> tuple[list[dict[str, int]], Parameters]:
    launch = launched(questions=QUESTIONS, budget=9)
    people = [answers for answers, _truths in PEOPLE]
    given: dict[str, Any] = {"document": launch.document, "name": name, "people": people}
    found = answer_of(page, RESPONSES, given | {"draws": draws // len(people)})
    return found, launch.parameters


def counted(found: list[dict[str, int]]) -> tuple[npt.NDArray[np.int64], list[str]]:
    texts = sorted({text for each in found for text in each})
    return np.array([[each.get(text, 0) for text in texts] for each in found]), texts


def law_of(parameters: Parameters, truths: tuple[int, ...]) -> dict[str, float]:
    """The declared chance of each text: the product of the devices."""
    matrices = matrices_of(parameters)
    law = {}
    for reports in product(*(range(len(matrix)) for matrix in matrices)):
        named = zip(QUESTIONS, reports, strict=True)
        text = ",".join(f'"{each["name"]}":{report}' for each, report in named)
        columns = zip(matrices, reports, truths, strict=True)
        law["{" + text + "}"] = float(
            np.prod([matrix[report, truth] for matrix, report, truth in columns])
        )
    return law


def test_what_is_sent_has_the_declared_law_and_a_filter_adds_nothing_to_it(page: Page) -> None:
    """For whom a question is and for whom it is not, and for what the devices reveal of either."""
    found, parameters = responses(page, "shipping", MILLION)
    counts, texts = counted(found)
    laws = [law_of(parameters, truths) for _answers, truths in PEOPLE]
    assert set(texts) == set(laws[0])
    table = [[law[text] for text in texts] for law in laws]
    assert all(isclose(sum(row), 1) for row in table)
    assert goodness_of_fit(counts, table) > SIGNIFICANCE
    declared = [float(device.epsilon or 0) for device in parameters.devices]
    for first, second in product(range(len(PEOPLE)), repeat=2):
        pairs = zip(PEOPLE[first][1], PEOPLE[second][1], declared, strict=True)
        epsilon = sum(each for one, other, each in pairs if one != other)
        if first != second:
            bound = epsilon_lower_bound(counts[[first, second]], BEYOND_DOUBT)
            assert 0.8 * epsilon < bound <= epsilon


@pytest.mark.parametrize("name", ["leftOut", "asItIs", "atRandom", "firstAnswer", "asBefore"])
def test_another_way_to_pass_a_question_is_seen(page: Page, name: str) -> None:
    found, parameters = responses(page, name, FEW)
    counts, texts = counted(found)
    laws = [law_of(parameters, truths) for _answers, truths in PEOPLE]
    table = [[law.get(text, 0.0) for text in texts] for law in laws]
    assert goodness_of_fit(counts, table) < SIGNIFICANCE
