"""The browser's half of the wire format: canonical JSON, digests, documents and responses."""

import json
import math
import uuid
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from surveys.features import used_features
from surveys.parameters import canonical_json, check, digest_of_json, read
from surveys.responses import envelope
from tests.browser.rr_page import k_rr_device, rr_page, run
from tests.builders import launched
from tests.devices import expanded_device
from tests.vectors.breaches import GONE, Breach, at, but
from tests.vectors.broken_documents import IN_HAND, signed, with_another
from tests.vectors.case_lines import read_vectors
from tests.vectors.every_breach import broken, cases
from tests.vectors.make_wire_vectors import RFC_ORDER, document, everything, wire_vectors

pytestmark = pytest.mark.browser

VECTORS = read_vectors("wire.json")
# The sets of breaches of which no device can know by itself.
WHOLE = {"with little", "with everything", "of analyses"}
CHECK = "return refusal(() => wire.checkParameters(given, load, sections))"


def test_the_vectors_are_what_their_script_writes() -> None:
    assert wire_vectors() == VECTORS


@pytest.mark.parametrize("case", VECTORS["canonical"], ids=lambda case: case["name"])
def test_both_sides_write_the_canonical_text(page: Page, case: dict[str, Any]) -> None:
    assert run(page, "return wire.canonicalJson(given)", case["value"]) == case["text"]
    assert canonical_json(case["value"]).decode() == case["text"]


def test_keys_stand_in_the_order_that_the_rfc_prints(page: Page) -> None:
    keys = dict.fromkeys(reversed(RFC_ORDER), 0)
    text = run(page, "return wire.canonicalJson(given)", keys)
    assert list(json.loads(text)) == RFC_ORDER


@pytest.mark.parametrize("text", VECTORS["refused"])
def test_what_has_no_canonical_text_is_refused(page: Page, text: str) -> None:
    refused = run(page, "return refusal(() => wire.canonicalJson(JSON.parse(given)))", text)
    assert refused["type"] == "CanonicalError"
    assert refused["code"] in {"not_a_safe_integer", "lone_surrogate"}


@pytest.mark.parametrize(
    "value",
    [
        "undefined",
        "NaN",
        "[undefined]",
        "[,1]",
        "1n",
        "new Date()",
        "new Map()",
        "() => 1",
        "-1e-9",
    ],
)
def test_what_is_not_json_is_refused(page: Page, value: str) -> None:
    refused = run(page, f"return refusal(() => wire.canonicalJson({value}))")
    assert refused["type"] == "CanonicalError"


def test_an_error_says_where_the_value_stands(page: Page) -> None:
    refused = run(page, "return refusal(() => wire.canonicalJson(given))", {"a": [1, {"b": 0.5}]})
    assert refused["field"] == "$.a.1.b"


@pytest.mark.parametrize("case", VECTORS["digests"], ids=lambda case: case["digest"][7:15])
def test_both_sides_find_the_digest(page: Page, case: dict[str, Any]) -> None:
    assert run(page, "return wire.digest(given)", case["document"]) == case["digest"]
    assert digest_of_json(case["document"]) == case["digest"]


@pytest.mark.parametrize("case", VECTORS["digests"], ids=lambda case: case["digest"][7:15])
def test_a_valid_document_passes_and_is_frozen(page: Page, case: dict[str, Any]) -> None:
    body = """
    const passed = await wire.checkParameters(given, load, sections);
    try { passed.devices[0].columns[0][0] = 7; passed.title = "other"; } catch { /* frozen */ }
    try { given.devices[0].table.denominator = 7; } catch { /* frozen */ }
    return [given, passed];"""
    served, passed = run(page, body, case["document"])
    assert served == case["document"]
    assert passed.pop("devices") == [_checked(device) for device in served.pop("devices")]
    parameters = read(case["document"])
    with_place = [each for each in used_features(parameters) if each.has_place]
    assert passed.pop("used") == [feature.name for feature in with_place]
    assert passed == served


def _checked(device: dict[str, Any]) -> dict[str, Any]:
    """Return what the browser makes of a device: its table's contents, for a chain of each step."""
    table = device["table"]
    if table["form"] == "bloom":
        set_bit = table["one"] * (table["denominator"] - table["zero"])
        clear_bit = table["zero"] * (table["denominator"] - table["one"])
        worst = [set_bit ** table["hashes"], clear_bit ** table["hashes"]]
        return device | {"bits": table["bits"], "truths": None, "worst": [worst]}
    if table["form"] == "ties":
        clear = [table["denominator"] - table[name] for name in ("zero", "one")]
        worst = [[table["one"], table["zero"]], clear]
        return device | {"bits": table["bits"], "truths": None, "worst": worst}
    if table["form"] == "joint":
        sizes = [len(names) for names in table["parts"]]
        worst = [max(table["weights"]), min(table["weights"])]
        contents = {"sizes": sizes, "draws": table["denominator"], "worst": [worst]}
        return device | {"truths": math.prod(sizes)} | contents
    checked = expanded_device(device)
    if "steps" in checked:
        checked["form"] = table["steps"][-1]["form"]
    for contents in (checked, *checked.get("steps", [])):
        contents["truths"] = len(contents["columns"])
    return checked


