"""Section 13 of docs/protocol.md: rosters and personal links, by a client that knows that page."""

import json
import re
from typing import Any

import msgspec
import numpy as np
import pytest
from candor import respondent as client

from surveys.features.roster.changes import delete_names
from surveys.features.roster.links import revoke
from surveys.features.roster.models import Member
from surveys.features.roster.section import Roster, is_personal_link, new_link
from surveys.models import Submission, Tally
from surveys.responses.ties_space import TieBits
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey
from tests.builders import launched
from tests.rosters import launched_network, links_of
from tests.system.protocol_page import EXAMPLES, PAGE, bytes_of
from tests.vectors import make_wire_vectors as wire_vectors
from tests.vectors.broken_rosters import BROKEN_ROSTERS

SECTION = PAGE.partition("## 13. Rosters and personal links")[2]
TABLE = {"form": "ties", "bits": 3, "denominator": 16, "one": 12, "zero": 4}


def test_the_page_names_the_codes_of_these_breaches():
    """Those of the rules; what is wrong with a shape has a code in every table."""
    codes = {code for _, code, _ in BROKEN_ROSTERS.values()}
    elsewhere = {
        *("unknown_key", "bad_number", "bad_code", "too_revealing", "over_budget"),
        *("not_power_of_two", "wrong_sum", "not_together", "not_pseudonymous"),
    }
    assert {code for code in codes - elsewhere if f"`{code}`" not in SECTION} == set()


def test_the_roster_of_the_page_is_one():
    assert msgspec.convert(EXAMPLES["roster"], Roster).size == 4
    assert len(EXAMPLES["person"]["names"]) == 4


@pytest.mark.parametrize("case", EXAMPLES["ties"], ids=lambda case: case["report"])
def test_the_examples_of_the_page_are_drawn(case):
    truth = client.ties_of(EXAMPLES["roster"], case["member"], case["ties"])
    drawn = client.draw(wire_vectors.device("q", TABLE, "1.1"), truth, bytes_of(case["bytes"]))
    assert drawn == case["report"]


def test_the_link_of_the_page_is_one_and_links_differ():
    link = EXAMPLES["under a link"]["link"]
    assert client.is_link(link)
    assert is_personal_link(link)
    assert f"#{link}`" in SECTION
    links = {new_link() for _ in range(100)}
    assert len(links) == 100
    assert all(map(client.is_link, links))
    assert not client.is_link(link.lower())
    assert not is_personal_link(link.lower())
    assert not is_personal_link(link[:-1])


@pytest.fixture
def network(live_server, transactional_db, settings):
    """The address of a survey of 12 members, its launch, and their links by code."""
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    launch = launched_network()
    return live_server.url, launch, links_of(launch.survey)


def answer_of(document: dict[str, Any], code: str, link: str, *ties: str) -> dict[str, Any]:
    truth = client.ties_of(document["roster"], code, ties)
    return client.respond(document, {"friends": truth, "smokes": 1}, link=link)


def test_what_the_client_sends_is_what_is_counted(network):
    base, launch, links = network
    document = client.check(client.fetch(base, "health").body)
    responses = {
        code: answer_of(document, code, link, "m001" if code != "m001" else "m002")
        for code, link in links.items()
        if code != "m012"
    }
    sent = [client.send(base, "health", response) for response in responses.values()]
    assert {answer.status for answer in sent} == {201}
    refresh_results(launch_id=launch.pk)
    rows = TieBits(11).rows(Tally.objects.get(table="friends").counts)
    assert {
        document["roster"]["codes"][place]: "".join(map(str, row)) for place, row in rows.items()
    } == {code: response["reports"]["friends"] for code, response in responses.items()}
    stored = launch.report_sets.values_list("content", flat=True)
    assert {content["member"] for content in stored} == set(responses)
    assert not Tally.objects.filter(table="lends").exists()


def test_a_link_leads_to_the_roster_and_to_nothing_else(network):
    base, launch, links = network
    found = client.person(base, "health", links["m003"])
    names = [f"Member {number}" for number in range(1, 13)]
    assert found.status == 200
    assert re.fullmatch("[0-9a-f]{32}", found.body.pop("handle"))
    assert found.body == {"member": "m003", "names": names, "answered": False}
    assert "no-store" in found.headers["Cache-Control"]
    document = client.check(client.fetch(base, "health").body)
    assert all(name not in json.dumps(document) for name in names)
    client.send(base, "health", answer_of(document, "m003", links["m003"]))
    # A link that has been used leads to no names any more.
    spent = client.person(base, "health", links["m003"]).body
    assert (spent["answered"], spent["names"]) == (True, None)
    close_survey(survey=launch.survey, actor=None)
    shut = client.person(base, "health", links["m004"])
    assert (shut.status, shut.body["names"]) == (200, None)
    delete_names(survey=launch.survey, actor=None)
    assert client.person(base, "health", links["m004"]).body["names"] is None


