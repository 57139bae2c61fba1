"""POST /s/<slug>/arm/, and what becomes of a response whose strata are those of another arm."""

import logging
import uuid

import pytest
from django.urls import reverse

from surveys.features.arms.assignment import possible_arms
from surveys.models import Receipt, Submission
from surveys.responses.envelope import is_content, response_schema
from surveys.services.transitions import close_survey
from tests.app.kept import kept_once
from tests.arms import BOTH, arms_launch, ask, id_in, response_in, seeded_id, send
from tests.builders import launched, make_survey, response

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]

NEW, OLD = "a new key of the server " * 3, "an old key of the server " * 3


kept = kept_once(lambda: arms_launch(slug="kept"))


def errors_of(answer):
    return [(error["field"], error["code"]) for error in answer.json()["errors"]]


def draw(launch, number=0):
    return {"digest": launch.digest, "submission": str(seeded_id(number))}


def test_says_the_same_arm_each_time_and_keeps_nothing(client, launch):
    arms = [ask(client, launch, draw(launch, number)) for number in [*range(40)] * 2]
    assert {answer.status_code for answer in arms} == {200}
    names = [answer.json()["arm"] for answer in arms]
    assert names[:40] == names[40:]
    assert set(names) == {"page", "split", "direct"}
    assert not Submission.objects.exists()
    assert not Receipt.objects.exists()
    assert not arms[0].cookies
    assert "no-store" in arms[0]["Cache-Control"]


def test_a_closed_survey_says_the_arm_too(client, launch):
    close_survey(survey=launch.survey, actor=None)
    assert ask(client, launch, draw(launch)).status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "errors"),
    [
        (b"{", 422, [("", "not_json")]),
        ([], 422, [("", "not_an_object")]),
        ({"digest": "x"}, 422, [("", "not_an_object")]),
        ({"digest": "x", "submission": "x", "code": "x"}, 422, [("", "not_an_object")]),
        (
            {"digest": "x", "submission": str(uuid.uuid1())},
            422,
            [("submission", "not_a_uuid"), ("digest", "not_a_digest")],
        ),
        (
            {"digest": "sha256:" + "0" * 64, "submission": str(seeded_id(0))},
            409,
            [("", "stale_digest")],
        ),
    ],
)
def test_says_what_is_wrong_with_a_request(client, launch, body, status, errors):
    answer = ask(client, launch, body)
    assert (answer.status_code, errors_of(answer)) == (status, errors)


def test_refuses_what_is_for_no_survey_with_arms(client, launch, settings):
    plain = launched(slug="plain")
    answer = ask(client, plain, draw(plain))
    assert (answer.status_code, errors_of(answer)) == (404, [("", "no_arms")])
    make_survey(slug="draft", questions=[BOTH])
    for slug in ("nowhere", "draft"):
        nowhere = client.post(f"/s/{slug}/arm/", draw(launch), content_type="application/json")
        assert (nowhere.status_code, errors_of(nowhere)) == (404, [("", "no_such_survey")])
    assert client.get(reverse("arm", args=["health"])).status_code == 405
    assert ask(client, launch, draw(launch), content_type="text/plain").status_code == 415
    elsewhere = ask(client, launch, draw(launch), headers={"Sec-Fetch-Site": "cross-site"})
    assert (elsewhere.status_code, errors_of(elsewhere)) == (403, [("", "cross_site")])
    settings.SUBMIT_RATE, settings.THROTTLE_EXEMPT = "1/hour", ()
    answers = [ask(client, launch, draw(launch)) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert "Retry-After" in answers[1]


def test_no_log_line_has_the_id(client, launch, caplog):
    caplog.set_level(logging.DEBUG)
    ask(client, launch, draw(launch))
    ask(client, launch, {"digest": "x", "submission": str(seeded_id(0))})
    send(client, launch, response_in(launch, "page", strata={"drug": "direct"}))
    assert str(seeded_id(0)) not in caplog.text
    assert id_in(launch, "page") not in caplog.text


@pytest.mark.parametrize("arm", ["page", "split", "direct"])
def test_stores_what_comes_from_the_arm_of_its_id(client, launch, arm):
    sent = response_in(launch, arm)
    assert [send(client, launch, sent).status_code for _ in range(2)] == [201, 200]
    strata = {"drug": arm, "mood": "split" if arm == "split" else "page", "region": "page"}
    stored = Submission.objects.get().content
    assert stored["strata"] == strata
    assert is_content(stored, response_schema(launch.parameters))


@pytest.mark.parametrize(
    ("arm", "strata", "errors"),
    [
        ("page", {"drug": "direct"}, [("strata.drug", "wrong_arm")]),
        ("page", {"mood": "split"}, [("strata.mood", "wrong_arm")]),
        ("direct", {}, [("reports.drug", "wrong_arm")]),
        ("direct", {"drug": "page"}, [("strata.drug", "wrong_arm")]),
        ("split", {"drug": "split"}, [("reports.mood", "wrong_arm")]),
        ("split", {"drug": "direct", "mood": "split"}, [("strata.drug", "wrong_arm")]),
        ("direct", {"drug": "x"}, [("strata.drug", "unknown_stratum")]),
        ("direct", {"drug": 7, "mood": "split"}, None),
    ],
)
def test_refuses_the_strata_of_another_arm(client, launch, arm, strata, errors):
    answer = send(client, launch, response_in(launch, arm, strata=strata))
    assert answer.status_code == 422
    expected = errors or [("strata.drug", "unknown_stratum"), ("strata.mood", "wrong_arm")]
    assert errors_of(answer) == expected
    assert not Submission.objects.exists()
    assert not Receipt.objects.exists()


def test_only_who_is_asked_directly_may_leave_out_a_required_question(client, launch):
    left_out = {"reports": {"region": 0}, "strata": {}}
    answers = [
        send(client, launch, response_in(launch, arm, **left_out))
        for arm in ("direct", "page", "split")
    ]
    assert [answer.status_code for answer in answers] == [201, 422, 422]
    assert errors_of(answers[1]) == [("reports.drug", "missing")]
    assert is_content(Submission.objects.get().content, response_schema(launch.parameters))


def test_a_response_under_the_key_before_is_taken_while_that_is_a_fallback(
    client, launch, settings
):
    settings.SECRET_KEY = OLD
    arms = launch.parameters.arms
    old = {each: possible_arms(launch.digest, seeded_id(each), arms)[0] for each in range(400)}
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [OLD]
    moved = next(
        each
        for each, arm in old.items()
        if arm == "direct" and possible_arms(launch.digest, seeded_id(each), arms)[0] == "page"
    )
    sent = response_in(launch, "direct", submission=str(seeded_id(moved)))
    assert send(client, launch, {**sent, "strata": {"drug": "split"}}).status_code == 422
    assert ask(client, launch, draw(launch, moved)).json() == {"arm": "page"}
    settings.SECRET_KEY_FALLBACKS = []
    assert errors_of(send(client, launch, sent)) == [("strata.drug", "wrong_arm")]
    settings.SECRET_KEY_FALLBACKS = [OLD]
    assert send(client, launch, sent).status_code == 201
    settings.SECRET_KEY_FALLBACKS = []
    assert send(client, launch, sent).status_code == 200
    assert send(client, launch, {**sent, "strata": {"drug": "x"}}).status_code == 422
    assert Submission.objects.count() == 1


def test_a_survey_without_arms_has_none_to_check(client):
    plain = launched()
    assert response_schema(plain.parameters).by_stratum == {}
    assert send(client, plain, response(plain)).status_code == 201
