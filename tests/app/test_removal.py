"""Deleting a survey of many responses: gone for everybody at once, and then row by row."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from surveys import jobs
from surveys.api.application import application
from surveys.api.openapi import openapi
from surveys.exceptions import WrongStateError
from surveys.models import Job, Launch, Receipt, ReleaseFile, Result, Submission, Survey
from surveys.observation.site import _stored_responses, read_live
from surveys.responses import tallies
from surveys.responses.acknowledged import unaccounted
from surveys.services import removal, soundness
from surveys.services.comments import add_comment
from surveys.services.release_files import files
from surveys.services.results import RECOMPUTE, refresh_results
from surveys.services.review_links import make_review_link
from surveys.services.revisions import note_revision
from surveys.services.table_files import TABLE
from surveys.services.transitions import close_survey, delete_survey
from surveys.services.webhooks import make_webhook
from tests.app.author_posts import page, sign_in
from tests.app.backed_up import empty_the_site, everything, run
from tests.app.calling import Program
from tests.app.test_roster_hostile import post as post_as_member
from tests.app.test_roster_hostile import response_under
from tests.app.test_routes import routes
from tests.builders import launched, make_user, owner, response, sent
from tests.rosters import launched_network, links_of
from tests.waves import coded_launch, new_code, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.each_database]
ROWS, PEOPLE = 2, 5
TEXTS = {"free_text_questions": "What else?", "free_text_characters": 40}
REPORTS = {"drug": 1, "absence": 1, "permanent": 0}
# What a deletion leaves behind by design: who has done what, and who has signed in when.
STAYS = {"LogEntry", "Session", "User"}


@pytest.fixture(autouse=True)
def small(monkeypatch, pauses, settings, tmp_path):
    """A survey of four responses is a large one, and its rows go two by two."""
    monkeypatch.setattr(removal, "MOST_AT_ONCE", 3)
    monkeypatch.setattr(removal, "ROWS_ON_POSTGRESQL", ROWS)
    monkeypatch.setattr(removal, "ROWS_ON_SQLITE", ROWS)
    storage = settings.STORAGES["files"]
    storage = {**storage, "OPTIONS": {**storage["OPTIONS"], "location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "files": storage}
    settings.ROWS_AT_ONCE = 2
    soundness._last_look.cache_clear()
    owner()
    make_user("reader")
    make_user("editor", author=True)
    make_user("root", superuser=True)
    yield
    soundness._last_look.cache_clear()


# --- surveys with everything ----------------------------------------------------------------------


def open_with_texts(slug="gone"):
    return launched(slug=slug, linkage="apart", results_public=True, release_batch=1, **TEXTS)


def send_texts(launch, people):
    for number in range(people):
        body = {**response(launch), "texts": {"text_1": f"text {number}"}}
        assert sent(Client(), launch, body).status_code == 201


def open_with_codes(slug="gone"):
    return coded_launch(slug=slug, release_batch=1)


def send_codes(launch, people):
    for _ in range(people):
        assert post(Client(), launch, new_code(), REPORTS).status_code == 201


def open_with_roster(slug="gone"):
    return launched_network(slug=slug, release_batch=1)


def send_links(launch, people):
    survey = Survey.objects.get(pk=launch.survey_id)
    waiting = survey.members.filter(answered=False).values_list("code", flat=True)
    links = links_of(survey)
    for code in list(waiting)[:people]:
        body = response_under(launch, links[code])
        assert post_as_member(Client(), launch, "responses", body).status_code == 201


SORTS = {
    "texts": (open_with_texts, send_texts),
    "codes": (open_with_codes, send_codes),
    "roster": (open_with_roster, send_links),
}


def filled(sort):
    """A closed survey with responses in its results and some that wait, and all that people add."""
    begin, send = SORTS[sort]
    launch = begin()
    send(launch, PEOPLE)
    refresh_results(launch_id=launch.pk)
    survey = Survey.objects.get(pk=launch.survey_id)
    survey.researchers.add(User.objects.get(username="reader"))
    survey.co_authors.create(user=User.objects.get(username="editor"), role="edit")
    make_review_link(survey=survey, name="committee", author=owner())
    make_webhook(
        user=owner(), url="https://example.org/hook", events=["survey.closed"], survey=survey
    )
    first = survey.questions.first()
    add_comment(survey=survey, question_id=first.pk, author=owner(), text="Why?")
    note_revision(survey=survey, actor=owner())
    client = Client()
    client.force_login(owner())
    client.get(reverse("reports-csv", args=[survey.slug]))
    for row in ReleaseFile.objects.all():
        jobs.run(TABLE.job, row.pk)
    assert client.get(reverse("reports-csv", args=[survey.slug])).getvalue()
    send(launch, PEOPLE)
    close_survey(survey=survey, actor=owner())
    launch.refresh_from_db()
    return launch


def gone(launch):
    """Delete it as its author does; its rows are still there."""
    survey = Survey.objects.get(pk=launch.survey_id)
    answer = sign_in(Client(), owner()).post(page(survey, "delete"), {"typed": survey.slug})
    assert answer.url == reverse("admin:surveys_survey_changelist")
    assert Launch.objects.filter(pk=launch.pk).exists()
    return survey


def remove_all(survey):
    jobs.run(removal.REMOVAL, survey.pk)
    jobs.recover_all()


def rows_of(survey):
    """How many rows of each of the large tables there are of a survey."""
    return {
        model.__name__: model.objects.filter(**{removal.path_to_survey(model): survey.pk}).count()
        for model in removal.come_with_responses()
    }


def files_stored():
    try:
        return [name for folder in files().listdir("")[0] for name in files().listdir(folder)[1]]
    except FileNotFoundError:
        return []


# --- what is left ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.slow
def test_at_the_end_every_table_is_as_if_it_had_never_been(sort):
    begin, send = SORTS[sort]
    other = begin("other")
    send(other, PEOPLE)
    refresh_results(launch_id=other.pk)
    jobs.recover_all()
    before = everything()
    launch = filled(sort)
    assert files_stored()
    survey = gone(launch)
    assert not files_stored()
    assert max(rows_of(survey).values()) > 2 * ROWS
    remove_all(survey)
    after = everything()
    assert {name for name in before if before[name] != after[name]} <= STAYS
    assert not Survey.everything.filter(pk=survey.pk).exists()


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.slow
def test_the_tables_that_grow_with_responses_say_so(sort):
    """All others are emptied within the request."""
    begin, send = SORTS[sort]
    launch = begin()
    grown = []
    for _ in range(2):
        send(launch, PEOPLE)
        tallies.aggregate_waiting(launch.pk)
        send(launch, PEOPLE)
        grown.append({name: rows.total() for name, rows in everything().items()})
    first, second = grown
    large = {model.__name__ for model in removal.come_with_responses()}
    assert {name for name in first if second[name] - first[name] >= PEOPLE} <= large


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.slow
def test_within_the_request_goes_all_that_does_not_come_with_responses(sort):
    launch = filled(sort)
    survey = gone(launch)
    found = {}
    for model in removal.apps.get_models(include_auto_created=True):
        path = removal.path_to_survey(model)
        if path:
            found[model] = model._base_manager.filter(**{path: survey.pk}).count()
    left = {model for model, number in found.items() if number}
    assert Launch in left
    assert left <= {Launch, *removal.come_with_responses()}


# --- for everybody --------------------------------------------------------------------------------


def doors(survey, question):
    """Every address that names a survey, with the values of this one."""
    values = {
        "slug": survey.slug,
        "object_id": survey.pk,
        "survey_id": survey.pk,
        "question_id": question.pk,
        "language": "de",
        "name": "reports.csv",
        "wave": 1,
        "number": 1,
        "digest": "0" * 64,
        "place": 0,
        "member": "m001",
        "question": question.name,
    }
    for route, _entry in routes():
        yield "page", f"/{route}", values
    for path in openapi(application())["paths"]:
        route = path.removeprefix("/api/v1").replace("{", "<").replace("}", ">")
        yield "program", route.lstrip("/"), values


def addressed(route, values):
    named = re.findall(r"<(?:\w+:)?(\w+)>", route)
    if not {"slug", "object_id", "survey_id"} & set(named) or "auth/" in route:
        return None
    if not set(named) <= set(values):
        return None
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda name: str(values[name[1]]), route)


def answers(survey, question):
    """What everybody is answered everywhere."""
    people = {"nobody": Client()}
    for name in ("owner", "root"):
        people[name] = Client()
        people[name].force_login(User.objects.get(username=name))
    program = Program(owner())
    found = {}
    for kind, route, values in doors(survey, question):
        address = addressed(route, values)
        if address is None:
            continue
        if kind == "program":
            for method in ("GET", "POST", "DELETE"):
                found[method, address] = told(program.call(method, address, {}))
            continue
        # Nobody may more than a superuser.
        for who in ("nobody", "root"):
            found["GET", who, address] = told(people[who].get(address))
        sent_to = people["root"].post(address, "{}", content_type="application/json")
        found["POST", "root", address] = told(sent_to)
    for who, address in ((name, "/admin/surveys/survey/") for name in people):
        found["GET", who, address] = told(people[who].get(address))
    for who in people:
        found["GET", who, "/account/"] = told(people[who].get("/account/"))
        found["GET", who, "/"] = told(people[who].get("/"))
    for path in ("surveys", "results", "webhooks"):
        found["GET", path] = told(program.get(path))
    return found


def told(answer):
    """The status and the text, without what is drawn for each answer."""
    text = b"".join(answer) if answer.streaming else answer.content
    drawn = rb'(csrfmiddlewaretoken" value|nonce|"instance"|"request")["=: ]+"?[\w-]+'
    return answer.status_code, answer.headers.get("Location", ""), re.sub(drawn, b"", text)


def test_no_door_tells_a_survey_whose_rows_are_there_from_one_without_any(settings):
    settings.API_RATE = settings.SUBMIT_RATE = "100000/minute"
    survey = filled("codes").survey
    question = survey.questions.first()
    client = Client()
    client.force_login(owner())
    shown = [
        *(reverse(name, args=[survey.slug]) for name in ("respond", "results", "parameters")),
        *(page(survey, name) for name in ("change", "history", "people")),
    ]
    assert {client.get(address).status_code for address in shown} == {200}
    gone(survey.launches.get())
    assert sum(rows_of(survey).values()) > PEOPLE
    marked = answers(survey, question)
    remove_all(survey)
    removed = answers(survey, question)
    differing = {door for door, answer in marked.items() if answer != removed[door]}
    assert differing == set()
    assert len(marked) > 250
    assert marked["GET", "nobody", f"/s/{survey.slug}/"][0] == 404
    assert {marked["GET", "root", address][0] for address in shown} == {404}


def test_a_response_that_was_on_its_way_is_refused_and_a_second_click_finds_nothing():
    launch = filled("texts")
    body = response(launch)
    clicked = Survey.objects.get(pk=launch.survey_id)
    survey = gone(launch)
    held = Survey.everything.get(pk=survey.pk)
    before = rows_of(survey)
    late = Client().post("/s/gone/responses/", body, content_type="application/json")
    assert (late.status_code, late.json()["errors"][0]["code"]) == (404, "no_such_survey")
    with pytest.raises(WrongStateError, match="changed meanwhile"):
        delete_survey(survey=clicked, actor=owner())
    with pytest.raises(WrongStateError):
        delete_survey(survey=held, actor=owner())
    again = sign_in(Client(), owner()).post(page(survey, "delete"), {"typed": "gone"})
    assert again.status_code == 404
    assert rows_of(survey) == before


def test_nothing_is_computed_of_it_any_more_and_nothing_counts_it():
    launch = filled("codes")
    due = set(RECOMPUTE.lagging())
    assert launch.pk in due
    survey = gone(launch)
    assert launch.pk not in set(RECOMPUTE.lagging())
    assert not RECOMPUTE.is_lagging(launch.pk)
    before = rows_of(survey)
    jobs.run(RECOMPUTE, launch.pk)
    with pytest.raises(StopIteration):
        refresh_results(launch_id=launch.pk)
    assert rows_of(survey) == before
    assert not Result.objects.exists()
    Receipt.objects.filter(launch=launch).first().delete()
    Submission.objects.filter(launch=launch).first().delete()
    assert unaccounted() == {}
    assert not soundness.responses_are_missing()
    assert _stored_responses() == (0, 0)
    assert read_live()["candor_surveys"]["deleted"] == 1


# --- in slices ------------------------------------------------------------------------------------


class KilledError(BaseException):
    """A worker that is killed: nothing of its own runs any more."""


def test_slices_are_small_and_each_is_committed_and_another_worker_goes_on(monkeypatch):
    survey = gone(filled("codes"))
    whole, cut, sizes = rows_of(survey), removal._slice, []

    def slice_then_die(*values):
        if len(sizes) == 4:
            raise KilledError
        sizes.append(cut(*values)[0])
        return sizes[-1], values[3]

    with monkeypatch.context() as patch:
        patch.setattr(removal, "_slice", slice_then_die)
        with pytest.raises(KilledError):
            jobs.run(removal.REMOVAL, survey.pk)
    assert set(sizes) <= set(range(ROWS + 1))
    left = rows_of(survey)
    assert sum(whole.values()) - sum(left.values()) == sum(sizes) > ROWS
    job = Job.objects.get(kind="removal")
    assert job.state == "running"
    # Nobody else takes it as long as the worker may live.
    jobs.run(removal.REMOVAL, survey.pk)
    assert rows_of(survey) == left
    Job.objects.filter(kind="removal").update(leased_until=Now() - timedelta(seconds=1))
    jobs.recover_all()
    job.refresh_from_db()
    assert job.state == "idle"
    assert [*removal.REMOVAL.lagging()] == [survey.pk]
    remove_all(survey)
    assert not Survey.everything.exists()
    assert not Job.objects.filter(kind="removal").exists()
    assert [*removal.REMOVAL.lagging()] == []


def test_others_write_between_two_slices_on_sqlite(pauses):
    survey = gone(filled("texts"))
    slices = -(-sum(rows_of(survey).values()) // ROWS)
    pauses.clear()
    remove_all(survey)
    if connection.vendor == "postgresql":
        assert pauses == []
    else:
        assert set(pauses) == {0.1}
        assert len(pauses) >= slices


def test_a_turn_ends_in_time_and_goes_on(monkeypatch):
    survey = gone(filled("texts"))
    whole = rows_of(survey)
    with monkeypatch.context() as patch:
        turns = iter([True, True, False])
        patch.setattr(jobs.Run, "report", lambda *_: next(turns))
        jobs.run(removal.REMOVAL, survey.pk)
    left = rows_of(survey)
    assert 0 < sum(whole.values()) - sum(left.values()) <= 2 * ROWS
    assert Job.objects.get(kind="removal").state == "idle"
    remove_all(survey)
    assert not Survey.everything.exists()


def test_few_responses_go_at_once():
    launch = open_with_texts()
    send_texts(launch, removal.MOST_AT_ONCE)
    close_survey(survey=launch.survey, actor=owner())
    html = sign_in(Client(), owner()).get(page(launch.survey, "delete")).text
    assert "a worker removes" not in html
    assert delete_survey(survey=launch.survey, actor=owner())
    assert not Launch.objects.exists()
    assert not Survey.everything.exists()


def test_the_page_says_what_goes_when(client):
    launch = filled("texts")
    html = sign_in(client, owner()).get(page(launch.survey, "delete")).text
    assert "a worker removes them from the database, within minutes" in html
    done = client.post(page(launch.survey, "delete"), {"typed": "gone"}, follow=True).text
    assert "is deleted for everybody. A worker removes its responses" in done


# --- its address, its backup, and the triggers ----------------------------------------------------


def test_its_address_and_its_digest_can_be_used_at_once():
    launch = filled("texts")
    digest = launch.digest
    survey = gone(launch)
    again = open_with_texts()
    assert (again.survey.slug, again.digest) == ("gone", digest)
    send_texts(again, 2)
    remove_all(survey)
    assert Survey.everything.get() == again.survey
    assert Receipt.objects.count() == Submission.objects.count() == 2


@pytest.mark.parametrize("sort", SORTS)
def test_a_backup_has_nothing_of_it(sort, tmp_path):
    other = launched(slug="other")
    sent(Client(), other)
    launch = filled(sort)
    survey = gone(launch)
    cut = removal._slice
    with transaction.atomic():
        cut(Receipt, "launch_id", [launch.pk], -1, ROWS)
    Result.objects.create(launch=launch, responses=1, revision=1, content={})
    backup = tmp_path / "site.backup"
    run("backup", backup)
    assert "agree" in run("verify", backup)
    empty_the_site()
    assert "agree" in run("restore", backup)
    assert [each.slug for each in Survey.everything.all()] == ["other"]
    assert not any(rows_of(survey).values())
    assert Receipt.objects.count() == 1


def test_only_the_address_and_the_digest_of_what_is_deleted_change():
    kept, launch = open_with_texts("kept"), filled("texts")
    survey = gone(launch)
    every = Survey.everything
    refused = [
        (every.filter(pk=survey.pk), {"state": "closed"}),
        (every.filter(pk=survey.pk), {"state": "open"}),
        (every.filter(pk=survey.pk), {"title": "Another"}),
        (every.filter(pk=survey.pk), {"slug": "gone"}),
        (every.filter(pk=kept.survey_id), {"slug": f"~{kept.survey_id}"}),
        (every.filter(pk=kept.survey_id), {"slug": "another"}),
        (every.filter(pk=kept.survey_id), {"slug": "another", "state": "deleted"}),
        (Launch.objects.filter(pk=kept.pk), {"digest": f"sha256:~{kept.pk}"}),
        (Launch.objects.filter(pk=launch.pk), {"digest": "sha256:another"}),
        (Launch.objects.filter(pk=launch.pk), {"digest": f"sha256:~{launch.pk}", "wave": 9}),
    ]
    for rows, values in refused:
        with pytest.raises(IntegrityError, match="frozen at launch"), transaction.atomic():
            rows.update(**values)
