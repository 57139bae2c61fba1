"""Section 18 of docs/protocol.md: rankings, by a client that knows that page."""

import json
from collections import Counter
from math import factorial

import numpy as np
import pytest
from candor import respondent as client

from rr_engine.designs.orders import distance_counts
from surveys.parameters import ParametersError, check, digest_of_json, read
from tests.app.test_rankings import ranked
from tests.system.protocol_page import EXAMPLES, bytes_of
from tests.vectors import make_wire_vectors as wire_vectors

TABLE = {
    "form": "ranking",
    "items": 3,
    "denominator": 16,
    "weights": [4, 2, 2, 1],
    "refusal": [3, 4, 2],
}


@pytest.mark.parametrize("case", EXAMPLES["orders"], ids=lambda case: case["bytes"])
def test_the_examples_of_the_page_are_drawn(case):
    device = wire_vectors.device("q", TABLE, "1.4", look="ranking")
    drawn = client.draw(device, case["truth"], bytes_of(case["bytes"]))
    assert drawn == case["report"]


@pytest.mark.django_db
@pytest.mark.parametrize("items", [3, 4, 5, 6])
@pytest.mark.parametrize("refusal", [False, True])
def test_a_launched_survey_passes_the_clients_checks_and_is_drawn_by_its_weights(items, refusal):
    launch = ranked(items, prefer_not=refusal)
    document = client.check(launch.document)
    (device,) = document["devices"]
    table, counts = device["table"], distance_counts(items)
    truths = [0, factorial(items) - 1, *[factorial(items)] * refusal]
    generator = np.random.default_rng(items)
    for truth in truths:
        drawn = Counter(client.draw(device, truth, generator.bytes) for _ in range(2_000))
        refused = drawn.pop(factorial(items), 0)
        share = table["refusal"][truth == factorial(items)] if refusal else 0
        chance = share / table["denominator"]
        assert abs(refused - 2_000 * chance) <= 5 * np.sqrt(2_000 * chance * (1 - chance))
        if truth == 0:
            near = sum(drawn[report] for report in drawn if report == 0) / 2_000
            own = table["weights"][0] * counts[0] / table["denominator"]
            assert abs(near - own) < 5 * np.sqrt(own * (1 - own) / 2_000)


BROKEN = {
    "another number of items": lambda table: {**table, "items": 4},
    "a weight too few": lambda table: {**table, "weights": table["weights"][:-1]},
    "weights that do not sum": lambda table: {**table, "weights": [*table["weights"][1:], 0]},
    "a refusal that nobody may give": lambda table: {**table, "refusal": [1, 1, 1]},
    "codes": lambda table: {
        "form": "uniform",
        "reports": ["A", "B", "C"],
        "denominator": 4,
        "kept": 2,
        "other": 1,
    },
}


@pytest.mark.django_db
@pytest.mark.parametrize("breach", BROKEN)
def test_client_and_server_refuse_the_same(breach):
    document = json.loads(json.dumps(ranked(3).document))
    document["devices"][0]["table"] = BROKEN[breach](document["devices"][0]["table"])
    del document["digest"]
    document["digest"] = digest_of_json(document)
    with pytest.raises(client.Untrusted):
        client.check(document)
    with pytest.raises(ParametersError):
        check(read(document))
