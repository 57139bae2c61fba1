"""The browser's draw of one report to several questions: that of the vectors, and exact."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page

import rr_engine
from tests.browser.rr_page import make_device, run
from tests.vectors.case_lines import read_vectors

pytestmark = pytest.mark.browser

VECTORS = read_vectors("joint_draws.json")
DRAW_ALL = """
const passed = device.checkDevice(given.device, parts);
return given.draws.map(({truth, bytes}) => {
  const source = sourceOf(bytes);
  return [device.drawReport(passed, truth, source), source.used()];
});
"""


def group(table: dict[str, Any]) -> dict[str, Any]:
    names = [f"q{place}" for place in range(len(table["parts"]))]
    return make_device([[1, 1]], epsilon="8") | {"questions": names, "table": table}


@pytest.mark.parametrize("name", VECTORS["tables"])
def test_draws_what_the_shared_vectors_say(page: Page, name: str) -> None:
    cases = [case for case in VECTORS["draws"] if case["table"] == name]
    draws = [
        {"truth": case["truth"], "bytes": list(bytes.fromhex(case["bytes"]))} for case in cases
    ]
    given = {"device": group(VECTORS["tables"][name]), "draws": draws}
    expected = [[case["report"], len(case["bytes"]) // 2] for case in cases]
    assert run(page, DRAW_ALL, given) == expected


@pytest.mark.parametrize("name", ["all others alike", "three questions"])
def test_over_all_numbers_each_report_is_drawn_as_often_as_its_weight_says(
    page: Page, name: str
) -> None:
    """Every byte below the denominator once: the law of the reports, exactly."""
    table = VECTORS["tables"][name]
    sizes = [len(names) for names in table["parts"]]
    for truth in product(*map(range, sizes)):
        draws = [{"truth": truth, "bytes": [byte]} for byte in range(table["denominator"])]
        drawn = run(page, DRAW_ALL, {"device": group(table), "draws": draws})
        counts = Counter(tuple(report) for report, _used in drawn)
        expected = {
            report: table["weights"][sum(a != b for a, b in zip(report, truth, strict=True))]
            for report in product(*map(range, sizes))
        }
        assert counts == Counter(expected)


@pytest.mark.parametrize("truth", [0, None, [0], [0, 3], [0, 0, 0], ["0", 0], [0.5, 0], [-1, 0]])
def test_no_other_truth_is_drawn_for(page: Page, truth: Any) -> None:
    body = """
    const passed = device.checkDevice(given.device, parts);
    return refusal(() => device.drawReport(passed, given.truth, random.systemBytes));"""
    given = {"device": group(VECTORS["tables"]["two questions"]), "truth": truth}
    assert run(page, body, given)["code"] == "not_a_category"


def test_the_largest_denominator_is_drawn_from_to_the_last_number(page: Page) -> None:
    """2**52 = kept + 5 * (2**49 / 5, rounded): the last number is the last report's."""
    other = 2**49 // 5
    table = {
        "form": "joint",
        "parts": [["A", "B"], ["A", "B", "C"]],
        "denominator": 2**52,
        "weights": [2**52 - 5 * other, other, other],
    }
    kept = table["weights"][0]
    numbers = [0, kept - 1, kept, kept + other - 1, kept + other, 2**52 - other, 2**52 - 1]
    draws = [{"truth": [1, 2], "bytes": list(number.to_bytes(7, "big"))} for number in numbers]
    drawn = run(page, DRAW_ALL, {"device": group(table), "draws": draws})
    reports = [[1, 2], [1, 2], [1, 0], [1, 0], [1, 1], [0, 1], [0, 1]]
    assert drawn == [[report, 7] for report in reports]


@pytest.mark.parametrize("name", ["all others alike", "three questions"])
def test_draws_are_ranked_by_how_many_answers_they_change(page: Page, name: str) -> None:
    """The wheel turns to the rank of a draw: along the ranks the changes never decrease."""
    table = VECTORS["tables"][name]
    truth = [0] * len(table["parts"])
    draws = [{"truth": truth, "bytes": [number]} for number in range(table["denominator"])]
    drawn = run(page, DRAW_ALL, {"device": group(table), "draws": draws})
    changes = [sum(map(bool, report)) for report, _used in drawn]
    body = """const { rankOf, changeCounts } = parts.get("joint");
    const ranks = Array.from({length: given.denominator}, (_, draw) => rankOf(given, draw));
    return [ranks, changeCounts(given)];"""
    ranks, counts = run(page, body, table)
    assert sorted(ranks) == list(range(table["denominator"]))
    assert counts == [changes.count(number) for number in range(len(truth) + 1)]
    along = [changes[ranks.index(rank)] for rank in range(table["denominator"])]
    assert along == sorted(along)


def test_the_margin_of_the_first_questions_is_that_of_the_engine(page: Page) -> None:
    table = VECTORS["tables"]["three questions"]
    body = "return [1, 2, 3].map((count) => parts.get('joint').marginOf(given, count));"
    one, two, three = run(page, body, table)
    channel = rr_engine.channels.JointChannel([2, 3, 2], table["weights"], table["denominator"])
    assert two["weights"] == list(channel.margin([0, 1]).weights)
    assert one["weights"] == [channel.margin([0]).kept, channel.margin([0]).other]
    assert three == table
    assert two["parts"] == table["parts"][:2]