@pytest.mark.parametrize("case", cases())
def test_a_broken_document_is_refused_by_field_and_rule(page: Page, case: str) -> None:
    given, code, field = broken(case)
    refused = run(page, CHECK, given if "digest" in given else signed(given))
    if refused["type"] == "DeviceError" and case.partition(": ")[0] not in WHOLE:
        # The faults that a device checks by itself are told of it by its id, which some share.
        places = [i for i, each in enumerate(given["devices"]) if each["id"] == refused["device"]]
        assert refused["code"] == code
        assert field in [f"devices.{place}.{refused['field']}" for place in places]
        return
    assert refused == {
        "type": "ParametersError",
        "code": code,
        "field": field,
        "message": f"{field}: {code}",
    }


@pytest.mark.parametrize("batch", [0, -1, 1.5, "5", None, True])
def test_a_batch_is_a_whole_number_from_1(page: Page, batch: object) -> None:
    refused = run(page, CHECK, document() | {"release_batch": batch, "digest": "sha256:0"})
    assert (refused["code"], refused["field"]) == ("bad_number", "release_batch")


def test_what_a_person_may_spend_counts_each_device_once(page: Page) -> None:
    """1.386294361120 (the larger of two strata) + 0.7 + 4 * 0.52 + 0.7 + 0.1 + 0.72 + 1.1."""
    spent = run(page, "return String(wire.spent(given))", everything())
    assert int(spent) == 6_786_294_361_120


def test_deltas_may_add_up_to_a_tenth(page: Page) -> None:
    given = everything()
    rare, mood = (next(one for one in given["devices"] if one["id"] == x) for x in ("rare", "mood"))
    rare["delta"], mood["delta"] = "0.06", "0.04"
    assert run(page, "return String(wire.spent(given, 'delta'))", given) == str(10**11)
    assert run(page, CHECK, signed(given)) is None
    assert check(read(given)).devices == read(given).devices


def test_a_changed_word_is_refused_under_the_old_digest(page: Page) -> None:
    given = signed(document())
    given["questions"][0]["text"] = "Have you never …?"
    assert run(page, CHECK, given)["code"] == "wrong_digest"


def test_a_device_one_unit_too_revealing_is_refused_under_a_right_digest(page: Page) -> None:
    given = document()
    fitting = k_rr_device(2, "1.1", name="smokes")
    given["devices"][0] = fitting
    assert run(page, CHECK, signed(given)) is None
    for truth in (0, 1):
        fitting["table"]["columns"][truth][truth] += 1
        fitting["table"]["columns"][truth][1 - truth] -= 1
    refused = run(page, CHECK, signed(given))
    assert (refused["type"], refused["code"]) == ("DeviceError", "too_revealing")
    assert (refused["device"], refused["field"]) == ("smokes", "epsilon")


def test_the_total_is_added_exactly(page: Page) -> None:
    # 0.1 + 0.2 is more than 0.3 in doubles, and not in decimals.
    given = document()
    given["epsilon"] = "0.3"
    given["devices"][:2] = [
        k_rr_device(2, "0.1", name="smokes"),
        k_rr_device(3, "0.2", name="party"),
    ]
    assert run(page, CHECK, signed(given)) is None
    given["devices"][0] = k_rr_device(2, "0.100000000001", name="smokes")
    assert run(page, CHECK, signed(given))["code"] == "over_budget"


def test_what_is_not_above_the_limits_needs_no_reason(page: Page) -> None:
    given = document() | {"epsilon": "10"}
    for each in given["devices"][:2]:
        each["epsilon"] = "4"
    assert run(page, CHECK, signed(given)) is None
    given["questions"][0]["reason"] = "Asked aloud."
    given["devices"][0]["epsilon"] = "6"
    assert run(page, CHECK, signed(given)) is None


def test_a_second_stratum_counts_once_and_at_its_dearest(page: Page) -> None:
    given = document()
    given["devices"] = with_another(1, **IN_HAND)(given["devices"])
    assert run(page, CHECK, signed(given)) is None
    given["devices"][-1]["epsilon"] = "1.000001"
    assert run(page, CHECK, signed(given))["code"] == "over_budget"


@pytest.mark.parametrize("value", ["null", "[]", "'{}'", "undefined", "7"])
def test_what_is_no_object_is_no_document(page: Page, value: str) -> None:
    refused = run(page, f"return refusal(() => wire.checkParameters({value}, load, sections))")
    assert (refused["type"], refused["code"]) == ("ParametersError", "not_an_object")


