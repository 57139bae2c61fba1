"""The browser's device: byte for byte the reference's, exact over whole byte spaces."""

from collections import Counter

import pytest
from playwright.sync_api import Page

from rr_engine.device import draw_report, uniform_below
from tests.browser.rr_page import direct_device, k_rr_device, keep_or_lie, make_device, run
from tests.vectors.case_lines import read_vectors

pytestmark = pytest.mark.browser

DRAW_ALL = """
const passed = device.checkDevice(given.device, parts);
return given.draws.map(({truth, bytes}) => {
  const source = sourceOf(bytes);
  return [device.drawReport(passed, truth, source), source.used()];
});
"""


def proves_something(columns: list[list[int]]) -> bool:
    """Whether a report of the table is possible for some answers only, or all but."""
    rows = list(zip(*columns, strict=True))
    return any(max(row) > 3000 * min(row) for row in rows)


@pytest.mark.parametrize(
    "table", read_vectors("device_draws.json")["tables"], ids=lambda t: t["name"]
)
def test_draws_what_the_shared_vectors_say_or_refuses_the_table(page: Page, table: dict) -> None:
    draws = [
        {"truth": draw["truth"], "bytes": list(bytes.fromhex(draw["bytes"]))}
        for draw in read_vectors("device_draws.json")["draws"]
        if draw["table"] == table["name"]
    ]
    expected = [
        [draw["report"], len(draw["bytes"]) // 2]
        for draw in read_vectors("device_draws.json")["draws"]
        if draw["table"] == table["name"]
    ]
    direct = table["denominator"] == 1
    given = make_device(table["columns"], epsilon=None if direct else "8")
    if not direct and proves_something(table["columns"]):
        refused = run(page, "return refusal(() => device.checkDevice(given, parts))", given)
        assert refused["code"] == "too_revealing"
    else:
        assert len(draws) > 5
        assert run(page, DRAW_ALL, {"device": given, "draws": draws}) == expected


def test_uniform_integers_are_those_of_the_shared_vectors(page: Page) -> None:
    cases = read_vectors("uniform_below.json")["draws"]
    given = [{"n": case["n"], "bytes": list(bytes.fromhex(case["bytes"]))} for case in cases]
    body = """
    return given.map(({n, bytes}) => {
      const source = sourceOf(bytes);
      return [random.uniformBelow(n, source), source.used()];
    });"""
    assert run(page, body, given) == [[case["drawn"], len(case["bytes"]) // 2] for case in cases]


@pytest.mark.parametrize("n", [2**32 - 5, 2**40 + 1, 2**52 + 3, 2**53 - 1, 2**53])
def test_large_uniform_integers_agree_with_the_reference(page: Page, n: int) -> None:
    size = ((n - 1).bit_length() + 7) // 8
    blocks = [[(37 * i + 101 * j + i * j) % 256 for j in range(size)] for i in range(200)]
    blocks += [[255] * (size - 1) + [last] for last in range(256)]
    # A block that is rejected is followed by zeros, which never are.
    streams = [[*block, *[0] * size] for block in blocks]
    body = "return given.streams.map((bytes) => random.uniformBelow(given.n, sourceOf(bytes)))"

    def reference(stream: list[int]) -> int:
        rest = iter(stream)
        return uniform_below(n, lambda count: bytes(next(rest) for _ in range(count)))

    assert run(page, body, {"n": n, "streams": streams}) == [reference(s) for s in streams]


COUNT_SEQUENCES = """
const counts = {};
const walk = (prefix) => {
  if (prefix.length < given.length) {
    for (let byte = 0; byte < 256; byte += 1) walk([...prefix, byte]);
    return;
  }
  let drawn = "none";
  const source = sourceOf(prefix);
  // What is left over after the sequence is the reader's short read, not a value.
  try { drawn = random.uniformBelow(given.n, source); } catch { /* all of it rejected */ }
  counts[drawn] = (counts[drawn] ?? 0) + 1;
};
walk([]);
return counts;
"""


@pytest.mark.parametrize(
    ("n", "length", "each", "none"),
    [
        # Three bits kept of a byte: 6 of 8 values accepted, 32 bytes for each.
        (6, 1, 32, 64),
        # Two tries: 32*256 accepted at the first byte, 64*32 at the second, 64*64 never.
        (6, 2, 32 * 256 + 64 * 32, 64 * 64),
        # Nine bits kept of two bytes: 300 of 512 values, 128 pairs for each.
        (300, 2, 128, 65536 - 300 * 128),
        (256, 1, 1, 0),
        (1, 1, None, 0),
    ],
)
def test_uniform_integers_are_exact_over_every_byte_sequence(
    page: Page, n: int, length: int, each: int | None, none: int
) -> None:
    counts = run(page, COUNT_SEQUENCES, {"n": n, "length": length})
    expected = {str(value): each for value in range(n)} if each else {"0": 256}
    assert counts == expected | ({"none": none} if none else {})


COUNT_REPORTS = """
const passed = device.checkDevice(given.device, parts);
const counts = passed.columns.map(() => passed.reports.map(() => 0));
const size = given.bytes;
for (let value = 0; value < 256 ** size; value += 1) {
  const bytes = size === 1 ? [value] : [value >> 8, value & 255];
  counts.forEach((row, truth) => { row[device.drawReport(passed, truth, sourceOf(bytes))] += 1; });
}
return counts;
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "size"),
    [
        (keep_or_lie(2, 69, 256), 1),
        (keep_or_lie(5, 30, 256), 1),
        ([[1, 85, 85, 85], [2, 84, 85, 85], [3, 83, 84, 86]], 1),
        (keep_or_lie(10, 5593, 65536), 2),
        (keep_or_lie(100, 645, 65536), 2),
    ],
    ids=["2 of 256", "5 of 256", "uneven, 3 of 4 reports", "10 of 65536", "100 of 65536"],
)
def test_every_report_comes_up_exactly_as_often_as_the_table_says(
    page: Page, columns: list[list[int]], size: int
) -> None:
    given = {"device": make_device(columns, epsilon="2"), "bytes": size}
    assert run(page, COUNT_REPORTS, given) == columns


def test_the_reference_is_exact_over_the_same_bytes() -> None:
    for column in keep_or_lie(5, 30, 256):
        drawn = Counter(
            draw_report(column, 256, lambda _, b=byte: bytes([b])) for byte in range(256)
        )
        assert [drawn[report] for report in range(5)] == column


def test_bytes_taken_do_not_depend_on_the_answer(page: Page) -> None:
    body = """
    return given.map((raw) => {
      const passed = device.checkDevice(raw);
      return passed.columns.map((_, truth) => {
        const asked = [];
        const source = (count) => { asked.push(count); return new Uint8Array(count).fill(200); };
        device.drawReport(passed, truth, source);
        return asked;
      });
    });"""
    devices = [k_rr_device(2, "1"), k_rr_device(50, "3"), direct_device(4)]
    for asked, expected in zip(run(page, body, devices), ([4], [4], []), strict=True):
        assert asked == [expected] * len(asked)


def test_a_direct_device_sends_the_answer_and_needs_no_bytes(page: Page) -> None:
    draws = [{"truth": truth, "bytes": []} for truth in range(4)]
    drawn = run(page, DRAW_ALL, {"device": direct_device(4), "draws": draws})
    assert drawn == [[0, 0], [1, 0], [2, 0], [3, 0]]


BAD_ANSWERS = ["-1", "2", "0.5", "NaN", "Infinity", "undefined", "null", "'0'", "true", "[0]", "0n"]


@pytest.mark.parametrize("answer", BAD_ANSWERS)
def test_an_answer_that_is_no_category_draws_nothing_and_is_not_repeated(
    page: Page, answer: str
) -> None:
    body = f"""
    const passed = device.checkDevice(given, parts);
    let asked = 0;
    const source = (count) => {{ asked += 1; return new Uint8Array(count); }};
    return [await refusal(() => device.drawReport(passed, {answer}, source)), asked];"""
    refused, asked = run(page, body, k_rr_device(2, "1"))
    assert (refused["type"], refused["code"], refused["field"]) == (
        "DeviceError",
        "not_a_category",
        "answer",
    )
    assert refused["message"] == "device q1, answer: not_a_category"
    assert asked == 0


def test_a_device_that_was_not_checked_draws_nothing(page: Page) -> None:
    body = """
    device.checkDevice(given, parts);
    const copy = structuredClone(given);
    return refusal(() => device.drawReport(copy, 0, random.systemBytes));"""
    assert run(page, body, k_rr_device(2, "1"))["code"] == "not_checked"


def test_a_checked_device_cannot_be_changed(page: Page) -> None:
    body = """
    device.checkDevice(given, parts);
    const changes = [() => { given.columns[0][0] = 1; }, () => { given.columns[0] = []; },
                     () => { given.denominator = 2; }, () => { given.reports.push("Z"); }];
    for (const change of changes) { try { change(); } catch { /* strict code would say so */ } }
    return given;"""
    given = k_rr_device(2, "1")
    assert run(page, body, given) == given


def test_natural_frequencies_add_up_and_follow_the_table(page: Page) -> None:
    body = "return given.map(([raw, n]) => device.frequencies(device.checkDevice(raw), n))"
    devices = [[k_rr_device(2, "1"), 100], [k_rr_device(3, "1"), 100], [k_rr_device(2, "8"), 10000]]
    yes_no, three, weak = run(page, body, devices)
    # e/(e+1) = 0.7311, e/(e+2) = 0.5761, 1/(1+e**8) = 0.000335
    assert yes_no == [[73, 27], [27, 73]]
    assert three == [[58, 21, 21], [21, 58, 21], [21, 21, 58]]
    assert weak == [[9997, 3], [3, 9997]]


def test_the_epsilon_shown_is_that_of_the_table(page: Page) -> None:
    devices = [k_rr_device(3, epsilon) for epsilon in ("0.1", "1.1", "8")] + [direct_device(2)]
    body = "return given.map((raw) => strengths.epsilonOf(device.checkDevice(raw)))"
    shown = run(page, body, devices)
    # 2**-32 beside a lie's share of 1/(e**8 + 2) moves epsilon by at most 7e-7.
    assert shown[:3] == pytest.approx([0.1, 1.1, 8], abs=1e-6)
    assert shown[3] == float("inf")
