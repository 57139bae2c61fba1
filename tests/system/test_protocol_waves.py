"""Section 10 of docs/protocol.md is true: the second client comes back, and every example holds."""

import json
import math
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from candor import respondent as client

from rr_engine import DesignMatrix
from rr_engine.relaxation import exact_degradation, exact_kernel_weights
from surveys import throttle
from surveys.features.return_codes.section import is_return_code
from surveys.models import Launch, ReportSet
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey
from tests.builders import launched, make_survey
from tests.devices import columns_of
from tests.system.protocol_page import EXAMPLES, bytes_of, keys_below
from tests.vectors import make_wire_vectors as wire_vectors
from tests.vectors.broken_documents import BROKEN_WAVE, signed
from tests.vectors.every_breach import broken
from tests.waves import coded_launch, next_wave, seeded_bytes

CODE = EXAMPLES["return"]["code"]
Json = dict[str, Any]


@pytest.fixture(autouse=True)
def no_limit_for_the_client(settings):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]


@pytest.fixture
def launch(transactional_db) -> Launch:
    """The first wave of a survey with return codes, at /s/health/."""
    return coded_launch(budget=Decimal("4"), release_threshold=1)


@pytest.fixture
def base(live_server, launch) -> str:
    return live_server.url


def fetched(base: str) -> Json:
    return client.check(client.fetch(base, "health").body)


def found_under(base: str, code: str, document: Json) -> Json:
    answer = client.look_up(base, "health", code)
    assert answer.status == 200
    return client.check_found(answer.body, document)


def answer_wave(base: str, code: str, answers: Json, found: Json | None = None) -> Json:
    """Send one response under a code; the reports that were sent."""
    response = client.respond(fetched(base), answers, code, found)
    assert client.send(base, "health", response).status == 201
    return response["reports"]


def answers_of(number: int) -> Json:
    return {"drug": number % 2, "absence": number % 3, "permanent": number // 2 % 2}


def in_results(launch: Launch) -> Json:
    while refresh_results(launch_id=launch.pk):
        pass
    launch.refresh_from_db()
    return launch.results.get().content


def scrambled(reports: Json) -> Json:
    return {name: reports[name] for name in ("drug", "absence")}


# --- return codes -------------------------------------------------------------------------------


@pytest.mark.parametrize("case", EXAMPLES["codes"])
def test_codes_are_made_as_on_the_page(case):
    code = client.new_code(bytes_of(case["bytes"]))
    assert code == case["code"]
    assert is_return_code(code)
    assert client.is_code(code)


def test_codes_of_the_client_are_codes_of_the_server():
    source = seeded_bytes(10)
    codes = {client.new_code(source) for _ in range(200)}
    assert len(codes) == 200
    assert all(map(is_return_code, codes))


@pytest.mark.parametrize("case", EXAMPLES["codes"])
def test_one_wrong_symbol_and_neighbours_swapped_are_noticed(case):
    code = case["code"]
    symbols = code.replace("-", "")
    wrong = [
        symbols[:place] + symbol + symbols[place + 1 :]
        for place, symbol in product(range(len(symbols)), client.symbols.SYMBOLS)
    ]
    swapped = [
        symbols[:place] + symbols[place + 1] + symbols[place] + symbols[place + 2 :]
        for place in range(len(symbols) - 1)
    ]
    others = {client.in_groups(each) for each in wrong + swapped} - {code}
    assert len(others) >= 20 * 31
    for other in others:
        assert not client.is_code(other)
        assert not is_return_code(other)


@pytest.mark.parametrize(
    "typed",
    [
        "7k27-rmns-tbcx-yf01-2kkp",
        " 7K27 RMNS TBCX YFOI 2KKP ",
        "7K27RMNSTBCXYFOL2KKP",
        "7K27\N{EN DASH}RMNS\N{EN DASH}TBCX\N{EN DASH}YF01\N{EN DASH}2KKP",
    ],
)
def test_codes_are_read_as_people_type_them(typed):
    assert client.read_code(typed) == CODE


@pytest.mark.parametrize("typed", ["", "7K27", "7K27-RMNS-TBCX-YF01-2KKQ", "U" * 20, "ß" * 20])
def test_what_is_no_code_is_not_sent(typed):
    assert client.read_code(typed) is None


# --- looking up ---------------------------------------------------------------------------------


def test_a_look_up_is_answered_as_on_the_page(base, launch):
    document = fetched(base)
    truths = {"drug": 1, "absence": 2, "permanent": 0}
    response = client.respond(document, truths, CODE)
    response["reports"] |= EXAMPLES["answer 200"]["reports"]
    assert client.send(base, "health", response).status == 201
    in_force = client.look_up(base, "health", CODE)
    assert in_force.body == EXAMPLES["answer 200"] | {"answered": True}
    next_wave(launch, drug="2")
    answer = client.look_up(base, "health", CODE)
    assert (answer.status, answer.body) == (200, EXAMPLES["answer 200"])
    assert "Set-Cookie" not in answer.headers
    assert "no-store" in answer.headers["Cache-Control"]
    close_survey(survey=launch.survey, actor=None)
    assert client.look_up(base, "health", CODE).body == answer.body


def test_the_table_of_the_look_up_names_its_keys():
    assert keys_below("If somebody has answered under this code:") == set(EXAMPLES["answer 200"])


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "not_json"),
        (b"[" * 60_000, "too_deep"),
        (b'{"code": "x", "code": "x"}', "duplicate_key"),
        (b"[]", "not_an_object"),
        (b"{}", "not_an_object"),
        (b'{"code": "x", "wave": 1}', "not_an_object"),
        (b'{"code": "x"}', "not_a_code"),
        (b'{"code": null}', "not_a_code"),
    ],
)
def test_a_look_up_is_refused_as_the_page_says(base, body, code):
    for slug in ("health", "nowhere"):
        answer = client.post(base, slug, body, place="return")
        field = {"duplicate_key": "code", "not_a_code": "code"}.get(code, "")
        assert (answer.status, answer.codes) == (422, [(field, code)])


