"""Gradual release in the browser: reports that are drawn given the ones of an earlier wave."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.rr_page import run
from tests.vectors.case_lines import read_vectors
from tests.vectors.make_relaxation_vectors import relaxation_vectors
from tests.vectors.make_wire_vectors import HOURS, grouped_again
from tests.vectors.make_wire_vectors import device as vector_device

pytestmark = pytest.mark.browser

VECTORS = read_vectors("relaxations.json")
# An answer that is sent as it is has no earlier tables on the page.
DEVICES = {
    case["case"]: case["device"]
    for case in VECTORS["devices"]
    if case["device"]["table"]["denominator"] > 1
}
CHECKED = "const { relax, sharesAfter } = parts.get('earlier');"
CHECKED += "const relaxReport = (...given) => relax(...given).code;"
CHECKED += "const checked = device.checkDevice(given.device, parts);"
# Enumerates every integer below the range, written as the bytes that give it.
ENUMERATE = """
const width = Math.ceil((given.below - 1).toString(2).length / 8) * (given.below > 1);
const places = Array.from({length: width}, (_, i) => 8 * (width - 1 - i));
const bytesOf = (draw) => places.map((place) => (draw >> place) & 255);
return checked.columns.map((_, truth) => {
  const counts = {};
  for (let draw = 0; draw < given.below; draw += 1) {
    const source = sourceOf(bytesOf(draw));
    const code = relaxReport(checked, 1, given.previous, truth, source);
    if (source.used() !== width) throw new Error(`${source.used()} bytes`);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
});"""


def relaxing(page: Page, body: str, **given: Any) -> Any:
    return run(page, CHECKED + body, given)


def test_the_vectors_are_what_their_script_writes() -> None:
    assert relaxation_vectors() == VECTORS


@pytest.mark.parametrize("name", DEVICES)
def test_the_same_bytes_give_the_same_report(page: Page, name: str) -> None:
    draws = [draw for draw in VECTORS["draws"] if draw["case"] == name]
    body = """return given.draws.map(({ previous, truth, bytes }) => {
      const source = sourceOf(bytes.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? []);
      const code = relaxReport(checked, 1, previous, truth, source);
      return [code, source.used() * 2];
    });"""
    told = relaxing(page, body, device=DEVICES[name], draws=draws)
    assert told == [[draw["report"], len(draw["bytes"])] for draw in draws]


@pytest.mark.parametrize(
    "case", VECTORS["kernels"], ids=lambda case: f"{case['case']} {case['previous']}"
)
def test_all_draws_together_are_exactly_the_kernel(page: Page, case: dict[str, Any]) -> None:
    """All integers below the range are drawn, each with the same bytes for every true answer."""
    given = {"device": DEVICES[case["case"]], "previous": case["previous"]}
    counts = relaxing(page, ENUMERATE, **given, below=case["below"])
    shares = [
        [Fraction(Counter(column)[str(report)], case["below"]) for report in range(len(row))]
        for column, row in zip(counts, case["shares"], strict=True)
    ]
    assert shares == [[Fraction(share) for share in row] for row in case["shares"]]


@pytest.mark.parametrize(
    "case", VECTORS["kernels"], ids=lambda case: f"{case['case']} {case['previous']}"
)
def test_the_picture_has_the_kernels_shares_and_the_draws_spot(
    page: Page, case: dict[str, Any]
) -> None:
    given = {"device": DEVICES[case["case"]], "previous": case["previous"]}
    body = """const bytes = Array(64).fill(5);
    const draw = (_, truth) => relax(checked, 1, given.previous, truth, sourceOf(bytes));
    return [sharesAfter(checked, 1, given.previous), checked.columns.map(draw)];"""
    shares, draws = relaxing(page, body, **given)
    if DEVICES[case["case"]]["earlier"][0]["degradation"]["form"] == "same":
        assert shares is None
        assert draws == [{"code": case["previous"], "spot": None}] * len(case["shares"])
        return
    for row, shown in zip(case["shares"], shares, strict=True):
        assert shown == pytest.approx([float(Fraction(share)) for share in row], rel=1e-15)
    for row, draw in zip(shares, draws, strict=True):
        assert sum(row[: draw["code"]]) <= draw["spot"] < sum(row[: draw["code"] + 1])


@pytest.mark.parametrize(
    ("wave", "previous", "truth", "code"),
    [
        (2, 0, 0, "not_checked"),
        (1, 2, 0, "not_a_report"),
        (1, -1, 0, "not_a_report"),
        (1, 0.5, 0, "not_a_report"),
        (1, "0", 0, "not_a_report"),
        (1, 0, 2, "not_a_category"),
        (1, 0, 0.5, "not_a_category"),
        (1, 0, None, "not_a_category"),
    ],
)
def test_what_was_never_sent_or_answered_is_not_relaxed(
    page: Page, wave: int, previous: Any, truth: Any, code: str
) -> None:
    body = """return refusal(() =>
      relaxReport(checked, given.wave, given.previous, given.truth, sourceOf(Array(9).fill(0))));"""
    given = {"device": DEVICES["two answers"], "wave": wave, "previous": previous, "truth": truth}
    assert relaxing(page, body, **given)["code"] == code


def test_a_device_that_was_not_checked_is_not_relaxed(page: Page) -> None:
    body = "return refusal(() => relaxReport({...checked}, 1, 0, 0, sourceOf([0])));"
    assert relaxing(page, body, device=DEVICES["two answers"])["code"] == "not_checked"


def test_a_number_is_relaxed_from_a_table_of_two_ends(page: Page) -> None:
    """An earlier table of one bit on a number is as short as the table of today."""
    last, before = HOURS["steps"][2], HOURS["steps"][1]
    earlier = [{"wave": 1, "table": before, "degradation": HOURS["degradations"][1]}]
    given = vector_device("hours", last, "2.32", earlier=earlier)
    body = "return [sharesAfter(checked, 1, 1)[0], sharesAfter(checked, 1, 1)[120]];"
    low, high = (column[1] for column in relaxing(page, body, device=given))
    # 12/14 of 92/1024 against 2/14 of 932/1024, over the 212/1024 that sent it; and swapped.
    assert low == pytest.approx(12 * 92 / (12 * 92 + 2 * 932))
    assert high == pytest.approx(12 * 932 / (12 * 932 + 2 * 92))
    sharper = earlier[0] | {"table": before | {"low": 212, "rise": 4}}
    refused = run(
        page,
        "return refusal(() => device.checkDevice(given, parts))",
        given | {"earlier": [sharper]},
    )
    assert (refused["code"], refused["field"]) == ("not_relaxed", "earlier.0")


AGAIN = """const source = sourceOf([]);
const told = [];
for (const report of given.reports) {
  const refused = await refusal(() => relax(checked, given.wave, report, 0, source));
  told.push(refused?.code ?? [relax(checked, given.wave, report, 0, source), source.used()]);
}
return told;"""


def test_a_report_to_a_group_is_sent_again_without_a_byte(page: Page) -> None:
    device = grouped_again()["devices"][0]
    every = [[first, second] for first in range(2) for second in range(3)]
    told = relaxing(page, AGAIN, device=device, wave=1, reports=every)
    assert told == [[{"code": report, "spot": None}, 0] for report in every]


@pytest.mark.parametrize(
    "report", [[1], [2, 0], [0, 3], [0, 0, 0], [0, -1], [0, 0.5], 0, "00", None]
)
def test_what_is_no_report_to_the_group_is_not_sent_again(page: Page, report: Any) -> None:
    device = grouped_again()["devices"][0]
    told = relaxing(page, AGAIN, device=device, wave=1, reports=[report])
    assert told == ["not_a_report"]
    assert relaxing(page, AGAIN, device=device, wave=2, reports=[[0, 0]]) == ["not_checked"]
