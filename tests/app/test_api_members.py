"""Members, personal links and translations by programs, by the rules of their pages."""

import pytest
from django.urls import reverse

from surveys.features.roster.links import member_of
from surveys.features.roster.models import Member
from surveys.models import StoredAnswer, Survey
from surveys.services.launches import launch_survey
from surveys.services.transitions import close_survey
from tests.app.calling import Program
from tests.builders import launched, make_survey, owner
from tests.rosters import launched_network

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
ROWS = [{"code": f"a{number}", "name": f"Person {number}"} for number in range(5)]


def test_a_roster_is_read_by_the_rules_of_the_upload():
    survey = make_survey()
    program, at = Program(owner()), f"surveys/{survey.pk}/members"
    stored = program.call("PUT", at, {"members": ROWS})
    assert stored.status_code == 200
    assert stored.json()["members"] == 5
    assert stored.json()["changed"]
    survey.refresh_from_db()
    assert (survey.mode, survey.planned_n) == ("personal", 5)
    read = program.get(at).json()
    assert [(each["code"], each["name"]) for each in read["items"]] == [
        (row["code"], row["name"]) for row in ROWS
    ]
    assert (read["have_link"], read["have_answered"]) == (0, 0)
    for bad in (
        [*ROWS, ROWS[0]],
        ROWS[:1],
        [{**ROWS[0], "code": "no code"}, *ROWS[1:]],
        [{**ROWS[0], "group": "only one has"}, *ROWS[1:]],
    ):
        assert program.call("PUT", at, {"members": bad}).status_code == 422
    assert Member.objects.filter(survey=survey).count() == 5
    assert program.call("PUT", at, {"members": []}).json()["members"] == 0
    assert not Member.objects.exists()


def test_personal_links_are_told_once_to_who_has_the_scope(client):
    launch = launched_network()
    at = f"surveys/{launch.survey_id}"
    assert Program(owner(), ["members:write"]).post(f"{at}/links", {}).status_code == 403
    program = Program(owner())
    codes = [each.code for each in Member.objects.order_by("place")]
    made = program.post(f"{at}/links", {"codes": codes[:2]}, Idempotency_Key="links")
    assert made["Cache-Control"] == "no-store"
    links = {each["code"]: each["link"] for each in made.json()["items"]}
    assert [*links] == codes[:2]
    page, secret = links[codes[0]].split("#")
    assert page.endswith(reverse("respond", args=[launch.survey.slug]))
    assert member_of(launch.survey_id, secret).code == codes[0]
    # Neither what was stored for a repetition nor the list has a link.
    assert secret not in str(StoredAnswer.objects.values())
    assert secret not in program.get(f"{at}/members").content.decode()
    again = program.post(f"{at}/links", {"codes": codes[:2]}, Idempotency_Key="links")
    assert (again.status_code, again.json()["code"]) == (409, "told_once")
    assert member_of(launch.survey_id, secret) is not None
    assert program.call("DELETE", f"{at}/links/{codes[0]}").status_code == 204
    assert member_of(launch.survey_id, secret) is None
    assert program.post(f"{at}/links", {"codes": ["nobody"]}).status_code == 422
    assert program.call("DELETE", f"{at}/links/nobody").status_code == 404


def test_names_are_deleted_of_a_closed_survey_only():
    launch = launched_network()
    program, at = Program(owner()), f"surveys/{launch.survey_id}/members/names"
    assert program.call("DELETE", at).status_code == 409
    close_survey(survey=launch.survey, actor=None)
    assert program.call("DELETE", at).status_code == 204
    assert not Member.objects.exclude(name="").exists()
    assert program.call("DELETE", at).status_code == 409


@pytest.mark.slow
def test_a_language_is_written_in_a_draft_and_published_whole():
    survey = make_survey()
    program, at = Program(owner()), f"surveys/{survey.pk}/languages"
    texts = program.get(f"{at}/de").json()["items"]
    assert {each["state"] for each in texts} <= {"missing", "own"}
    one = [{"path": "title", "source": survey.title, "text": "Arbeit"}]
    stored = program.call("PUT", f"{at}/de", {"texts": one})
    assert {"path": "title", "source": survey.title, "text": "Arbeit", "state": "done"} in (
        stored.json()["items"]
    )
    assert [each["language"] for each in program.get(at).json()["items"]] == ["de"]
    bad = [{"path": "nowhere", "source": "", "text": "x"}]
    assert program.call("PUT", f"{at}/de", {"texts": bad}).status_code == 422
    for nothing in ("en", "xx"):
        assert program.get(f"{at}/{nothing}").status_code == 404
    assert program.call("DELETE", f"{at}/de").status_code == 204
    assert program.get(at).json()["items"] == []
    launch = launch_survey(survey=Survey.objects.get(), actor=None)
    assert program.call("PUT", f"{at}/de", {"texts": one}).json()["code"] == "not_ready"
    whole = [{**each, "text": f"de {each['source']}"} for each in texts]
    rows = [{key: each[key] for key in ("path", "source", "text")} for each in whole]
    assert program.call("PUT", f"{at}/de", {"texts": rows}).status_code == 200
    launch.refresh_from_db()
    assert launch.translations["de"]
    assert program.get(at).json()["items"][0]["digest"].startswith("sha256:")
    assert program.call("PUT", f"{at}/de", {"texts": rows}).status_code == 409


def test_a_survey_by_open_link_has_no_links():
    launch = launched()
    answer = Program(owner()).post(f"surveys/{launch.survey_id}/links", {})
    assert answer.status_code == 409