def test_a_member_has_one_response_however_often_it_is_sent(network):
    base, _launch, links = network
    document = client.check(client.fetch(base, "health").body)
    first = answer_of(document, "m001", links["m001"], "m002")
    assert [client.send(base, "health", first).status for _ in range(2)] == [201, 200]
    second = client.send(base, "health", answer_of(document, "m001", links["m001"]))
    assert (second.status, second.codes) == (409, [("", "already_answered")])
    (stored,) = Submission.objects.all()
    assert stored.content["reports"] == first["reports"]
    revoke(member=Member.objects.get(code="m001"))
    assert client.send(base, "health", first).status == 200


def test_a_link_that_is_revoked_made_up_or_of_another_survey_stores_nothing(network):
    base, launch, links = network
    other = launched_network(slug="other", owned_by=launch.survey.owner)
    document = client.check(client.fetch(base, "health").body)
    revoke(member=Member.objects.get(survey=launch.survey, code="m001"))
    for link in (links["m001"], new_link(), links_of(other.survey)["m001"]):
        sent = client.send(base, "health", answer_of(document, "m001", link))
        assert (sent.status, sent.codes) == (404, [("", "unknown_link")])
        asked = client.person(base, "health", link)
        assert (asked.status, asked.codes) == (404, [("", "unknown_link")])
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda r: r.pop("link"), ("link", "missing")),
        (lambda r: r.update(link="short"), ("link", "not_a_link")),
        (lambda r: r.update(link=None), ("link", "not_a_link")),
        (lambda r: r.update(code="0000-0000-0000-0000-0000"), ("code", "unknown_key")),
        (lambda r: r.update(member="m001"), ("member", "unknown_key")),
        (lambda r: r["reports"].update(friends="0" * 10), ("reports.friends", "not_bits")),
        (lambda r: r["reports"].update(friends="0" * 12), ("reports.friends", "not_bits")),
        (lambda r: r["reports"].update(friends="0" * 10 + "2"), ("reports.friends", "not_bits")),
        (lambda r: r["reports"].update(friends=["m002"]), ("reports.friends", "not_bits")),
        (lambda r: r["reports"].update(friends=5), ("reports.friends", "not_bits")),
        (lambda r: r["reports"].update(m002=1), ("reports.m002", "unknown_question")),
        (lambda r: r["reports"].pop("friends"), ("reports.friends", "missing")),
    ],
)
def test_what_does_not_fit_is_refused_by_its_field(network, change, problem):
    base, _launch, links = network
    document = client.check(client.fetch(base, "health").body)
    response = answer_of(document, "m001", links["m001"], "m002")
    change(response)
    sent = client.send(base, "health", response)
    assert (sent.status, sent.codes) == (422, [problem])
    assert not Submission.objects.exists()
    assert not Member.objects.filter(answered=True).exists()


@pytest.mark.parametrize(
    ("body", "status", "problem"),
    [
        ({}, 422, ("", "not_an_object")),
        ({"link": "short"}, 422, ("link", "not_a_link")),
        ({"link": ["0" * 28]}, 422, ("link", "not_a_link")),
        ({"link": "0" * 28, "code": "m001"}, 422, ("", "not_an_object")),
    ],
)
def test_a_request_for_names_says_what_is_wrong(network, body, status, problem):
    base, _launch, _links = network
    asked = client.post(base, "health", json.dumps(body).encode(), place="person")
    assert (asked.status, asked.codes) == (status, [problem])


def test_a_survey_without_links_takes_none(live_server, transactional_db, settings):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    launched()
    document = client.check(client.fetch(live_server.url, "health").body)
    response = client.respond(document, {"q1": 1}) | {"link": new_link()}
    sent = client.send(live_server.url, "health", response)
    assert (sent.status, sent.codes) == (422, [("link", "unknown_key")])
    asked = client.person(live_server.url, "health", new_link())
    assert (asked.status, asked.codes) == (404, [("", "unknown_link")])


def test_each_bit_of_a_report_has_a_draw_of_its_own():
    """Counted over all bytes of a table of 4: each bit is 1 for 3 of 4 where there is a tie."""
    table = {"form": "ties", "bits": 2, "denominator": 4, "one": 3, "zero": 1}
    reports = [
        client.draw_ties(table, [1, 0], bytes_of(f"{first:02x}{second:02x}"))
        for first in range(4)
        for second in range(4)
    ]
    bits = np.array([[int(bit) for bit in report] for report in reports])
    assert bits.sum(axis=0).tolist() == [12, 4]
    assert (bits[:, 0] * bits[:, 1]).sum() == 3
