"""Surveys by programs: made, checked, replaced, launched, closed, as on the pages."""

import json
from datetime import timedelta
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from surveys.definitions import definition_of, written
from surveys.models import StoredAnswer, Survey
from tests import tiers
from tests.app.calling import Program
from tests.builders import launched, make_survey, make_user, owner, shared

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def definition(**changes):
    survey = make_survey(slug="model", release_threshold=20, release_batch=5)
    document = json.loads(written(definition_of(survey)))
    survey.delete()
    return {**document, **changes}


@pytest.mark.slow
def test_a_study_from_a_definition_to_its_end():
    program, document = Program(owner()), definition(address="study")
    found = program.post("surveys/validate", document).json()
    assert found["valid"]
    assert found["checks"]["ready"]
    assert not Survey.objects.exists()
    made = program.post("surveys", document)
    assert made.status_code == 201
    survey = Survey.objects.get()
    at = f"surveys/{survey.pk}"
    assert made["Location"] == f"/api/v1/{at}"
    assert made.json()["survey"]["state"] == "draft"
    assert program.get(f"{at}/definition").json() == document
    checks = program.get(f"{at}/checks").json()
    assert checks["digest"] == found["checks"]["digest"]
    assert program.get(f"{at}/parameters").json()["digest"] == checks["digest"]
    launched_facts = program.post(f"{at}/launch", {"digest": checks["digest"]}).json()
    assert launched_facts["state"] == "open"
    assert launched_facts["launch"]["digest"] == checks["digest"]
    assert program.get(f"{at}/checks").status_code == 409
    assert program.post(f"{at}/close").json()["state"] == "closed"
    later = (timezone.now() + timedelta(days=1)).isoformat()
    assert program.post(f"{at}/reopen", {"closes_at": later}).json()["state"] == "open"
    messages = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert messages == [
        "Made from a definition, by a program.",
        *("Launched.", "Closed.", "Reopened."),
    ]


@pytest.mark.slow
def test_a_definition_that_breaks_rules_names_each_and_stores_nothing():
    program, document = Program(owner()), definition()
    document["questions"][0]["epsilon"] = "99"
    answer = program.post("surveys", document)
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    assert {each["field"] for each in answer.json()["errors"]} == {"questions[0].epsilon"}
    found = program.post("surveys/validate", document).json()
    assert (found["valid"], found["checks"]) == (False, None)
    assert found["problems"] == answer.json()["errors"]
    assert not Survey.objects.exists()


def test_what_is_no_json_or_too_large_or_of_another_type_is_refused():
    program = Program(owner())
    assert program.post("surveys", b"{").status_code == 422
    assert program.post("surveys", b" " * 2_700_000).status_code == 413
    assert program.post("surveys", b"{}", Content_Type="text/plain").status_code == 415
    assert program.get("surveys", Accept="text/csv").status_code == 406
    broken = program.post("surveys/1/launch", {"digest": 7}).json()["errors"]
    assert broken == [{"field": "digest", "value": "7", "rule": "Expected `str`, got `int`"}]
    broken = program.get("surveys?limit=1000").json()["errors"][0]
    assert (broken["field"], broken["value"]) == ("limit", "1000")
    assert program.get("nothing/here").status_code == 404
    answer = program.call("PATCH", "surveys")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, POST")


@pytest.mark.slow
def test_a_draft_is_replaced_by_whoever_read_its_version():
    program, survey = Program(owner()), make_survey(release_threshold=20, release_batch=5)
    at = f"surveys/{survey.pk}/definition"
    read = program.get(at)
    question = survey.questions.get().pk
    document = {**read.json(), "title": "Another title"}
    assert program.call("PUT", at, document).status_code == 428
    assert program.call("PUT", at, document, If_Match='"older"').status_code == 412
    stored = program.call("PUT", at, document, If_Match=read["ETag"])
    assert stored.status_code == 200
    assert stored["ETag"] == program.get(at)["ETag"] != read["ETag"]
    assert program.call("PUT", at, document, If_Match=read["ETag"]).status_code == 412
    survey.refresh_from_db()
    assert survey.title == "Another title"
    assert survey.questions.get().pk == question
    assert survey.revisions.count() == 2
    document["questions"][0]["kind"] = "no such kind"
    assert program.call("PUT", at, document, If_Match="*").status_code == 422
    assert program.get(at)["ETag"] == stored["ETag"]


def test_what_a_replacement_leaves_out_is_gone():
    survey = make_survey(tiers=tiers.TIERS, release_threshold=20, release_batch=5)
    program, at = Program(survey.owner), f"surveys/{survey.pk}/definition"
    document = program.get(at).json()
    assert document["features"].pop("tiers")
    assert program.call("PUT", at, document, If_Match="*").status_code == 200
    assert "tiers" not in program.get(at).json().get("features", {})


def test_an_unchanged_answer_costs_no_body():
    program, survey = Program(owner()), make_survey()
    for path in ("surveys", f"surveys/{survey.pk}", f"surveys/{survey.pk}/definition", "token"):
        first = program.get(path)
        assert program.get(path, If_None_Match=first["ETag"]).status_code == 304
        head = program.call("HEAD", path)
        assert (head.status_code, head["ETag"]) == (200, first["ETag"])


def test_an_address_with_a_line_feed_has_a_problem_document_too():
    answer = Program(owner()).get("surveys/a%0Ab")
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"