def test_a_look_up_of_no_survey_and_of_an_open_one(base):
    launched(slug="open")
    make_survey(slug="draft")
    answers = {slug: client.look_up(base, slug, CODE) for slug in ("nowhere", "draft", "open")}
    assert [(answer.status, answer.codes[0][1]) for answer in answers.values()] == [
        (404, "no_such_survey"),
        (404, "no_such_survey"),
        (404, "unknown_code"),
    ]


@pytest.mark.parametrize(
    ("headers", "method", "status", "codes"),
    [
        ({"Content-Type": "text/plain"}, "POST", 415, [("", "not_json")]),
        ({"Sec-Fetch-Site": "cross-site"}, "POST", 403, [("", "cross_site")]),
        ({}, "PUT", 405, None),
    ],
)
def test_a_look_up_is_refused_before_it_is_read(base, headers, method, status, codes):
    answer = client.post(base, "health", b"{", headers, method, place="return")
    assert answer.status == status
    assert codes is None or answer.codes == codes


def test_look_ups_and_responses_are_counted_apart(base, settings, monkeypatch):
    # In an hour of its own, which neither ends meanwhile nor has requests of other tests.
    monkeypatch.setattr(throttle, "clock", lambda: 1_700_000_610)
    settings.THROTTLE_EXEMPT, settings.SUBMIT_RATE = [], "2/hour"
    answers = [client.look_up(base, "health", CODE) for _ in range(3)]
    assert [answer.status for answer in answers] == [404, 404, 429]
    assert answers[-1].codes == [("", "too_many")]
    assert client.post(base, "health", b"{").status == 422


def test_a_look_up_at_another_name_of_the_site_is_refused(base, settings):
    settings.CANONICAL_HOST = "survey.example"
    answer = client.look_up(base, "health", CODE)
    assert (answer.status, answer.codes) == (421, [("", "wrong_host")])


def test_too_long_a_look_up_is_refused(base):
    answer = client.post(base, "health", b" " * 65_537, place="return")
    assert (answer.status, answer.body) == (413, EXAMPLES["answer 413"])


FOUND = {
    "wave": 2,
    "answered": False,
    "reports": {"smokes": 1, "party": 2},
    "ledger": [{"wave": 1, "epsilon": "1.5"}, {"wave": 2, "epsilon": "2.1"}],
    "total": "2.1",
}


def test_what_can_have_been_found_passes():
    assert client.check_found(FOUND, wire_vectors.third_wave()) == FOUND


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"wave": 4}, "to come"),
        ({"answered": True}, "answered"),
        ({"total": "2"}, "total"),
        ({"ledger": []}, "ledger"),
        ({"ledger": [{"wave": 2}]}, "keys"),
        ({"reports": {"smokes": 2}}, "of its table"),
        ({"reports": {"smokes": True}}, "of its table"),
        ({"reports": {"region": 0}}, "scrambles"),
        ({"reports": {"poll": 0}}, "scrambles"),
        ({"receipt": ""}, "keys"),
    ],
)
def test_what_cannot_have_been_found_is_not_used(changes, rule):
    with pytest.raises(client.Untrusted, match=rule):
        client.check_found(FOUND | changes, wire_vectors.third_wave())


