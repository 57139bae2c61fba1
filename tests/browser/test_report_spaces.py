"""The browser's report spaces: beside each table what its reports are, as the server checks it."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from surveys.parameters import Bits, Bloom, Joint, Product, Uniform
from surveys.parameters.exact import report_codes
from surveys.responses.spaces import space_of
from tests.app.spaces import device_with
from tests.browser.rr_page import make_device, rr_page, run

pytestmark = pytest.mark.browser

ONE = 2**8


def uniform(size: int) -> Uniform:
    other = ONE // 8
    return Uniform(
        reports=report_codes(size), denominator=ONE, kept=ONE - (size - 1) * other, other=other
    )


TABLES = {
    "codes": uniform(3),
    "tuple": Product(parts=(uniform(3), uniform(4))),
    "group": Joint(
        parts=(report_codes(3), report_codes(4)), denominator=ONE, weights=(116, 16, 10)
    ),
    "bits": Bits(bits=5, denominator=ONE, one=192, zero=64),
    "filter": Bloom(cohorts=2, bits=4, hashes=1, denominator=ONE, one=192, zero=64),
}
# JSON has no other values that both sides could take for a report.
VALUES: list[Any] = [
    *[0, 1, 2, 3, -1, 0.5, 2**53, 1e300, True, False, None],
    *["", "0", "2", "01010", "11111", "0101", "010101", "0101x", "01010\n", "０1010"],
    *[[], [0], [0, 0], [2, 3], [3, 3], [2, 4], [0, -1], [0, 0, 0], [0, "0"], [True, 0], [0, 0.5]],
    *[["0", "1"], [[0], 0], {}, {"0": 1, "length": 2}],
    *[[0, "0101"], [1, "1111"], [2, "0101"], [0, "010"], [0, "010x"], ["0", "0101"], ["0101", 0]],
    *[[0, "0101", 0], [[0, "0101"]], [True, "0101"], [0, ["0", "1", "0", "1"]]],
]
EPSILON = "8"
CHECKED = "const checked = device.checkDevice(given.device, parts);"


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with rr_page(chromium) as page:
        yield page


def served(name: str, **other: Any) -> dict[str, Any]:
    table = msgspec.to_builtins(TABLES[name])
    return make_device([[1, 1]], epsilon=EPSILON, **other) | {"table": table}


@pytest.mark.parametrize("name", TABLES)
def test_both_sides_take_the_same_values_for_reports(page: Page, name: str) -> None:
    body = f"{CHECKED} return given.values.map((value) => device.isReportOf(checked, value));"
    taken = run(page, body, {"device": served(name), "values": VALUES})
    space = space_of(device_with(TABLES[name]))
    assert taken == [space.check(value) is None for value in VALUES]
    assert 1 < sum(taken) < len(VALUES)


@pytest.mark.parametrize(
    ("name", "truth"), [("codes", 1), ("tuple", [1, 2]), ("group", [2, 0]), ("bits", 4)]
)
def test_what_a_device_draws_is_a_report_of_its_space(page: Page, name: str, truth: Any) -> None:
    body = f"""{CHECKED}
    const draws = Array.from({{ length: 50 }}, () =>
      device.drawReport(checked, given.truth, random.systemBytes));
    return draws.map((report) => [report, device.isReportOf(checked, report)]);"""
    space = space_of(device_with(TABLES[name]))
    for report, taken in run(page, body, {"device": served(name), "truth": truth}):
        assert taken
        assert space.check(report) is None


def test_a_device_that_was_not_checked_has_no_reports(page: Page) -> None:
    assert run(page, "return device.isReportOf(given, 0)", served("codes")) is False


@pytest.mark.parametrize("name", TABLES)
def test_a_stored_session_holds_reports_of_the_space_only(page: Page, name: str) -> None:
    body = f"""{CHECKED}
    const {{ fits }} = await import("/static/js/lib/session.js");
    const fit = fits({{ devices: [checked], digest: `sha256:${{"0".repeat(64)}}` }});
    const submission = wire.newSubmissionId();
    const stored = (reports) => {{
      try {{ return fit({{ submission, reports }}); }} catch {{ return false; }}
    }};
    const kept = given.values.map((value) => stored({{ q1: value }}));
    return [kept, stored({{ q2: given.values[0] }})];"""
    values = [value for value in VALUES if value is not None]
    kept, unknown = run(page, body, {"device": served(name), "values": values})
    space = space_of(device_with(TABLES[name]))
    assert kept == [space.check(value) is None for value in values]
    assert unknown is False
