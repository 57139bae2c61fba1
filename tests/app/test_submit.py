"""POST /s/<slug>/responses/: what is stored, what is refused, and how often."""

import json
import uuid

import pytest
from django.urls import reverse

from surveys.models import Receipt, Submission, Survey
from surveys.parameters import read
from surveys.responses.envelope import response_schema
from surveys.services.transitions import close_survey
from tests.app.kept import kept_once
from tests.builders import launched, make_survey, response
from tests.vectors.make_wire_vectors import everything

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]

YES_NO = {"name": "q1"}
OPTIONAL = {"name": "q2", "required": False}
CHOICE = {"name": "q3", "kind": "single_choice", "options": ["Red", "Green", "Blue"]}


kept = kept_once(lambda: launched(slug="kept", questions=[YES_NO, OPTIONAL, CHOICE]))


EACH = {
    "name": "q4",
    "kind": "multiple_choice",
    "design": "per_option",
    "options": ["Red", "Green", "Blue"],
}


@pytest.fixture
def several():
    """A yes/no question, and a multiple choice that may be left out."""
    return launched(slug="several", questions=[YES_NO, {**EACH, "required": False}])


@pytest.fixture
def send(client, launch):
    def post(payload, *, slug=launch.survey.slug, **headers):
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        headers.setdefault("content_type", "application/json")
        return client.post(reverse("responses", args=[slug]), body, **headers)

    return post


def errors_of(answer):
    return {(error["field"], error["code"]) for error in answer.json()["errors"]}


def test_stores_a_response_and_acknowledges_it(send, launch):
    payload = response(launch, reports={"q1": 1, "q3": 2})

    answer = send(payload)

    assert answer.status_code == 201
    submission = Submission.objects.get(pk=payload["submission"])
    assert submission.content == {
        "reports": {"q1": 1, "q3": 2},
        "strata": {"q1": "page", "q3": "page"},
    }
    assert len(answer.json()["receipt"].replace("-", "")) == 16


def test_a_repeated_submission_is_stored_once_with_the_same_receipt(send, launch):
    payload = response(launch)
    first = send(payload)

    repeats = [send(payload) for _ in range(5)]

    assert {repeat.status_code for repeat in repeats} == {200}
    assert {repeat.json()["receipt"] for repeat in repeats} == {first.json()["receipt"]}
    assert Submission.objects.count() == Receipt.objects.count() == 1


def test_a_repeat_with_other_reports_does_not_replace_the_first(send, launch):
    payload = response(launch, reports={"q1": 0, "q3": 0})
    send(payload)

    assert send({**payload, "reports": {"q1": 1, "q3": 1}}).status_code == 200
    assert Submission.objects.get().content["reports"] == {"q1": 0, "q3": 0}


def test_a_repeat_after_close_still_gets_its_receipt(send, launch):
    payload = response(launch)
    receipt = send(payload).json()["receipt"]
    close_survey(survey=launch.survey, actor=None)

    answer = send(payload)

    assert (answer.status_code, answer.json()["receipt"]) == (200, receipt)


def test_rejects_a_new_response_after_close(send, launch):
    close_survey(survey=launch.survey, actor=None)

    answer = send(response(launch))

    assert answer.status_code == 409
    assert errors_of(answer) == {("", "not_accepting")}
    assert not Receipt.objects.exists()


def test_rejects_an_id_that_another_survey_used(send, launch, client):
    other = launched(slug="other", questions=[YES_NO])
    payload = response(other)
    assert send(payload, slug="other").status_code == 201

    answer = send(response(launch, submission=payload["submission"]))

    assert answer.status_code == 422
    assert errors_of(answer) == {("submission", "already_used")}


def test_rejects_other_parameters_than_those_in_force(send, launch):
    answer = send(response(launch, digest="sha256:" + "0" * 64))

    assert answer.status_code == 409
    assert errors_of(answer) == {("", "stale_digest")}


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (-1, "out_of_range"),
        (2, "out_of_range"),
        (10**400, "out_of_range"),
        (1.5, "not_an_integer"),
        (1.0, "not_an_integer"),
        (True, "not_an_integer"),
        ("1", "not_an_integer"),
        (None, "not_an_integer"),
        ([1], "not_an_integer"),
        ({"a": 1}, "not_an_integer"),
    ],
)
def test_rejects_a_bad_report_and_says_which(send, launch, code, reason):
    answer = send(response(launch, reports={"q1": code, "q3": 0}))

    assert answer.status_code == 422
    assert errors_of(answer) == {("reports.q1", reason)}
    assert not Submission.objects.exists()
    assert not Receipt.objects.exists()


def test_names_every_bad_field_at_once(send, launch):
    answer = send(response(launch, reports={"q1": 9, "zz": 0}, strata={"q2": "page"}, wave=2))

    assert errors_of(answer) == {
        ("reports.q1", "out_of_range"),
        ("reports.zz", "unknown_question"),
        ("reports.q3", "missing"),
        ("strata.q2", "no_report"),
        ("wave", "wrong_wave"),
    }