def test_a_report_of_the_first_wave_is_checked_by_its_table():
    """`party` had two reports then."""
    first = FOUND | {"wave": 1, "ledger": FOUND["ledger"][:1], "total": "1.5"}
    document = wire_vectors.third_wave()
    client.check_found(first | {"reports": {"party": 1}}, document)
    with pytest.raises(client.Untrusted, match="of its table"):
        client.check_found(first | {"reports": {"party": 2}}, document)


# --- what is checked ----------------------------------------------------------------------------


# How the client says what the server and the browser have codes for.
RULES = {
    "bad_choice": "mode is of the right form",
    "not_pseudonymous": "a survey without return codes has one wave",
    "not_together": "kept together",
    "bad_previous": "previous is null in the first wave alone",
    "bad_digest": "previous is of the right form",
    # Of what does not go together the client knows what a wave excludes.
    "clash": "only the client draws",
    "not_a_list": "earlier is of the right form",
    "bad_earlier": "all its earlier waves in their order",
    "unknown_key": "keys are as on the page",
    "unknown_form": "one of three forms",
    "not_relaxed": "degrad|is the same|one entry for each earlier report",
    "wrong_sum": "a column sums to the denominator",
    "over_budget": "the budget is kept",
    "bad_number": "(wave|kept) is of the right form",
    "bad_order": "an order is kept of nobody who is told apart",
}


@pytest.mark.parametrize("case", BROKEN_WAVE)
def test_the_client_refuses_what_server_and_browser_refuse(case):
    document, code, _field = broken(f"of a later wave: {case}")
    with pytest.raises(client.Untrusted, match=RULES[code]):
        client.check(signed(document))


NOUGHT = {"form": "uniform", "denominator": "0", "kept": "0", "other": "0"}


@pytest.mark.parametrize(
    ("index", "entry", "rule"),
    [
        (0, {"degradation": NOUGHT}, "above 0"),
        (0, {"degradation": NOUGHT | {"kept": "01"}}, "kept"),
        (0, {"degradation": NOUGHT | {"kept": "-1"}}, "kept"),
        (0, {"degradation": {"form": "same", "kept": "1"}}, "keys"),
        (0, {"table": {"form": "bits"}}, "only codes"),
        (1, {"degradation": {"form": "dense", "denominator": "4", "columns": ["3"]}}, "a list"),
        (1, {"degradation": {"form": "dense", "denominator": "4", "columns": [[3]]}}, "whole"),
        (1, {"table": wire_vectors.dense([[32, 32], [24, 40]])}, "same answers"),
    ],
)
def test_the_client_refuses_a_step_that_is_none(index, entry, rule):
    document = deepcopy(wire_vectors.third_wave())
    document["devices"][index]["earlier"][0].update(entry)
    with pytest.raises(client.Untrusted, match=rule):
        client.check(signed(document))


def test_waves_are_held_to_their_own_documents(base, launch):
    next_wave(launch, drug="1.5")
    next_wave(Launch.objects.get(wave=2), drug="2", absence="1")
    documents = [client.check(client.fetch(base, "health", wave).body) for wave in (1, 2, 3)]
    assert client.fetch(base, "health").body == documents[-1]
    client.check_history(documents)
    for path in (("previous",), ("devices", 0, "earlier", 0, "table", "kept")):
        changed = deepcopy(documents)
        *parents, last = path
        place = changed[-1]
        for key in parents:
            place = place[key]
        place[last] = "changed"
        with pytest.raises(client.Untrusted, match="wave"):
            client.check_history(changed)


@pytest.mark.parametrize("wave", [0, 2, 10**30])
def test_a_wave_that_there_is_not(base, wave):
    answer = client.fetch(base, "health", wave)
    assert (answer.status, answer.codes) == (404, [("", "no_such_survey")])


# --- relaxed reports ----------------------------------------------------------------------------


def devices_of_the_page() -> dict[str, Json]:
    devices = {device["id"]: device for device in wire_vectors.third_wave()["devices"]}
    return {name: devices[name] for name in EXAMPLES["earlier"]}


def test_the_earlier_tables_of_the_page_are_those_that_everybody_checks():
    """Those of wire.json, which the browser checks as well."""
    keys = ("table", "earlier")
    expected = {
        name: {key: device[key] for key in keys} for name, device in devices_of_the_page().items()
    }
    assert EXAMPLES["earlier"] == expected


