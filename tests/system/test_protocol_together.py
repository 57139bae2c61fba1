"""Section 12 of docs/protocol.md: groups and random pairs, by a client that knows that page."""

import json
from collections import Counter
from copy import deepcopy
from decimal import Decimal
from typing import Any

import msgspec
import numpy as np
import pytest

import rr_engine
from surveys.models import Tally
from surveys.parameters import Joint
from surveys.services.results import refresh_results
from tests.builders import launched
from tests.released import WITH_GROUP
from tests.system import protocol_client as client
from tests.system.protocol_page import EXAMPLES, PAGE, ROOT, bytes_of
from tests.vectors import make_wire_vectors as wire_vectors
from tests.vectors.broken_groups import BROKEN_GROUPS
from tests.vectors.broken_pairs import BROKEN_PAIRS

VECTORS = json.loads((ROOT / "tests/vectors/joint_draws.json").read_text(encoding="utf-8"))
TOGETHER = EXAMPLES["together"]


def signed(document: dict[str, Any]) -> dict[str, Any]:
    # With a number that has a fraction there is no digest at all.
    return document | {"digest": wire_vectors.digest(document)}


@pytest.mark.parametrize("document", ["grouped", "paired"])
def test_the_client_takes_questions_that_are_sent_together(document):
    served = signed(getattr(wire_vectors, document)())
    assert client.check(served) == served


@pytest.mark.parametrize(
    ("document", "broken", "case"),
    [
        *(("grouped", BROKEN_GROUPS, case) for case in BROKEN_GROUPS),
        *(("paired", BROKEN_PAIRS, case) for case in BROKEN_PAIRS),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_the_client_refuses_every_breach(document, broken, case):
    served = deepcopy(getattr(wire_vectors, document)())
    broken[case][0](served)
    with pytest.raises(client.Untrusted):
        client.check(signed(served))


def test_the_page_names_the_codes_of_these_breaches():
    """Those of the rules; what is wrong with a shape has a code in every table."""
    _, _, section = PAGE.partition("## 12. Questions that are sent together")
    codes = {code for _, code, _ in (*BROKEN_GROUPS.values(), *BROKEN_PAIRS.values())}
    elsewhere = {"unknown_key", "not_identity", "too_revealing", "over_budget", "bad_text"}
    assert {code for code in codes - elsewhere if f"`{code}`" not in section} == set()


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
    channel = rr_engine.JointChannel(read.shape, read.weights, read.denominator)
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
