"""Section 12 of docs/protocol.md: groups and random pairs, by a client that knows that page."""

from collections import Counter
from decimal import Decimal
from typing import Any

import msgspec
import numpy as np
import pytest
from candor import respondent as client

import rr_engine
from surveys.models import Tally
from surveys.parameters import Joint
from surveys.services.results import refresh_results
from tests.builders import launched
from tests.released import WITH_GROUP
from tests.system.protocol_page import EXAMPLES, PAGE, bytes_of
from tests.vectors import make_wire_vectors as wire_vectors
from tests.vectors.broken_documents import signed
from tests.vectors.broken_groups import BROKEN_GROUPS
from tests.vectors.broken_pairs import BROKEN_PAIRS
from tests.vectors.case_lines import read_vectors
from tests.waves import coded_launch, next_wave

VECTORS = read_vectors("joint_draws.json")
TOGETHER = EXAMPLES["together"]


def test_the_page_names_the_codes_of_these_breaches():
    """Those of the rules; what is wrong with a shape has a code in every table."""
    _, _, section = PAGE.partition("## 12. Questions that are sent together")
    codes = {code for _, code, _ in (*BROKEN_GROUPS.values(), *BROKEN_PAIRS.values())}
    elsewhere = {"unknown_key", "not_identity", "too_revealing", "over_budget", "bad_text"}
    assert "`clash`" in PAGE, "what does not go together is in one table for all features"
    assert {code for code in codes - elsewhere - {"clash"} if f"`{code}`" not in section} == set()


@pytest.mark.parametrize("case", VECTORS["draws"][::3])
def test_the_client_draws_as_the_browser_does(case):
    table = VECTORS["tables"][case["table"]]
    drawn = client.draw_together(table, case["truth"], bytes_of(case["bytes"]))
    assert drawn == case["report"]


@pytest.mark.parametrize("case", TOGETHER["draws"])
def test_the_examples_of_the_page_are_drawn(case):
    table, source = TOGETHER["table"], bytes_of(case["bytes"])
    assert client.draw_together(table, case["truth"], source) == case["report"]
    read = msgspec.convert(table, Joint)
    channel = rr_engine.channels.JointChannel(read.shape, read.weights, read.denominator)
    truth = int(np.ravel_multi_index(tuple(case["truth"]), read.shape))
    (report,) = channel.draw([truth], bytes_of(case["bytes"]))
    assert [int(code) for code in np.unravel_index(report, read.shape)] == case["report"]


def test_every_number_of_the_example_is_dealt_out_as_its_weights_say():
    table = TOGETHER["table"]
    for truth in ([0, 0], [1, 0], [0, 2], [1, 1]):
        drawn = Counter(
            tuple(client.draw_together(table, truth, bytes_of(f"{number:02x}")))
            for number in range(16)
        )
        for report, count in drawn.items():
            changed = sum(a != b for a, b in zip(report, truth, strict=True))
            assert count == table["weights"][changed]
        assert len(drawn) == 6


def test_half_of_a_group_is_not_sent():
    document = client.check(signed(wire_vectors.grouped()))
    with pytest.raises(client.Untrusted, match="half"):
        client.respond(document, {"smokes": 1})


def test_the_pair_is_picked_evenly_and_named_in_the_response():
    document = client.check(signed(wire_vectors.paired()))
    pairs = [device for device in document["devices"] if device["id"] == "pair"]
    picked = [client.pick_pair(document, bytes_of(f"{number:02x}")) for number in range(len(pairs))]
    assert picked == pairs
    first, second = picked[1]["questions"]
    response = client.respond(document, {first: 1, second: 0, "region": 0})
    assert set(response["reports"]) == {"pair", "region"}
    assert response["strata"] == {"pair": picked[1]["stratum"]}
    assert client.pick_pair(client.check(signed(wire_vectors.grouped()))) is None


def test_what_the_client_sends_of_a_group_is_what_is_counted(
    live_server, transactional_db, settings
):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    launch = launched(questions=WITH_GROUP, budget=Decimal(6))
    document = client.check(client.fetch(live_server.url, "health").body)
    answers = [
        {"team": n % 2, "drug": n % 2, "drink": n % 3, "stress": n % 4, "shift": 0}
        for n in range(12)
    ]
    responses = [client.respond(document, each) for each in answers]
    sent = [client.send(live_server.url, "health", response) for response in responses]
    assert {answer.status for answer in sent} == {201}
    refresh_results(launch_id=launch.pk)
    counts = np.array(Tally.objects.get(table="group_2").counts).reshape(2, 3, 4)
    expected = Counter(tuple(response["reports"]["group_2"]) for response in responses)
    assert {cell: counts[cell] for cell in zip(*counts.nonzero(), strict=True)} == expected


# --- later waves --------------------------------------------------------------------------------


def returned(base: str, code: str) -> tuple[Any, Any]:
    """The document of the wave in force, and what was sent under the code."""
    document = client.check(client.fetch(base, "health").body)
    return document, client.check_found(client.look_up(base, "health", code).body, document)


def test_the_client_comes_back_and_sends_the_report_of_a_group_again(
    live_server, transactional_db, settings
):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    base = live_server.url
    launch = coded_launch(questions=WITH_GROUP, budget=Decimal(7))
    first = client.check(client.fetch(base, "health").body)
    code = client.new_code()
    answers = {"team": 1, "drug": 1, "drink": 2, "stress": 0, "shift": 0}
    response = client.respond(first, answers, code)
    assert client.send(base, "health", response).status == 201
    next_wave(launch, team="2")
    document, found = returned(base, code)
    client.check_history([first, document])
    sent = response["reports"]["group_2"]
    assert found["reports"] == {"team": response["reports"]["team"], "group_2": sent}
    # Neither answers of the group nor bytes for it are needed.
    alone = {"team": 0, "shift": 1}
    again = client.respond(document, alone, code, found)
    assert again["reports"]["group_2"] == sent
    assert client.respond(document, answers, code, found)["reports"]["group_2"] == sent
    assert client.send(base, "health", again).status == 201
    _document, found = returned(base, code)
    assert found["ledger"] == [{"wave": 1, "epsilon": "4.9"}, {"wave": 2, "epsilon": "5.9"}]
    second = client.send(base, "health", client.respond(document, answers, code))
    assert (second.status, second.codes) == (409, [("", "already_answered")])


@pytest.mark.parametrize("report", [[1, 2], [1, 2, 4], [1, 2, -1], [1, True, 0], 5, "120"])
def test_what_is_no_report_of_the_group_is_not_taken_up(report):
    (table,) = [
        device["table"] for device in wire_vectors.grouped()["devices"] if device["id"] == "group_1"
    ]
    three = table | {"parts": [["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]]}
    assert client.is_report([1, 2, 3], three)
    assert not client.is_report(report, three)
