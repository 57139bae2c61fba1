"""Whatever is sent as a personal link gets a clear answer, and no answer tells two links apart."""

import json
import random
import uuid
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from surveys import throttle
from surveys.features.modes import ALPHABET
from surveys.features.roster.links import revoke
from surveys.features.roster.models import Member
from surveys.features.roster.section import new_link
from surveys.models import Receipt, ReportSet, Submission
from surveys.services.transitions import close_survey
from tests.app.kept import kept_once
from tests.app.test_hostile_input import JSON_VALUES, NO_REQUESTS, VALUES
from tests.builders import launched
from tests.rosters import launched_network, links_of

pytestmark = pytest.mark.django_db
LINK = "7K2M0QXR5VN8TB3CDH1WEY9ZAFGJ"
# Nearly links: by case, length, letters that are left out, other scripts, and what surrounds them.
NEARLY = (
    *(
        LINK.lower(),
        LINK[:-1],
        LINK + "0",
        f" {LINK}",
        f"{LINK}\n",
        f"#{LINK}",
        f"{LINK[:14]}-{LINK[14:]}",
    ),
    *(LINK[:-1] + other for other in "ILOUÀ٣１\x00\u2028*%'\""),
    *(f"/s/health/#{LINK}", LINK.encode().hex(), "0" * 27 + "\ud800", [LINK], {"link": LINK}),
)
BODIES = (
    *NO_REQUESTS,
    b"[" * 3000,
    *(b'{"link": NaN}', b'{"link": 1e999}', f'{{"link": "{LINK}", "link": "{LINK}"}}'.encode()),
    *(f'{{"link": "{LINK}", "member": "m001"}}'.encode(), f'{{"Link": "{LINK}"}}'.encode()),
    *(f'{{"link": "{LINK}"}} x'.encode(), f'{{"link": "{LINK}"}}'.encode("utf-16")),
    *(b'{"link": "' + b"0" * 60_000 + b'"}', b'{"link": "\\ud800' + b"0" * 27 + b'"}'),
)


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


kept = kept_once(lambda: launched_network(slug="kept"))


def post(client, launch, name: str, body, **extra):
    text = body if isinstance(body, bytes) else json.dumps(body)
    address = reverse(name, args=[launch.survey.slug])
    return client.post(address, text, content_type="application/json", **extra)


def response_under(launch, link, **changes) -> dict:
    return {
        "digest": launch.digest,
        "submission": str(uuid.uuid4()),
        "reports": {"friends": "0" * 11, "smokes": 1},
        "link": link,
        **changes,
    }


def assert_nothing_stored() -> None:
    assert not any(model.objects.exists() for model in (Submission, Receipt, ReportSet))
    assert not Member.objects.filter(answered=True).exists()


# --- anything -------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [NEARLY, JSON_VALUES, VALUES], ids=["nearly", "json", "texts"])
def test_a_link_may_be_anything(client, launch, values):
    for value in values:
        bodies = {"person": {"link": value}, "responses": response_under(launch, value)}
        for name, body in bodies.items():
            answer = post(client, launch, name, body)
            assert answer.status_code in (413, 422), (name, value)
            problems = answer.json()["errors"]
            assert [sorted(each) for each in problems] == [["code", "field", "message"]]
            if values == NEARLY:
                found = [(each["field"], each["code"]) for each in problems]
                assert found == [("link", "not_a_link")], (name, value)
    assert_nothing_stored()


def test_a_body_may_be_anything(client, launch):
    for body in BODIES:
        for name in ("person", "responses"):
            answer = post(client, launch, name, body)
            assert answer.status_code in (413, 422), body
            assert answer.json()["errors"]
    assert_nothing_stored()


@pytest.mark.parametrize(
    "name", ["digest", "submission", "reports", "strata", "wave", "code", "member"]
)
def test_a_response_under_a_good_link_may_have_anything_beside_it(client, launch, name):
    links = links_of(launch.survey)
    chance = random.Random(name)
    for value in chance.sample([*JSON_VALUES, *VALUES], 12):
        answer = post(
            client, launch, "responses", response_under(launch, links["m001"], **{name: value})
        )
        harmless = name == "strata" and value == {}
        assert answer.status_code in ((201, 200) if harmless else (409, 413, 422)), value
        if harmless:
            Member.objects.update(answered=False)
            Submission.objects.all().delete()
            Receipt.objects.all().delete()
    assert_nothing_stored()
    assert (
        post(client, launch, "responses", response_under(launch, links["m001"])).status_code == 201
    )


def test_only_the_right_kind_of_request_is_read(client, launch):
    link = links_of(launch.survey)["m001"]
    address = reverse("person", args=[launch.survey.slug])
    body = json.dumps({"link": link})
    for method in ("get", "put", "patch", "delete", "head", "options"):
        answer = getattr(client, method)(address)
        assert answer.status_code == 405
        assert b"m001" not in answer.content
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
    ):
        assert client.post(address, body, content_type=kind).status_code == 415
    foreign = {"headers": {"Origin": "https://elsewhere.example"}}
    assert post(client, launch, "person", {"link": link}, **foreign).status_code == 403
    assert client.get(f"{address}?link={link}").status_code == 405
    assert post(client, launch, "person", {"link": link}).status_code == 200


