"""The answer to a look-up has one length, whatever codes, arm or member it has (protocol, 5)."""

import pytest

from tests.arms import arms_launch, ask, id_in
from tests.rosters import RosterRow, launched_network, links_of
from tests.waves import ASKED, coded_launch, look_up, new_code, post

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SENT = {"drug": 0, "absence": 1, "permanent": 1}
OPTIONS = [f"Option {number}" for number in range(1, 13)]


def test_what_was_sent_under_a_code(client):
    choice = {"kind": "single_choice", "options": OPTIONS, "name": "trip", "required": False}
    launch = coded_launch(questions=[*ASKED, choice], budget=4)
    answers = []
    for trip in ({"trip": 0}, {"trip": 11}, {}):
        code = new_code()
        assert post(client, launch, code, {**SENT, **trip}).status_code == 201
        answers.append(look_up(client, launch, code))
    assert [answer.json()["reports"] for answer in answers] == [
        {"drug": 0, "absence": 1, "trip": 0},
        {"drug": 0, "absence": 1, "trip": 11},
        {"drug": 0, "absence": 1},
    ]
    # The epsilon of the ledger is that of what was left out as well, in one digit more or less.
    assert len({len(answer.content) for answer in answers[:2]}) == 1


def test_an_arm(client):
    launch = arms_launch()
    answers = [
        ask(client, launch, {"digest": launch.digest, "submission": id_in(launch, arm)})
        for arm in ("page", "split", "direct")
    ]
    assert [answer.json()["arm"] for answer in answers] == ["page", "split", "direct"]
    assert len({len(answer.content) for answer in answers}) == 1


def test_whose_link_it_is(client):
    codes = ("a", "b-2", "c" * 32, *(f"d{number}" for number in range(9)))
    rows = [RosterRow(code, f"Member {number}", "") for number, code in enumerate(codes)]
    launch = launched_network(rows)
    url = f"/s/{launch.survey.slug}/person/"
    answers = [
        client.post(url, {"link": link}, content_type="application/json")
        for link in links_of(launch.survey).values()
    ]
    assert [answer.json()["member"] for answer in answers] == list(codes)
    assert len({len(answer.content) for answer in answers}) == 1
    assert len({answer.json()["handle"] for answer in answers}) == len(codes)