@pytest.mark.parametrize("stratum", ["coin", "", 1, None, ["page"]])
def test_rejects_an_unknown_stratum(send, launch, stratum):
    answer = send(response(launch, strata={"q1": stratum}))

    assert errors_of(answer) == {("strata.q1", "unknown_stratum")}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"submission": "not-a-uuid"}, ("submission", "not_a_uuid")),
        ({"submission": str(uuid.uuid4()).upper()}, ("submission", "not_a_uuid")),
        ({"submission": 7}, ("submission", "not_a_uuid")),
        ({"submission": str(uuid.UUID(int=0))}, ("submission", "not_a_uuid")),
        ({"submission": str(uuid.uuid1())}, ("submission", "not_a_uuid")),
        ({"digest": None}, ("digest", "not_a_digest")),
        ({"digest": "sha256:" + "0" * 63}, ("digest", "not_a_digest")),
        ({"digest": "sha256:" + "A" * 64}, ("digest", "not_a_digest")),
        ({"digest": "sha256:" + "0" * 64 + "\n"}, ("digest", "not_a_digest")),
        ({"digest": "sha256:" + "\u0663" * 64}, ("digest", "not_a_digest")),
        ({"reports": []}, ("reports", "not_an_object")),
        ({"reports": None}, ("reports", "not_an_object")),
        ({"strata": []}, ("strata", "not_an_object")),
        ({"truth": "yes"}, ("truth", "unknown_key")),
        ({"wave": True}, ("wave", "wrong_wave")),
        ({"wave": 1.0}, ("wave", "wrong_wave")),
        ({"wave": None}, ("wave", "wrong_wave")),
        ({"wave": "1"}, ("wave", "wrong_wave")),
    ],
)
def test_rejects_a_bad_envelope(send, launch, change, expected):
    answer = send(response(launch, **change))

    assert answer.status_code == 422
    assert expected in errors_of(answer)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b" ", "not_json"),
        (b"{", "not_json"),
        (b"\xff\xfe", "not_json"),
        (b"[1]", "not_an_object"),
        (b"null", "not_an_object"),
        (b'{"digest": NaN}', "not_json"),
        (b'{"digest": -Infinity}', "not_json"),
        (b'{"digest": "a", "digest": "b"}', "duplicate_key"),
        (b'{"reports": {"q1": 0, "q1": 1}}', "duplicate_key"),
        (b"[" * 30_000, "too_deep"),
        (b'{"reports": {"q1": ' + b"9" * 5_000 + b"}}", "not_json"),
        (b'{"reports": {"\\ud800": 0}}', "not_a_uuid"),
    ],
)
def test_rejects_a_body_that_is_no_response(send, body, code):
    answer = send(body)

    assert answer.status_code == 422
    assert code in {error["code"] for error in answer.json()["errors"]}


@pytest.mark.parametrize("text", ["\ud800", "\x00", "a\x00", "\udfff\ud800"], ids=ascii)
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda text: {"digest": text}, ("digest", "not_a_digest")),
        (lambda text: {"digest": f"sha256:{text}"}, ("digest", "not_a_digest")),
        (lambda text: {"submission": text}, ("submission", "not_a_uuid")),
        (lambda text: {"reports": {"q1": 0, "q3": 0, text: 0}}, "unknown_question"),
        (lambda text: {"reports": {"q1": text, "q3": 0}}, ("reports.q1", "not_an_integer")),
        (lambda text: {"strata": {"q1": text}}, ("strata.q1", "unknown_stratum")),
        (lambda text: {"strata": {text: "page"}}, "no_report"),
        (lambda text: {"wave": text}, ("wave", "wrong_wave")),
        (lambda text: {text: 1}, "unknown_key"),
    ],
)
def test_characters_that_no_database_takes_are_refused_everywhere(
    send, launch, change, expected, text
):
    """JSON has U+0000 and lone surrogates; PostgreSQL has neither, and UTF-8 not the latter."""
    answer = send(response(launch, **change(text)))

    assert answer.status_code == 422
    found = errors_of(answer)
    assert expected in found or expected in {code for _field, code in found}


def test_rejects_a_response_without_any_report(send):
    optional = launched(slug="optional", questions=[OPTIONAL])

    answer = send(response(optional, reports={}), slug="optional")

    assert errors_of(answer) == {("reports", "empty")}


def test_an_optional_question_may_be_left_out(send, launch):
    assert send(response(launch, reports={"q1": 0, "q3": 1})).status_code == 201


def test_refuses_other_content_types(send, launch):
    answer = send(json.dumps(response(launch)).encode(), content_type="text/plain")
    assert answer.status_code == 415


def test_refuses_a_large_body(send):
    assert send(b" " * 70_000).status_code == 413


def test_a_hostile_body_is_not_answered_at_length(send, launch):
    reports = {f"x{number}": 0 for number in range(4_000)}
    answer = send(response(launch, reports=reports))
    assert answer.status_code == 422
    assert len(answer.json()["errors"]) == 50