def test_lists_come_in_pages():
    for number in range(5):
        make_survey(slug=f"s-{number}")
    make_survey(slug="of-another", owned_by=make_user("other", author=True))
    program, path, seen = Program(owner()), "surveys?limit=2", []
    while path:
        answer = program.get(path)
        seen += [each["address"] for each in answer.json()["items"]]
        following = answer.json()["next"]
        assert (f'<{following}>; rel="next"' == answer.get("Link")) is bool(following)
        path = following and following.removeprefix("/api/v1/")
        assert not path or parse_qs(urlsplit(path).query)["limit"] == ["2"]
    assert seen == [f"s-{number}" for number in (4, 3, 2, 1, 0)]
    assert [x["address"] for x in program.get("surveys?address=s-1").json()["items"]] == ["s-1"]
    assert program.get("surveys?state=open").json() == {"items": [], "next": None}


@pytest.mark.slow
def test_a_post_with_a_key_is_done_once():
    program, document = Program(owner()), definition()
    first = program.post("surveys", document, Idempotency_Key="a")
    again = program.post("surveys", document, Idempotency_Key="a")
    assert (again.content, again.status_code) == (first.content, first.status_code)
    assert again["Idempotency-Replayed"] == "true"
    assert again["Location"] == first["Location"]
    assert Survey.objects.count() == 1
    other = program.post("surveys", {**document, "title": "x"}, Idempotency_Key="a")
    assert other.json()["code"] == "idempotency_key_reused"
    assert program.post("surveys", document, Idempotency_Key="b").status_code == 201
    # Keys are each token's own.
    assert Program(owner()).post("surveys", document, Idempotency_Key="a").status_code == 201
    assert Survey.objects.count() == 3
    assert program.post("surveys", document, Idempotency_Key="ä" * 3).status_code == 400
    StoredAnswer.objects.update(made_at=timezone.now() - timedelta(hours=25))
    assert program.post("surveys", document, Idempotency_Key="a").status_code == 201
    assert Survey.objects.count() == 4


def test_a_refusal_with_a_key_is_the_same_again_and_stores_nothing_else():
    program = Program(owner())
    bad = definition(title="")
    first = program.post("surveys", bad, Idempotency_Key="k")
    assert first.status_code == 422
    again = program.post("surveys", bad, Idempotency_Key="k")
    assert again.content == first.content
    survey = make_survey()
    refused = program.post(f"surveys/{survey.pk}/close", Idempotency_Key="c")
    assert refused.status_code == 409
    assert program.post(f"surveys/{survey.pk}/close", Idempotency_Key="c").json() == refused.json()
    assert StoredAnswer.objects.count() == 2


def test_surveys_of_others_are_not_there_and_roles_are_told():
    launch = launched()
    at = f"surveys/{launch.survey_id}"
    stranger = Program(make_user("stranger", author=True))
    nowhere = stranger.get("surveys/999999")
    for path in (at, f"{at}/definition", f"{at}/checks", f"{at}/results", f"{at}/status"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.json()) == (404, nowhere.json()), path
    reader = Program(shared(launch.survey, "read"))
    assert reader.get(at).json()["role"] == "read"
    assert reader.get(f"{at}/definition").json()["code"] == "role"
    assert reader.post(f"{at}/close").json()["code"] == "role"
    assert reader.get(f"{at}/results").status_code == 404
    editor = Program(shared(launch.survey, "edit"))
    assert editor.post(f"{at}/close").status_code == 200
    assert editor.call("DELETE", at).json()["code"] == "role"


def test_a_draft_is_deleted_and_nothing_else():
    program, launch = Program(owner()), launched()
    draft = make_survey(slug="draft")
    assert program.call("DELETE", f"surveys/{draft.pk}").status_code == 204
    assert program.get(f"surveys/{draft.pk}").status_code == 404
    program.post(f"surveys/{launch.survey_id}/close")
    assert program.call("DELETE", f"surveys/{launch.survey_id}").status_code == 409
    assert Survey.objects.get() == launch.survey


def test_a_launch_is_of_what_was_read_and_confirmed():
    program, survey = Program(owner()), make_survey()
    at = f"surveys/{survey.pk}"
    digest = program.get(f"{at}/checks").json()["digest"]
    Survey.objects.update(introduction="Another introduction.")
    refused = program.post(f"{at}/launch", {"digest": digest})
    assert (refused.status_code, refused.json()["code"]) == (409, "changed")
    Survey.objects.update(budget=Decimal("0.5"))
    refused = program.post(f"{at}/launch", {"digest": digest})
    assert refused.json()["code"] == "not_ready"
    assert refused.json()["errors"]
    assert Survey.objects.get().is_draft


def test_the_time_of_closing_is_checked_as_on_the_page():
    program, launch = Program(owner()), launched()
    at = f"surveys/{launch.survey_id}"
    program.post(f"{at}/close")
    past = (timezone.now() - timedelta(days=1)).isoformat()
    assert program.post(f"{at}/reopen", {"closes_at": past}).status_code == 409
    assert program.post(f"{at}/reopen", {"closes_at": "2030-01-01T00:00:00"}).status_code == 422
    assert program.get(at).json()["state"] == "closed"


def test_results_are_those_of_the_page(client):
    launch = launched(release_threshold=20, release_batch=5)
    program, at = Program(owner()), f"surveys/{launch.survey_id}"
    refused = program.get(f"{at}/results")
    client.force_login(owner())
    page = client.get(f"/s/{launch.survey.slug}/results/results.json")
    assert (refused.status_code, page.status_code) == (403, 403)
    assert refused.json()["detail"] == page.json()["errors"][0]["message"]
    assert program.get(f"{at}/status").json()["responses"] == 0
    assert [each["id"] for each in program.get("results").json()["items"]] == [launch.survey_id]