# --- what answers tell ----------------------------------------------------------------------------


def shown(answer) -> tuple:
    return answer.status_code, answer.content, sorted(answer.headers.items())


def test_no_answer_tells_a_link_that_was_never_made_from_one_that_is_void(client, launch):
    """The links are a member's who has answered, one's who has not, and another survey's."""
    other = launched_network(slug="other", owned_by=launch.survey.owner)
    links, void = links_of(launch.survey), {}
    assert (
        post(client, launch, "responses", response_under(launch, links["m003"])).status_code == 201
    )
    for code in ("m001", "m003"):
        revoke(member=Member.objects.get(survey=launch.survey, code=code))
        void[f"revoked, {code}"] = links[code]
    void["replaced by a newer one"] = links["m002"]
    assert links_of(launch.survey)["m002"] != links["m002"]
    void["of another survey"] = links_of(other.survey)["m001"]
    for name, body in (
        ("person", lambda link: {"link": link}),
        ("responses", lambda link: response_under(launch, link)),
    ):
        expected = shown(post(client, launch, name, body(new_link())))
        assert expected[0] == 404
        for kind, link in void.items():
            assert shown(post(client, launch, name, body(link))) == expected, (name, kind)


def test_nor_do_the_answers_to_bad_reports_or_to_a_closed_survey(client, launch):
    links = links_of(launch.survey)
    candidates = [links["m001"], new_link()]
    bad = [
        {"reports": {"friends": "0" * 10, "smokes": 1}},
        {"digest": "sha256:" + "0" * 64},
        {"reports": {}},
    ]
    for changes in bad:
        answers = [
            shown(post(client, launch, "responses", response_under(launch, link, **changes)))
            for link in candidates
        ]
        assert answers[0] == answers[1]
    close_survey(survey=launch.survey, actor=None)
    answers = [
        shown(post(client, launch, "responses", response_under(launch, link)))
        for link in candidates
    ]
    assert answers[0] == answers[1]
    assert answers[0][0] == 409
    assert_nothing_stored()


def test_looking_up_a_link_takes_the_same_statements_whether_it_is_known(
    client, launch, django_assert_num_queries
):
    """One statement for the launch, one for its survey and one for the member; names beyond."""
    link = links_of(launch.survey)["m001"]
    revoke(member=Member.objects.get(survey=launch.survey, code="m001"))
    for unknown in (link, new_link()):
        with django_assert_num_queries(3):
            assert post(client, launch, "person", {"link": unknown}).status_code == 404


def test_a_survey_that_is_not_launched_or_has_no_links_says_nothing_about_members(client):
    launch = launched(slug="plain")
    answer = post(client, launch, "person", {"link": LINK})
    assert answer.status_code == 404
    assert answer.json()["errors"][0]["code"] == "unknown_link"
    address = reverse("person", args=["nowhere"])
    answer = client.post(address, json.dumps({"link": LINK}), content_type="application/json")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (404, "no_such_survey")


# --- how often ------------------------------------------------------------------------------------


def test_guesses_of_links_are_limited_for_each_network(client, launch, settings):
    settings.THROTTLE_EXEMPT = []
    settings.SUBMIT_RATE = "5/minute"
    throttle.throttle.cache_clear()
    try:
        guesses = [post(client, launch, "person", {"link": new_link()}) for _ in range(8)]
        assert [each.status_code for each in guesses] == [404] * 5 + [429] * 3
        assert guesses[-1].json()["errors"][0]["code"] == "too_many"
        assert guesses[-1]["Retry-After"]
        # Nor can the other address be used to go on guessing for ever.
        sent = [
            post(client, launch, "responses", response_under(launch, new_link())) for _ in range(8)
        ]
        assert [each.status_code for each in sent] == [404] * 5 + [429] * 3
        client.defaults["REMOTE_ADDR"] = "192.0.2.9"
        assert (
            post(client, launch, "person", {"link": links_of(launch.survey)["m001"]}).status_code
            == 200
        )
    finally:
        throttle.throttle.cache_clear()
    assert_nothing_stored()


def test_links_are_drawn_from_more_than_can_be_guessed():
    """28 symbols of 32: even at a million guesses a second for a thousand members, never."""
    links = {new_link() for _ in range(2000)}
    assert len(links) == 2000
    counts = Counter("".join(links))
    assert set(counts) == set(ALPHABET)
    assert sum(counts.values()) == 2000 * 28
    # 1,750 of each are expected, with a standard error of 41: twelve of them.
    assert all(abs(count - 1750) < 12 * 41 for count in counts.values())