@pytest.mark.parametrize("case", EXAMPLES["relaxations"])
def test_reports_are_relaxed_as_on_the_page(case):
    left = bytes_of(case["bytes"])
    device = devices_of_the_page()[case["device"]]
    report = client.relax(device, case["wave"], case["previous"], case["truth"], left)
    assert report == case["report"]
    assert left(1) == b""


def engine_weights(device: Json, wave: int, previous: int, truth: int) -> tuple[list[int], int]:
    """The weights of the engine, from a degradation that it has found itself."""
    now, later = (
        DesignMatrix.from_integers(list(zip(*columns_of(table), strict=True)), table["denominator"])
        for table in (client.earlier_of(device, wave)["table"], device["table"])
    )
    return exact_kernel_weights(exact_degradation(now, later), now, later, previous, truth)


@pytest.mark.parametrize(
    ("name", "wave", "ranges"),
    [("smokes", 1, [45, 45]), ("smokes", 2, [36, 36]), ("party", 1, [96, 160])],
)
def test_of_all_numbers_below_the_range_each_report_gets_its_exact_share(name, wave, ranges):
    """Every draw there is, against the exact weights of the engine."""
    device = devices_of_the_page()[name]
    answers = range(len(columns_of(device["table"])))
    for (previous, common), truth in product(enumerate(ranges), answers):
        weights, total = engine_weights(device, wave, previous, truth)
        drawn = Counter(
            client.relax(device, wave, previous, truth, bytes_of(f"{number:02x}"))
            for number in range(common)
        )
        shares = {code: Fraction(weight * common, total) for code, weight in enumerate(weights)}
        assert drawn == shares


def test_relaxed_draws_of_launched_devices_are_those_of_the_engine(base, launch):
    """With ranges of many bytes: the report at which the engine's weights exceed what was drawn."""
    next_wave(next_wave(launch, drug="1.5"), drug="2", absence="1")
    drug, absence, _permanent = fetched(base)["devices"]
    for device, wave in product((drug, absence), (1, 2)):
        size = len(device["table"]["reports"])
        for previous, truth, seed in product(range(size), range(size), range(8)):
            taken: list[bytes] = []
            report = client.relax(device, wave, previous, truth, recorded(seed, taken))
            common = range_of(device, wave, previous)
            assert common > 2**32
            drawn = int.from_bytes(taken[-1], "big") % 2 ** (common - 1).bit_length()
            weights, total = engine_weights(device, wave, previous, truth)
            place = Fraction(drawn, common) * total
            bounds = [sum(weights[: code + 1]) for code in range(size)]
            assert report == next(code for code, bound in enumerate(bounds) if bound > place)


def range_of(device: Json, wave: int, previous: int) -> int:
    """The common range, straight from the integers of the document."""
    degradation = client.earlier_of(device, wave)["degradation"]
    kept, other = int(degradation["kept"]), int(degradation["other"])
    return math.lcm(
        *(
            sum((kept if w == previous else other) * entry for w, entry in enumerate(column))
            for column in columns_of(device["table"])
        )
    )


def test_an_answer_that_never_sent_the_earlier_report_is_drawn_anew():
    """The earlier table sends B with 0 in 8 for the answer 0, and with 1 in 8 for the answer 1."""
    earlier = {
        "wave": 1,
        "table": wire_vectors.dense([[8, 0], [7, 1]]),
        "degradation": {"form": "dense", "denominator": "2", "columns": [["2", "0"], ["1", "1"]]},
    }
    device = wire_vectors.device("rare", wire_vectors.dense([[4, 0], [3, 1]]), "1", delta="0.1")
    client.check_earlier(earlier, device)
    device["earlier"] = [earlier]
    for number in range(4):
        drawn = [client.relax(device, 1, 1, truth, bytes_of(f"0{number}")) for truth in (0, 1)]
        assert drawn == [0, 1]


def test_the_bytes_that_are_taken_do_not_depend_on_the_answer():
    for device in devices_of_the_page().values():
        for previous, seed in product(range(2), range(30)):
            taken = [
                taken_by(device, 1, previous, truth, seed)
                for truth in range(len(columns_of(device["table"])))
            ]
            assert len(set(taken)) == 1


def taken_by(device: Json, wave: int, previous: int, truth: int, seed: int) -> tuple[bytes, ...]:
    taken: list[bytes] = []
    client.relax(device, wave, previous, truth, recorded(seed, taken))
    return tuple(taken)


def recorded(seed: int, taken: list[bytes]) -> Callable[[int], bytes]:
    """The bytes of a generator with a seed, and what was taken of them."""
    source = random.Random(seed)

    def take(size: int) -> bytes:
        taken.append(source.randbytes(size))
        return taken[-1]

    return take


