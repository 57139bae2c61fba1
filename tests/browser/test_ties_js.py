"""The browser's half of rosters: links, draws, what a server says of a link, and the body."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.rr_page import make_device, run
from tests.browser.support import ROOT

pytestmark = pytest.mark.browser

PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
DRAW_ALL = """
const checked = device.checkDevice(given.device, parts);
return given.draws.map(({ties, bytes}) => {
  const source = sourceOf(bytes);
  const report = device.drawReport(checked, {ties}, source);
  return [report, source.used(), device.isReportOf(checked, report)];
});
"""
LINK = "7K2M0QXR5VN8TB3CDH1WEY9ZAFGJ"


def example(name: str) -> Any:
    """The JSON of an example in the protocol."""
    found = re.search(rf"```json {name}\n(.*?)```", PROTOCOL, re.DOTALL)
    assert found
    return json.loads(found[1])


def ties_device(**table: int) -> dict[str, Any]:
    shape = {"bits": 3, "denominator": 16, "one": 12, "zero": 4, **table}
    ties = {"family": "tie_bits", "look": "ties", "table": {"form": "ties", **shape}}
    return make_device([[1, 1]], epsilon="1.1") | ties


def test_draws_what_the_protocol_prints(page: Page) -> None:
    codes = example("roster")["codes"]
    cases = example("ties")
    draws = [
        {
            "ties": [int(code in case["ties"]) for code in codes if code != case["member"]],
            "bytes": list(bytes.fromhex(case["bytes"])),
        }
        for case in cases
    ]
    drawn = run(page, DRAW_ALL, {"device": ties_device(), "draws": draws})
    assert drawn == [[case["report"], len(case["bytes"]) // 2, True] for case in cases]


def test_every_set_takes_one_draw_for_each_name_and_bits_are_dealt_out_exactly(page: Page) -> None:
    """Two names and a denominator of 4: over all 16 pairs of integers the law of the table."""
    device = ties_device(bits=2, denominator=4, one=3, zero=1)
    pairs = [[first, second] for first in range(4) for second in range(4)]
    for ties in ([0, 0], [0, 1], [1, 1]):
        draws = [{"ties": ties, "bytes": pair} for pair in pairs]
        drawn = run(page, DRAW_ALL, {"device": device, "draws": draws})
        assert {used for _, used, _ in drawn} == {2}
        ones = [sum(int(report[k]) for report, *_ in drawn) for k in range(2)]
        assert ones == [4 * (1, 3)[tie] for tie in ties]
        counts = Counter(report for report, *_ in drawn)
        assert counts["11"] * 16 == ones[0] * ones[1]


@pytest.mark.parametrize(
    "truth", ["{ties: [0, 1]}", "{ties: [0, 1, 2]}", "{ties: '010'}", "[0, 1, 0]", "2", "null"]
)
def test_what_is_no_set_of_the_others_is_not_drawn_from(page: Page, truth: str) -> None:
    body = f"""const checked = device.checkDevice(given, parts);
    return refusal(() => device.drawReport(checked, {truth}, sourceOf([0, 0, 0])));"""
    refused = run(page, body, ties_device())
    assert (refused["type"], refused["code"]) == ("DeviceError", "not_a_category")


@pytest.mark.parametrize("report", ["01", "0102", "012", 5, None])
def test_what_is_no_report_is_not_taken_from_storage(page: Page, report: Any) -> None:
    body = """const checked = device.checkDevice(given.device, parts);
    return device.isReportOf(checked, given.report);"""
    assert run(page, body, {"device": ties_device(), "report": report}) is False


def test_a_link_is_read_as_people_copy_it(page: Page) -> None:
    spaced = LINK.lower().replace("0", "o").replace("1", "l")
    texts = [f"#{LINK}", f"#{spaced}", f"#{LINK[:14]}-{LINK[14:]}).", f"#{LINK}%20"]
    broken = ["", "#", f"#{LINK[:-1]}", f"#{LINK}A", "#main", f"#{LINK[:-1]}U"]
    body = """const { readPersonalLink } = await import("/static/js/features/roster/link.js");
    return given.map(readPersonalLink);"""
    assert run(page, body, texts + broken) == [LINK] * len(texts) + [None] * len(broken)


def test_only_what_fits_the_roster_is_taken_for_its_names(page: Page) -> None:
    body = """const { personOf } = await import("/static/js/features/roster/door.js");
    return given.answers.map((answer) => personOf(answer, given.roster));"""
    person = example("person")
    changes = [
        {},
        {"names": None},
        {"member": "z9"},
        {"names": person["names"][1:]},
        {"names": [*person["names"][1:], 3]},
        {"answered": 1},
        {"handle": "a02"},
    ]
    answers = [person | change for change in changes] + [[], None]
    found = run(page, body, {"answers": answers, "roster": example("roster")})
    assert found[:2] == [person | {"place": 1}, person | {"place": 1, "names": None}]
    assert found[2:] == [None] * 7


def test_a_body_has_a_link_only_where_there_are_links(page: Page) -> None:
    sent = example("under a link")
    body = """const { isPersonalLink: fits } = await import("/static/js/features/roster/link.js");
    const own = { name: "link", fits };
    const { link, ...open } = given;
    return [
      await refusal(() => wire.payload(given, own)),
      await refusal(() => wire.payload(given)),
      await refusal(() => wire.payload(open, own)),
      await refusal(() => wire.payload({ ...given, link: link.toLowerCase() }, own)),
    ].map((error) => error && [error.code, error.field]);"""
    assert run(page, body, sent) == [
        None,
        ["unknown_key", "link"],
        ["missing_key", "link"],
        ["bad_link", "link"],
    ]