@pytest.mark.parametrize(
    "headers",
    [
        {"HTTP_ORIGIN": "https://evil.example"},
        {"HTTP_ORIGIN": "null"},
        {"HTTP_SEC_FETCH_SITE": "cross-site"},
        {"HTTP_SEC_FETCH_SITE": "same-site"},
    ],
)
def test_refuses_a_request_from_another_site(send, launch, headers):
    answer = send(response(launch), **headers)
    assert answer.status_code == 403
    assert not Submission.objects.exists()


def test_accepts_a_request_from_its_own_page(send, launch):
    headers = {"HTTP_ORIGIN": "http://testserver", "HTTP_SEC_FETCH_SITE": "same-origin"}
    assert send(response(launch), **headers).status_code == 201


def test_needs_no_cookie_and_sets_none(send, launch, client):
    send(response(launch))
    client.get(reverse("parameters", args=[launch.survey.slug]))
    assert not client.cookies


def test_only_post_is_allowed(client, launch):
    assert client.get(reverse("responses", args=[launch.survey.slug])).status_code == 405


def test_a_draft_and_an_unknown_survey_do_not_exist(send, launch, client):
    make_survey(slug="draft")
    for slug in ("draft", "nothing"):
        assert send(response(launch), slug=slug).status_code == 404
        assert client.get(reverse("parameters", args=[slug])).status_code == 404


def test_refuses_before_opening_and_after_the_closing_time(send, launch):
    from datetime import timedelta

    from django.utils import timezone

    hour = timedelta(hours=1)
    for values in ({"opens_at": timezone.now() + hour}, {"closes_at": timezone.now() - hour}):
        Survey.objects.update(opens_at=None, closes_at=None)
        Survey.objects.update(**values)
        assert send(response(launch)).status_code == 409


def test_accepting_costs_few_queries(send, launch, django_assert_max_num_queries):
    send(response(launch))
    # On SQLite: savepoint, receipt, submission, release. PostgreSQL's one statement goes past
    # Django's cursor and is not seen here.
    with django_assert_max_num_queries(4):
        send(response(launch))


def test_stores_the_reports_of_every_option(send, several):
    payload = response(several, reports={"q1": 0, "q4_1": 1, "q4_2": 0, "q4_3": 1})

    assert send(payload, slug="several").status_code == 201
    content = Submission.objects.get(pk=payload["submission"]).content
    assert content["reports"] == payload["reports"]
    assert set(content["strata"].values()) == {"page"}


def test_a_multiple_choice_is_left_out_as_a_whole(send, several):
    assert send(response(several, reports={"q1": 0}), slug="several").status_code == 201


@pytest.mark.parametrize(
    ("reports", "lacking"),
    [
        ({"q4_1": 0}, {"q4_2", "q4_3"}),
        ({"q4_1": 0, "q4_3": 1}, {"q4_2"}),
        ({"q4_2": 0}, {"q4_1", "q4_3"}),
    ],
)
@pytest.mark.parametrize("required", [True, False])
def test_a_question_reported_in_part_is_incomplete(send, reports, lacking, required):
    launch = launched(slug="part", questions=[YES_NO, {**EACH, "required": required}])

    answer = send(response(launch, reports={"q1": 0, **reports}), slug="part")

    assert answer.status_code == 422
    assert errors_of(answer) == {(f"reports.{name}", "incomplete") for name in lacking}
    assert not Submission.objects.exists()


def test_a_required_multiple_choice_is_missing_by_device(send):
    launch = launched(slug="all", questions=[YES_NO, EACH])

    answer = send(response(launch, reports={"q1": 0}), slug="all")

    assert errors_of(answer) == {(f"reports.q4_{i}", "missing") for i in (1, 2, 3)}


def test_an_error_of_one_option_names_its_device(send, several):
    reports = {"q1": 0, "q4_1": 0, "q4_2": 2, "q4_3": True, "q4": 0}
    answer = send(response(several, reports=reports), slug="several")

    assert errors_of(answer) == {
        ("reports.q4_2", "out_of_range"),
        ("reports.q4_3", "not_an_integer"),
        ("reports.q4", "unknown_question"),
    }


def test_the_whole_set_has_a_report_for_every_subset_and_the_refusal(send):
    question = {**EACH, "design": "whole_set", "prefer_not": True}
    launch = launched(slug="whole", questions=[question])

    answers = [send(response(launch, reports={"q4": code}), slug="whole") for code in (8, 9)]

    assert [answer.status_code for answer in answers] == [201, 422]
    assert errors_of(answers[1]) == {("reports.q4", "out_of_range")}


def test_the_schema_of_everything_knows_strata_and_options():
    schema = response_schema(read(everything()))

    assert schema.spaces["smokes", "physical"].size == 2
    assert set(schema.together) == {
        frozenset({"ill_1", "ill_2", "ill_3", "ill_4"}),
        frozenset({"diets_1", "diets_2"}),
    }
    assert "theft" not in schema.required
    assert {"ill_1", "diets_2", "smokes"} <= schema.required