# --- from the first wave to the results ---------------------------------------------------------


def test_the_client_comes_back_and_the_waves_are_pooled(base, launch):
    codes = [client.new_code() for _ in range(12)]
    first = {code: answer_wave(base, code, answers_of(number)) for number, code in enumerate(codes)}
    in_results(launch)
    later = next_wave(launch, drug="2")

    document, last = fetched(base), dict(first)
    assert (document["wave"], document["previous"]) == (2, launch.digest)
    for number, code in enumerate(codes[:5]):
        found = found_under(base, code, document)
        assert (found["wave"], found["answered"], found["total"]) == (1, False, "1.5")
        assert found["reports"] == scrambled(first[code])
        last[code] = answer_wave(base, code, answers_of(number), found)
        # Its table has not changed, so it is sent again.
        assert last[code]["absence"] == first[code]["absence"]
        again = found_under(base, code, document)
        assert again["answered"] is True
        assert again["reports"] == scrambled(last[code])
        assert [entry["epsilon"] for entry in again["ledger"]] == ["1.5", "2.5"]
    newcomer = client.new_code()
    last[newcomer] = answer_wave(base, newcomer, answers_of(0))

    content = in_results(later)
    assert ReportSet.objects.count() == content["responses"] == 13
    assert [(each["source"], each["responses"]) for each in content["sources"]] == [
        ("", 6),
        ("1", 7),
    ]
    for each, people in ((later, [*codes[:5], newcomer]), (launch, codes[5:])):
        for name in ("drug", "absence", "permanent"):
            tally = each.tallies.get(table=name)
            sent = Counter(last[code][name] for code in people)
            assert tally.counts == [sent[code] for code in range(len(tally.counts))]
    assert content["questions"][0]["n"] == 13


def test_somebody_who_left_out_a_wave_relaxes_the_one_before(base, launch):
    code = client.new_code()
    first = answer_wave(base, code, answers_of(1))
    next_wave(next_wave(launch, drug="1.5"), drug="2")
    document = fetched(base)
    found = found_under(base, code, document)
    assert (found["wave"], found["reports"]) == (1, scrambled(first))
    taken: list[bytes] = []
    answers = {**answers_of(1), "permanent": 1}
    response = client.respond(document, answers, code, found, recorded(5, taken))
    drug = document["devices"][0]
    expected = client.relax(drug, 1, first["drug"], answers["drug"], recorded(5, []))
    assert response["reports"]["drug"] == expected
    assert response["reports"]["absence"] == first["absence"]
    assert client.send(base, "health", response).status == 201
    assert found_under(base, code, document)["total"] == "2.5"


def test_a_wave_is_answered_once(base, launch):
    code = client.new_code()
    answer_wave(base, code, answers_of(0))
    document = fetched(base)
    found = found_under(base, code, document)
    with pytest.raises(client.Untrusted, match="has been answered"):
        client.respond(document, answers_of(0), code, found)


@pytest.mark.parametrize("mode", ["open", "pseudonymous"])
def test_a_code_is_sent_where_there_are_codes_and_nowhere_else(mode):
    document = wire_vectors.document() | {"mode": mode, "digest": "sha256:" + "0" * 64}
    code = CODE if mode == "open" else None
    with pytest.raises(client.Untrusted, match="has codes"):
        client.respond(document, {"smokes": 1}, code)


def test_a_repetition_gets_its_receipt_in_the_next_wave_too(base, launch):
    response = client.respond(fetched(base), answers_of(0), client.new_code())
    answers = [client.send(base, "health", response) for _ in range(2)]
    next_wave(launch, drug="2")
    answers.append(client.send(base, "health", response))
    assert [answer.status for answer in answers] == [201, 200, 200]
    assert answers[0].body == answers[1].body == answers[2].body
    found = found_under(base, response["code"], fetched(base))
    assert found["reports"] == scrambled(response["reports"])


def test_the_program_comes_back(base, launch, capsys):
    client.main(base, "health", "drug=1", "absence=2", "permanent=0")
    words, first = capsys.readouterr().out.splitlines()
    code = words.rpartition(" ")[2]
    assert is_return_code(code)
    later = next_wave(launch, drug="2")
    typed = code.lower().replace("-", " ")
    client.main(base, "health", "drug=1", "absence=2", "permanent=0", f"--code={typed}")
    words, second = capsys.readouterr().out.splitlines()
    assert words.endswith(code)
    for answer in (first, second):
        status, _, body = answer.partition(" ")
        assert (status, json.loads(body)["stored"]) == ("201", True)
    assert (launch.waiting(), later.waiting()) == (0, 1)
