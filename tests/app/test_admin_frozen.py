"""After launch everything that shapes the answers is read-only, in the admin and below it."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from surveys.models import Question, Survey
from tests.app.author_posts import PLAIN, page, question_page, sign_in, write_settings
from tests.builders import launched, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]
FROZEN = [
    "slug",
    "title",
    "introduction",
    "consent",
    "contact",
    "language",
    "layout",
    "budget",
    "budget_reason",
    "linkage",
    "release_threshold",
    "release_batch",
    "features",
    "population",
    "features",
]

PEOPLE = {"app_label": "surveys", "model_name": "survey", "field_name": "researchers"}


@pytest.fixture
def survey():
    return launched(
        linkage="together",
        questions=[{}, {"randomized": False}],
        cross_tables=[["q1", "q2"]],
    ).survey


@pytest.mark.slow
def test_a_tampered_form_changes_nothing_that_is_frozen(client, survey):
    before = Survey.objects.values(*FROZEN).get()
    question = Question.objects.values().first()
    data = {
        **PLAIN,
        "title": "Changed",
        "slug": "changed",
        "budget": "9",
        "budget_reason": "x",
        "linkage": "apart",
        "population": "fixed",
        "language": "de",
        "layout": "all",
        "introduction": "x",
        "consent": "x",
        "contact": "x",
        "release_threshold": "1000",
        "release_batch": "9",
        "planned_n": "900",
        "results_public": "on",
        "closes_at": "2999-01-01T12:00",
        "state": "draft",
    }
    assert sign_in(client).post(page(survey, "settings"), data).status_code == 302
    first = Question.objects.first()
    for name in ("question", "question_duplicate", "question_move", "question_remove"):
        typed = {"text": "Something else?", "epsilon": "7", "way": "down"}
        assert client.post(question_page(first, name), typed).status_code in (200, 302)
    for name in ("question_add", "tables", "table_remove", "groups", "group_end", "add_feature"):
        typed = {"kind": "yes_no", "outcome": "q1", "group": "q2", "feature": "waves"}
        assert client.post(page(survey, name), typed).status_code in (200, 302, 404)
    assert Survey.objects.values(*FROZEN).get() == before
    assert Question.objects.values().first() == question
    survey.refresh_from_db()
    assert (survey.state, survey.planned_n, survey.results_public) == ("open", 900, True)
    assert survey.closes_at.year == 2999


def test_the_page_offers_no_field_that_is_frozen(client, survey):
    html = sign_in(client).get(page(survey)).text
    for name in FROZEN:
        assert f'name="{name}"' not in html
    assert "data-question-form" not in html
    for name in ("closes_at", "planned_n", "results_public", "researchers", "embed_origins"):
        assert f'name="{name}"' in html
    assert "Have you ever used a drug at work?" in html


def test_what_stays_open_is_saved_from_the_fields_that_the_page_has(client, survey):
    """No language, linkage or table is posted, for the page has no such fields any more."""
    answer = write_settings(sign_in(client), survey, planned_n="77")
    assert answer["state"] == "saved"
    survey.refresh_from_db()
    assert survey.planned_n == 77


def test_what_is_frozen_can_be_read(client, survey):
    html = sign_in(client).get(page(survey)).text
    assert "<code>q1</code> by <code>q2</code>" in html
    assert str(Survey.Population.SAMPLE.label) in html


@pytest.mark.slow
def test_researchers_may_be_added_after_launch(client, survey):
    reader = make_user("reader")
    sign_in(client).get(reverse("admin:autocomplete"), {**PEOPLE, "term": "reader"})
    assert write_settings(client, survey, researchers=[reader.pk])["errors"] == {}
    assert list(survey.researchers.all()) == [reader]
    client.force_login(reader)
    assert client.get(reverse("results", args=[survey.slug])).status_code == 200


@pytest.mark.parametrize("name", FROZEN)
def test_the_database_refuses_a_change_of_the_survey(survey, name):
    value = {"budget": 9, "release_threshold": 9, "release_batch": 9}.get(name, "other")
    with pytest.raises(DatabaseError, match="frozen at launch"), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(**{name: value})


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE surveys_question SET text = 'other'",
        "UPDATE surveys_question SET epsilon = 7",
        "DELETE FROM surveys_question",
        "UPDATE surveys_launch SET digest = 'sha256:other'",
        "UPDATE surveys_launch SET parameters = '{}'",
        "DELETE FROM surveys_launch",
        "UPDATE surveys_survey SET state = 'draft'",
    ],
)
def test_the_database_refuses_plain_sql(survey, statement):
    with (
        pytest.raises(DatabaseError, match="frozen at launch"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
