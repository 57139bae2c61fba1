"""Tiers in the browser: a chain of reports, of which only the last one is drawn from the answer."""

from collections import Counter
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from playwright.sync_api import Page

from rr_engine.relaxation import UniformDegradation
from rr_engine.relaxation.exact_draw import draw_degraded
from tests.browser.rr_page import run
from tests.vectors.case_lines import read_vectors
from tests.vectors.make_chain_vectors import chain_vectors, columns_between

pytestmark = pytest.mark.browser

VECTORS = read_vectors("chains.json")
DEVICES = {case["case"]: case["device"] for case in VECTORS["devices"]}
LAWS = {case["case"]: case["law"] for case in VECTORS["laws"]}
CHECKED = "const checked = device.checkDevice(given.device, parts);"
# Every list of integers below the ranges of the draws, written as the bytes that give them.
ENUMERATE = """
const lists = given.ranges.reduce(
  (lists, range) => lists.flatMap((list) => [...Array(range).keys()].map((i) => [...list, i])),
  [[]]);
const bytes = lists.map((list) => list.filter((_, i) => given.ranges[i] > 1));
return checked.columns.map((_, truth) => {
  const counts = {};
  for (const one of bytes) {
    const source = sourceOf(one);
    const reports = device.drawReport(checked, truth, source);
    if (source.used() !== one.length) throw new Error(`${source.used()} bytes`);
    counts[reports.join(" ")] = (counts[reports.join(" ")] ?? 0) + 1;
  }
  return counts;
});"""


def drawing(page: Page, body: str, **given: Any) -> Any:
    return run(page, CHECKED + body, given)


def test_the_vectors_are_what_their_script_writes() -> None:
    assert chain_vectors() == VECTORS


@pytest.mark.parametrize("name", DEVICES)
def test_the_same_bytes_give_the_same_reports(page: Page, name: str) -> None:
    draws = [draw for draw in VECTORS["draws"] if draw["case"] == name]
    body = """return given.draws.map(({ truth, bytes }) => {
      const source = sourceOf(bytes.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? []);
      const reports = device.drawReport(checked, truth, source);
      return [reports, source.used() * 2, device.isReportOf(checked, reports)];
    });"""
    told = drawing(page, body, device=DEVICES[name], draws=draws)
    assert told == [[draw["reports"], len(draw["bytes"]), True] for draw in draws]


def test_python_takes_the_same_bytes_for_a_lower_report() -> None:
    """The engine's own draw, with the degradation of the document."""
    (link,) = [case["table"]["degradations"][0] for case in DEVICES.values()][-1:]
    numbers = [int(link[name]) for name in ("kept", "other", "denominator")]
    degradation = UniformDegradation(4, *numbers)
    columns = columns_between(link, 4)
    for number in (0, numbers[2] - 1, columns[2][0], columns[2][0] + columns[2][1] - 1):
        size = ((numbers[2] - 1).bit_length() + 7) // 8
        lower = draw_degraded(degradation, 2, lambda _, n=number, s=size: n.to_bytes(s, "big"))
        assert lower == sum(sum(columns[2][: u + 1]) <= number for u in range(4))


@pytest.mark.parametrize("name", ["two answers", "the same twice", "fewer reports below"])
def test_all_draws_together_are_exactly_the_law(page: Page, name: str) -> None:
    """All integers below the ranges are drawn, each with the same bytes for every true answer."""
    served = DEVICES[name]
    table = served["table"]
    links = [int(link.get("denominator", "1")) for link in reversed(table["degradations"])]
    ranges = [table["steps"][-1]["denominator"], *links]
    counts = drawing(page, ENUMERATE, device=served, ranges=ranges)
    total = prod(ranges)
    shares = [{key: Fraction(n, total) for key, n in column.items()} for column in counts]
    assert shares == [{key: Fraction(x) for key, x in column.items()} for column in LAWS[name]]


@pytest.mark.parametrize("name", LAWS)
def test_all_reports_together_reveal_what_the_last_one_does(name: str) -> None:
    """The largest likelihood ratio of whole lists is that of the last step, exactly."""
    laws = [{key: Fraction(x) for key, x in column.items()} for column in LAWS[name]]
    ratios = [first[key] / second[key] for first in laws for second in laws for key in first]
    last = DEVICES[name]["table"]["steps"][-1]
    columns = [Counter() for _ in laws]
    for column, chances in zip(columns, laws, strict=True):
        for key, chance in chances.items():
            column[key.rsplit(" ", 1)[-1]] += chance
    assert max(ratios) == max(x[u] / y[u] for x in columns for y in columns for u in x)
    assert last["denominator"] > 1


def test_a_report_has_one_code_for_each_step(page: Page) -> None:
    reports = [[1, 0, 2], [1, 0], [1, 0, 3], [2, 0, 0], [1, 0, 2, 0], 1, "102", None, [1, 0, -1]]
    body = "return given.reports.map((report) => device.isReportOf(checked, report));"
    told = drawing(page, body, device=DEVICES["fewer reports below"], reports=reports)
    assert told == [True] + [False] * 8


@pytest.mark.parametrize("truth", [-1, 3, 1.5, "1", None, [0]])
def test_there_is_no_report_of_an_answer_that_is_none(page: Page, truth: object) -> None:
    body = "return refusal(() => device.drawReport(checked, given.truth, random.systemBytes));"
    refused = drawing(page, body, device=DEVICES["fewer reports below"], truth=truth)
    assert refused["code"] == "not_a_category"
