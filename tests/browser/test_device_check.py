"""The browser's refusals before it shows a question: devices that break or outrun a promise."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, floor
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import rr_engine
from tests.browser.rr_page import (
    direct_device,
    k_rr_device,
    keep_or_lie,
    least_lie,
    make_device,
    rr_page,
    run,
)
from tests.vectors.breaches import GONE, Breach, at

pytestmark = pytest.mark.browser

EPSILONS = ("0.01", "0.1", "0.5", "0.6931", "1", "1.0986", "1.1", "2", "3", "5.5", "8")
CHECK_ALL = """
const verdicts = [];
for (const raw of given) verdicts.push(await refusal(() => device.checkDevice(raw, parts)));
return verdicts;
"""


def refusals(page: Page, devices: list[dict[str, Any]]) -> list[str | None]:
    return [found and found["code"] for found in run(page, CHECK_ALL, devices)]


@pytest.mark.parametrize("size", [2, 3, 10, 51, 100])
def test_the_closest_table_to_the_declared_epsilon_passes(page: Page, size: int) -> None:
    devices = [k_rr_device(size, epsilon) for epsilon in EPSILONS]
    assert refusals(page, devices) == [None] * len(devices)


@pytest.mark.parametrize("size", [2, 3, 10, 51, 100])
def test_every_lie_one_unit_rarer_is_refused(page: Page, size: int) -> None:
    whole = 2**32
    tables = {
        epsilon: keep_or_lie(size, least_lie(size, epsilon, whole) - 1, whole)
        for epsilon in EPSILONS
    }
    devices = [make_device(table, epsilon=epsilon) for epsilon, table in tables.items()]
    assert refusals(page, devices) == ["too_revealing"] * len(devices)


@pytest.mark.parametrize("least", [1, 1000, 200_000_001])
def test_one_unit_above_the_largest_allowed_entry_is_refused(page: Page, least: int) -> None:
    devices = []
    for epsilon in EPSILONS:
        with localcontext(prec=80):
            allowed = floor(least * Decimal(epsilon).exp())
        for most in (allowed, allowed + 1):
            rest = 2**40 - most - least
            table = [[most, least, rest], [least, most, rest]]
            devices.append(make_device(table, epsilon=epsilon))
    assert refusals(page, devices) == [None, "too_revealing"] * len(EPSILONS)


def test_a_deck_whose_cards_make_no_sense_is_refused(page: Page) -> None:
    """All cards alike and as large, from two answers to one less than all; else its words lie."""
    decks = [
        rr_engine.designs.card_deck([str(v) for v in range(size)], "1", k=2) for size in (4, 5, 7)
    ]
    good = [deck.quantized().integers.T.tolist() for deck in decks]
    # As in k-ary response: one answer on a card. Then two answers on one card, one on the others.
    one, mixed = keep_or_lie(5, 1, 16), [[8, 4, 4], [4, 8, 4], [4, 8, 4], [4, 4, 8]]
    uneven = [list(column) for column in good[0]]
    uneven[0][0] += 1000
    uneven[0][1] -= 1000
    shifted = [column[1:] + column[:1] if v == 1 else column for v, column in enumerate(good[1])]
    flat = [[1, 1, 1, 1]] * 4
    tables = [*good, one, mixed, uneven, shifted, flat]
    devices = [make_device(table, epsilon="8", family="cards", look="cards") for table in tables]
    assert refusals(page, devices) == [None] * 3 + ["bad_cards"] * 5
    # A device that cannot be checked does not pass.
    body = "return refusal(() => device.checkDevice(given))"
    assert run(page, body, devices[0])["code"] == "not_loaded"
    # Under another name they are tables like any other.
    named = [make_device(table, epsilon="8", family="cards") for table in tables]
    assert refusals(page, named) == [None] * len(named)


def test_the_engine_and_the_browser_allow_the_same_tables(page: Page) -> None:
    devices = []
    for size in (2, 5, 51, 100):
        for epsilon in EPSILONS:
            design = rr_engine.k_rr([str(index) for index in range(size)], epsilon).quantized()
            devices.append(make_device(design.integers.T.tolist(), epsilon=epsilon))
    assert refusals(page, devices) == [None] * len(devices)


def convergents(value: Fraction, below: int) -> list[tuple[int, int]]:
    """Best rational approximations, alternately below and above the value."""
    found, rest, (p, q), (p0, q0) = [], value, (1, 0), (0, 1)
    while True:
        whole = rest.numerator // rest.denominator
        p, q, p0, q0 = whole * p + p0, whole * q + q0, p, q
        if p + q >= below or rest == whole:
            return found
        found.append((p, q))
        rest = 1 / (rest - whole)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "1.1", "7.999"])
def test_ratios_closer_to_the_limit_than_a_double_can_tell_are_decided(
    page: Page, epsilon: str
) -> None:
    with localcontext(prec=120):
        limit = Fraction(Decimal(epsilon).exp())
    devices, expected = [], []
    for most, least in convergents(limit, 2**52)[-8:]:
        rest = 2**52 - most - least
        table = [[most, least, rest], [least, most, rest]]
        devices.append(make_device(table, epsilon=epsilon))
        expected.append("too_revealing" if Fraction(most, least) > limit else None)
    assert {None, "too_revealing"} == set(expected)
    assert refusals(page, devices) == expected


BROKEN: dict[str, Breach] = {
    "denominator zero": at("table.denominator", 0, "not_power_of_two"),
    "denominator no power of two": at("table.denominator", 2**32 - 1, "not_power_of_two"),
    "denominator a double rounds to a power": at(
        "table.denominator", 2**52 - 1, "not_power_of_two"
    ),
    "denominator unsafe": at("table.denominator", 2**53, "not_power_of_two"),
    "denominator text": at("table.denominator", "2", "not_power_of_two"),
    "sum one short": at("table.columns.1", lambda there: [there[0] - 1, there[1]], "wrong_sum"),
    "sum one over": at("table.columns.1", lambda there: [there[0] + 1, there[1]], "wrong_sum"),
    "negative entry": at("table.columns.0", [-1, 2**32 + 1], "not_an_integer", ".0"),
    "fraction": at("table.columns.0.1", 0.5, "not_an_integer"),
    "entry text": at("table.columns.0.1", "7", "not_an_integer"),
    "entry null": at("table.columns.0.0", None, "not_an_integer"),
    "short column": at("table.columns.1.1", GONE, "wrong_length", "table.columns.1"),
    "one column": at("table.columns.1", GONE, "wrong_length", "table.columns"),
    "columns no list": at("table.columns", {}, "wrong_length"),
    "one more report": at("table.reports.2", "C", "wrong_length", "table.columns.0"),
    "reports alike": at("table.reports", ["A", "A"], "bad_labels"),
    "empty report": at("table.reports", ["A", ""], "bad_labels"),
    "epsilon a number": at("epsilon", 1, "not_a_decimal"),
    "epsilon NaN": at("epsilon", "NaN", "not_a_decimal"),
    "epsilon infinite": at("epsilon", "Infinity", "not_a_decimal"),
    "epsilon with exponent": at("epsilon", "1e0", "not_a_decimal"),
    "epsilon with line end": at("epsilon", "1\n", "not_a_decimal"),
    "epsilon negative": at("epsilon", "-1", "not_a_decimal"),
    "epsilon zero": at("epsilon", "0.0", "not_positive"),
    "nothing declared": at("epsilon", None, "not_identity", "table"),
    "epsilon over the cap": at("epsilon", "8.000001", "over_cap"),
    "epsilon huge": at("epsilon", "999999", "over_cap"),
    "declared too low": at("epsilon", "0.999999", "too_revealing"),
    "unknown key": at("truth", 0, "unknown_key"),
    "missing key": at("stratum", GONE, "missing_key"),
    "name with a capital": at("stratum", "Page", "bad_name"),
    "no questions": at("questions", [], "wrong_length"),
    "second question no name": at("questions", ["q1", ""], "bad_name"),
    "table missing": at("table", GONE, "missing_key"),
    "table no object": at("table", [], "unknown_form"),
    "form of table unknown": at("table.form", "sparse", "not_loaded", "sparse"),
    "key of another form": at("table.kept", 1, "unknown_key"),
    "look that is no name": at("look", "Codes", "not_loaded", "Codes"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_device_is_refused_by_device_field_and_rule(page: Page, case: str) -> None:
    change, code, field = BROKEN[case]
    given = k_rr_device(2, "1")
    change(given)
    [refused] = run(page, CHECK_ALL, [given])
    assert refused == {
        "type": "DeviceError",
        "code": code,
        "field": field,
        "device": "q1",
        "message": f"device q1, {field}: {code}",
    }


def test_a_report_that_proves_an_answer_is_refused_at_any_epsilon(page: Page) -> None:
    whole = 2**32
    tables = [[[whole, 0], [1, whole - 1]], keep_or_lie(3, 0, whole)]
    devices = [make_device(table, epsilon="8") for table in tables]
    assert refusals(page, devices) == ["too_revealing"] * 2


def test_a_report_that_never_happens_does_no_harm(page: Page) -> None:
    lie = least_lie(2, "1", 2**32)
    table = [[2**32 - lie, lie, 0], [lie, 2**32 - lie, 0]]
    assert refusals(page, [make_device(table, epsilon="1")]) == [None]


def test_direct_devices_are_the_identity_and_declare_nothing(page: Page) -> None:
    swapped = make_device([[0, 1], [1, 0]], epsilon=None)
    half = make_device(keep_or_lie(2, 0, 2), epsilon=None)
    wide = make_device([[1, 0, 0], [0, 1, 0]], epsilon=None)
    assert refusals(page, [direct_device(2), swapped, half, wide]) == [
        None,
        "not_identity",
        "not_identity",
        "wrong_length",
    ]


@pytest.mark.parametrize("value", ["null", "[]", "'device'", "7", "undefined", "new Map()"])
def test_what_is_no_object_is_no_device(page: Page, value: str) -> None:
    refused = run(page, f"return refusal(() => device.checkDevice({value}))")
    assert (refused["type"], refused["code"]) == ("DeviceError", "not_an_object")


NO_GENERATOR = {
    "no crypto": (
        "Object.defineProperty(globalThis, 'crypto', {value: undefined})",
        "no_generator",
    ),
    "no getRandomValues": (
        "Object.defineProperty(globalThis, 'crypto', {value: {}})",
        "no_generator",
    ),
    "failing generator": (
        "crypto.getRandomValues = () => { throw new DOMException('no entropy'); }",
        "generator_failed",
    ),
}


@pytest.mark.parametrize("case", NO_GENERATOR)
def test_without_the_systems_generator_there_is_no_report_and_no_submission(
    chromium: Browser, case: str
) -> None:
    sabotage, code = NO_GENERATOR[case]
    body = f"""
    {sabotage};
    const passed = device.checkDevice(given, parts);
    return [await refusal(() => device.drawReport(passed, 0, random.systemBytes)),
            await refusal(() => wire.newSubmissionId())];"""
    with rr_page(chromium) as page:
        refused = run(page, body, k_rr_device(2, "1"))
    assert [(found["type"], found["code"]) for found in refused] == [
        ("RandomSourceError", code)
    ] * 2


BAD_SOURCES = {
    "short": ("(count) => new Uint8Array(count - 1)", "short_read"),
    "nothing": ("() => undefined", "short_read"),
    "an array": ("(count) => Array(count).fill(1)", "short_read"),
    "stuck": ("(count) => new Uint8Array(count).fill(255)", "stuck"),
}


@pytest.mark.parametrize("case", BAD_SOURCES)
def test_a_source_that_cannot_be_right_is_refused(page: Page, case: str) -> None:
    source, code = BAD_SOURCES[case]
    refused = run(page, f"return refusal(() => random.uniformBelow(6, {source}))")
    assert (refused["type"], refused["code"]) == ("RandomSourceError", code)


@pytest.mark.parametrize("n", ["0", "-1", "1.5", "NaN", "Infinity", "2 ** 53 + 2", "'6'", "6n"])
def test_a_range_without_whole_numbers_is_refused(page: Page, n: str) -> None:
    refused = run(page, f"return refusal(() => random.uniformBelow({n}, random.systemBytes))")
    assert (refused["type"], refused["code"]) == ("RandomSourceError", "bad_range")


# --- (epsilon, delta) ---------------------------------------------------------------------------

UNIT = 10**12
RELAXED = {
    "a sixty-fourth proves an answer": [[64, 0], [63, 1]],
    "symmetric": [[900, 124], [124, 900]],
    "each side its own": [[1000, 20, 4], [4, 1000, 20]],
    "three answers": [[700, 200, 124], [124, 700, 200], [200, 124, 700]],
    "more answers than reports": [[900, 124], [512, 512], [124, 900]],
}


def least_delta(columns: list[list[int]], epsilon: str) -> int:
    """The smallest delta that the table keeps, in units of 10**-12, by 80-digit decimals."""
    with localcontext(prec=80):
        power = Decimal(epsilon).exp()
        excess = max(
            sum(max(Decimal(0), a - power * b) for a, b in zip(here, there, strict=True))
            for here in columns
            for there in columns
        )
        return ceil(excess * UNIT / sum(columns[0]))


def delta_text(units: int) -> str:
    return f"0.{units:012d}"


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "1.5"])
@pytest.mark.parametrize("name", RELAXED)
def test_delta_is_decided_to_its_last_digit(page: Page, name: str, epsilon: str) -> None:
    columns = RELAXED[name]
    least = least_delta(columns, epsilon)
    assert least > 0
    given = [
        make_device(columns, epsilon=epsilon, delta=delta_text(units))
        for units in (least, least - 1)
        if units > 0
    ]
    assert refusals(page, given) == [None, "too_revealing"][: len(given)]


def test_the_engine_and_the_browser_see_the_same_delta(page: Page) -> None:
    for columns in RELAXED.values():
        rows = [list(row) for row in zip(*columns, strict=True)]
        design = rr_engine.DesignMatrix.from_integers(rows, sum(columns[0]))
        assert float(design.delta(0.5)) == pytest.approx(
            least_delta(columns, "0.5") / UNIT, abs=1e-9
        )


def test_without_delta_the_same_table_is_held_to_epsilon_alone(page: Page) -> None:
    assert refusals(page, [make_device([[64, 0], [63, 1]], epsilon="8")]) == ["too_revealing"]


@pytest.mark.parametrize(
    ("delta", "code"),
    [
        ("0", "not_a_share"),
        ("1", "not_a_share"),
        ("1.5", "not_a_share"),
        (0.5, "not_a_decimal"),
        ("1e-3", "not_a_decimal"),
        ("", "not_a_decimal"),
    ],
)
def test_a_delta_is_a_decimal_between_zero_and_one(page: Page, delta: object, code: str) -> None:
    given = make_device([[3, 1], [1, 3]], epsilon="2", delta=delta)
    [refused] = run(page, CHECK_ALL, [given])
    assert (refused["code"], refused["field"]) == (code, "delta")


def test_a_direct_device_has_no_delta(page: Page) -> None:
    assert refusals(page, [direct_device(2) | {"delta": "0.5"}]) == ["not_null"]


# --- physical randomizers -----------------------------------------------------------------------

IN_HAND = {"stratum": "physical", "instructions": ["Roll a die."]}


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([[5, 1], [2, 4]], None),
        ([[99, 1], [1, 99]], None),
        ([[1461 - 365, 365], [365, 1461 - 365]], None),
        ([[2**52 - 1, 1], [1, 2**52 - 1]], "too_revealing"),
        ([[2**51 + 1, 2**51], [2**51, 2**51 + 1]], "bad_number"),
    ],
)
def test_a_device_in_somebodys_hands_has_any_denominator(
    page: Page, columns: list[list[int]], expected: str | None
) -> None:
    given = make_device(columns, epsilon="5", **IN_HAND)
    assert refusals(page, [given]) == [expected]
    on_page = given | {"stratum": "page", "instructions": []}
    assert refusals(page, [on_page]) == ["not_power_of_two"] or expected == "too_revealing"


def test_the_browser_draws_with_the_pages_devices_only(page: Page) -> None:
    body = """
    const passed = device.checkDevice(given, parts);
    return refusal(() => device.drawReport(passed, 0, random.systemBytes));"""
    assert run(page, body, make_device([[3, 1], [1, 3]], epsilon="2", **IN_HAND)) == {
        "type": "DeviceError",
        "code": "not_checked",
        "field": "device",
        "device": "q1",
        "message": "device q1, device: not_checked",
    }


@pytest.mark.parametrize(
    "given",
    [
        {"stratum": "page", "instructions": ["Roll a die."]},
        {"stratum": "physical", "instructions": [""]},
        {"stratum": "physical", "instructions": [1]},
        {"stratum": "physical", "instructions": "Roll a die."},
        {"instructions": None},
    ],
)
def test_instructions_are_texts_for_a_device_in_somebodys_hands(page: Page, given: dict) -> None:
    device = k_rr_device(2, "1") | given
    [refused] = run(page, CHECK_ALL, [device])
    assert (refused["code"], refused["field"]) == ("bad_text", "instructions")
