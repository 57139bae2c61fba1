"""Each rule, once on a page and once by a program: the same refusal, in the same words.

What is refused here is decided in a service; a rule that only one of the doors has fails.
"""

import html
import json
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from surveys.definitions import definition_of, written
from surveys.models import Survey
from surveys.services.transitions import close_survey
from tests import rosters
from tests.app.doors import Door, door_of
from tests.builders import launched, make_survey, make_user, owner, shared

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def doors() -> Callable[[Any], Door]:
    return door_of


def text_of(answer: Any) -> str:
    """What a page says, with its characters as people read them."""
    return html.unescape(answer.content.decode())


def draft(**values: Any) -> Survey:
    return make_survey(**values)


def closed(**values: Any) -> Survey:
    launch = launched(**values)
    close_survey(survey=launch.survey, actor=None)
    return Survey.objects.get(pk=launch.survey_id)


PAST = timezone.now() - timedelta(days=1)
DIGEST = "sha256:" + "0" * 64
# What is refused: the survey, the page with what is posted, and the request.
LAUNCH = ("survey_launch", {"digest": DIGEST}), ("POST", "launch", {"digest": DIGEST})
REFUSED = {
    "a launch of what nobody has read": (draft, *LAUNCH),
    "a launch above the budget": (lambda: draft(budget=Decimal("0.5")), *LAUNCH),
    "a launch without consent": (lambda: draft(consent=""), *LAUNCH),
    "a launch that closes in the past": (lambda: draft(closes_at=PAST), *LAUNCH),
    "a launch without questions": (lambda: draft(questions=[]), *LAUNCH),
    "the closing of a closed survey": (closed, ("survey_close", {}), ("POST", "close", None)),
    "a reopening that closes in the past": (
        closed,
        ("survey_reopen", {"closes_at": "2020-01-01 10:00"}),
        ("POST", "reopen", {"closes_at": "2020-01-01T10:00:00Z"}),
    ),
    "links of a survey that has none": (
        lambda: launched().survey,
        ("survey_links_make", {}),
        ("POST", "links", {}),
    ),
}


@pytest.mark.parametrize(("make", "page", "request_"), REFUSED.values(), ids=REFUSED)
@pytest.mark.slow
def test_what_a_page_refuses_a_program_is_refused(make, page, request_, doors):
    survey = make()
    door = doors(survey.owner)
    before = Survey.objects.filter(pk=survey.pk).values().get()
    (name, posted), (method, path, body) = page, request_
    _status, said = door.page(name, survey, **posted)
    status, detail = door.call(method, path, survey, body)
    assert status == 409
    assert detail in said
    assert Survey.objects.filter(pk=survey.pk).values().get() == before


def test_findings_of_the_launch_check_are_the_same(doors):
    survey = draft(budget=Decimal("0.5"), consent="", planned_n=3)
    door = doors(survey.owner)
    page = text_of(door.browser.get(reverse("admin:survey_launch", args=[survey.pk])))
    findings = door.program.get(f"surveys/{survey.pk}/checks").json()["findings"]
    assert len(findings) >= 3
    assert any(each["blocks"] for each in findings)
    for each in findings:
        assert each["message"] in page, each
    refused = door.program.post(f"surveys/{survey.pk}/launch", {"digest": DIGEST})
    blocking = [each["message"] for each in findings if each["blocks"]]
    assert [each["rule"] for each in refused.json()["errors"]] == blocking


def test_what_has_to_be_confirmed_is_the_same(doors):
    survey = rosters.network_survey()
    door = doors(survey.owner)
    at = f"surveys/{survey.pk}"
    checks = door.program.get(f"{at}/checks").json()
    assert checks["confirm"]
    page = text_of(door.browser.get(reverse("admin:survey_launch", args=[survey.pk])))
    assert all(line in page for line in checks["confirm"])
    order = {"digest": checks["digest"]}
    door.page("survey_launch", survey, **order)
    refused = door.program.post(f"{at}/launch", order)
    assert refused.json()["code"] == "not_confirmed"
    assert [each["rule"] for each in refused.json()["errors"]] == checks["confirm"]
    assert Survey.objects.get().is_draft
    assert door.program.post(f"{at}/launch", {**order, "confirmed": True}).status_code == 200


def test_definitions_are_refused_for_the_same_reasons(doors):
    document = json.loads(written(definition_of(draft(release_threshold=20, release_batch=5))))
    Survey.objects.all().delete()
    door = doors(owner())
    document["questions"][0] |= {"epsilon": "99", "kind": "no such kind"}
    refused = door.program.post("surveys", document).json()
    posted = {"pasted": json.dumps(document)}
    page = text_of(door.browser.post(reverse("admin:survey_import"), posted))
    assert refused["errors"]
    assert all(each["rule"] in page for each in refused["errors"])
    assert not Survey.objects.exists()


@pytest.mark.parametrize("role", ["read", "comment", "stranger", "nobody"])
def test_who_may_not_open_a_page_may_not_call(role, doors):
    survey = draft()
    user = {
        "stranger": lambda: make_user("stranger", author=True),
        "nobody": lambda: make_user("nobody"),
    }.get(role, lambda: shared(survey, role))()
    door = doors(user)
    pages = {
        "survey_definition": ("GET", "definition"),
        "survey_launch": ("GET", "checks"),
        "survey_languages": ("GET", "languages"),
        "survey_roster": ("GET", "members"),
    }
    for name, (method, path) in pages.items():
        page = door.browser.get(reverse(f"admin:{name}", args=[survey.pk]))
        status, _detail = door.call(method, path, survey)
        # Who has no desk is led to the sign-in by a page.
        assert status == (403 if page.status_code == 302 else page.status_code), name


def test_the_release_threshold_holds_at_both(doors, client):
    launch = launched(release_threshold=20, release_batch=5)
    door = doors(launch.survey.owner)
    files = {"results.json": "results", "estimates.csv": "files/estimates.csv"}
    files |= {"reports.csv": "rows/reports.csv"}
    for name, path in files.items():
        page = door.browser.get(f"/s/{launch.survey.slug}/results/{name}")
        status, detail = door.call("GET", path, launch.survey)
        assert (status, detail) == (page.status_code, page.json()["errors"][0]["message"]), name