def test_over_plain_http_the_page_can_say_why_it_does_not_run(chromium: Browser) -> None:
    body = """
    Object.defineProperty(crypto, "subtle", {value: undefined});
    const refused = await refusal(() => wire.checkParameters(given, load, sections));
    return [refused, wire.newSubmissionId()];"""
    with rr_page(chromium) as page:
        refused, name = run(page, body, signed(document()))
    assert (refused["type"], refused["code"]) == ("ParametersError", "insecure_context")
    assert uuid.UUID(name).version == 4


RESPONSE = {
    "digest": "sha256:" + "0123456789abcdef" * 4,
    "submission": "3f0c5a52-6a3f-4b1e-9d0c-0a1b2c3d4e5f",
    "reports": {"smokes": 0, "party": 2},
}
BAD_FIELDS: dict[str, Breach] = {
    "answer beside the reports": at("answers", {"party": 1}, "unknown_key"),
    "no reports": at("reports", GONE, "missing_key"),
    "reports a list": at("reports", [0], "not_an_object"),
    "report a label": at("reports.party", "Red", "bad_value"),
    "report negative": at("reports.party", -1, "bad_value"),
    "report a fraction": at("reports.party", 0.5, "bad_value"),
    "report true": at("reports.party", True, "bad_value"),
    "report with its answer": at("reports.party", {"report": 1, "truth": 2}, "bad_value"),
    "question with a bad name": at("reports", but(Party=1), "bad_name"),
    "stratum a number": at("strata", {"party": 1}, "bad_value", ".party"),
    "digest cut": at("digest", "sha256:00", "bad_digest"),
    "submission in capitals": at("submission", str.upper, "bad_id"),
}


@pytest.mark.parametrize("strata", [{}, {"strata": {"smokes": "page"}}], ids=["default", "named"])
def test_the_server_reads_the_payload_back(page: Page, strata: dict[str, Any]) -> None:
    built = run(page, "return JSON.stringify(wire.payload(given))", RESPONSE | strata)
    assert json.loads(built) == RESPONSE | strata
    parsed = envelope.parse_submission(built.encode())
    assert (parsed.reports, parsed.strata) == (RESPONSE["reports"], strata.get("strata", {}))


@pytest.mark.parametrize("case", BAD_FIELDS)
def test_nothing_but_codes_of_reports_fits_into_a_payload(page: Page, case: str) -> None:
    change, code, field = BAD_FIELDS[case]
    given = json.loads(json.dumps(RESPONSE))
    change(given)
    refused = run(page, "return refusal(() => wire.payload(given))", given)
    assert (refused["type"], refused["code"], refused["field"]) == ("PayloadError", code, field)


def test_a_payload_is_a_frozen_copy(page: Page) -> None:
    body = """
    const built = wire.payload(given);
    given.reports.party = 1;
    try { built.reports.party = 0; } catch { /* frozen */ }
    return built;"""
    assert run(page, body, RESPONSE) == RESPONSE


def test_submission_ids_are_random_version_4(page: Page) -> None:
    names = run(page, "return Array.from({length: 1000}, () => wire.newSubmissionId())")
    parsed = {uuid.UUID(name) for name in names}
    assert len(parsed) == 1000
    assert {str(name) for name in parsed} == set(names)
    assert {(name.version, name.variant) for name in parsed} == {(4, uuid.RFC_4122)}


def test_a_submission_id_takes_its_bytes_from_the_source(page: Page) -> None:
    body = "return given.map((byte) => wire.newSubmissionId((n) => new Uint8Array(n).fill(byte)))"
    assert run(page, body, [0, 255]) == [
        "00000000-0000-4000-8000-000000000000",
        "ffffffff-ffff-4fff-bfff-ffffffffffff",
    ]


@pytest.mark.django_db
def test_what_a_launch_freezes_passes_in_the_browser(page: Page) -> None:
    options = [f"Option {index}" for index in range(50)]
    choice = {"kind": "single_choice", "options": options, "prefer_not": True}
    several = {"kind": "multiple_choice", "options": ["Red", "Green", "Blue"]}
    questions = [
        {},
        choice,
        {"prefer_not": True},
        {"randomized": False, "required": False},
        {"kind": "scale", "options": ["Low", "Middling", "High"], "epsilon": "0.5"},
        {**several, "design": "per_option", "prefer_not": True},
        {**several, "design": "whole_set", "prefer_not": True},
        {**several, "randomized": False},
    ]
    served = launched(questions=questions, budget="9").document
    families = {device["family"] for device in served["devices"]}
    assert families == {"k_rr", "direct", "per_option", "whole_set"}
    assert run(page, CHECK, served) is None
