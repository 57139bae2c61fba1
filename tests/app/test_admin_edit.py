"""A draft as its author writes it: begun, saved, and told what is not right."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.urls import reverse

from surveys.models import Survey
from tests.app.author_posts import (
    ADD,
    PLAIN,
    SCRIPT,
    errors_of_new,
    page,
    question_page,
    saved,
    sign_in,
    started,
    write_question,
    write_settings,
)
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user, owner

pytestmark = pytest.mark.django_db


def choice(**values):
    return {"kind": "single_choice", "options": "Never\nOnce\nOften", **values}


@pytest.mark.slow
def test_a_survey_is_created_with_its_questions(client):
    survey = saved(client, {}, choice(), {"randomized": "False", "epsilon": "7"})
    first, second, third = survey.questions.all()
    assert survey.owner == owner()
    assert survey.is_draft
    assert (first.kind, first.options, first.epsilon) == ("yes_no", [], Decimal(1))
    assert second.options == ["Never", "Once", "Often"]
    assert (third.randomized, third.epsilon) == (False, None)


def test_a_new_draft_is_empty_and_has_an_address(client):
    survey = started(client)
    assert (survey.owner, survey.is_draft, survey.questions.count()) == (owner(), True, 0)
    assert survey.slug
    assert (survey.budget, survey.typed) == (Decimal(5), None)
    assert "No question yet." in visible_text(client.get(page(survey)).text)
    other = started(client)
    assert other.slug != survey.slug
    # Looking at the address begins nothing.
    assert client.get(ADD).url == reverse("admin:survey_start")
    assert Survey.objects.count() == 2


def test_the_owner_is_whoever_creates_it_whatever_is_posted(client):
    other = make_user("colleague", author=True)
    sign_in(client).post(ADD, {"owner": other.pk})
    survey = Survey.objects.get()
    write_settings(client, survey, owner=other.pk)
    survey.refresh_from_db()
    assert survey.owner == owner()


def test_a_superuser_may_give_a_survey_to_an_author(client):
    survey, other = make_survey(questions=[]), make_user("colleague", author=True)
    sign_in(client, make_user("root", superuser=True))
    assert write_settings(client, survey, owner=other.pk)["errors"] == {}
    survey.refresh_from_db()
    assert survey.owner == other


def test_an_author_cannot_give_a_survey_away(client):
    survey, other = make_survey(questions=[]), make_user("colleague", author=True)
    sign_in(client).post(page(survey, "settings"), {**PLAIN, "owner": other.pk})
    survey.refresh_from_db()
    assert survey.owner == owner()


@pytest.mark.parametrize(
    ("question", "field", "says"),
    [
        ({"epsilon": ""}, "0.epsilon", "above 0"),
        ({"epsilon": "-1"}, "0.epsilon", "above 0"),
        ({"epsilon": "nan"}, "0.epsilon", "number"),
        ({"epsilon": "8.5"}, "0.epsilon", "8 at most"),
        ({"kind": "essay"}, "0.kind", "essay"),
        ({"name": "2fast"}, "0.name", "lower-case letter"),
        ({"text": ""}, "0.text", "required"),
        (choice(options="One"), "0.options", "this list has 1"),
        (choice(options="\n".join(map(str, range(51)))), "0.options", "this list has 51"),
        (choice(options="A\n\nB\na"), "0.options", "Line 4 repeats line 1"),
    ],
)
@pytest.mark.slow
def test_what_is_wrong_with_a_question_is_said_at_its_field(client, question, field, says):
    errors = errors_of_new(client, question)
    assert set(errors) == {field}
    assert says in " ".join(errors[field])


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"slug": "Not Good"}, "slug", "lower-case"),
        ({"language": "tlh"}, "language", "tlh"),
        ({"budget": "0"}, "budget", "0.01"),
        ({"planned_n": "0"}, "planned_n", "1"),
        ({"closes_at": "2020-01-01T12:00"}, "closes_at", "has passed"),
        (
            {"opens_at": "2999-02-01T12:00", "closes_at": "2999-01-01T12:00"},
            "closes_at",
            "after it opens",
        ),
        (
            {"embed_origins": "example.org"},
            "embed_origins",
            "“example.org” is not a full address. Write https://example.org.",
        ),
        ({"embed_origins": "https://a.example/path"}, "embed_origins", "without a path"),
        (
            {"embed_origins": "https://a.example;script-src"},
            "embed_origins",
            "is not a full address",
        ),
        ({"embed_origins": "*"}, "embed_origins", "not a full address"),
        ({"embed_origins": "https://a.example:99999"}, "embed_origins", "not a full address"),
    ],
)
@pytest.mark.slow
def test_what_is_wrong_with_a_setting_is_said_at_its_field(client, changes, field, says):
    errors = errors_of_new(client, **changes)
    assert set(errors) == {field}
    assert says in " ".join(errors[field])


def test_an_hour_that_was_not_touched_stays_to_the_second(client):
    """Also where it has passed meanwhile: the author came for something else."""
    past = datetime(2020, 1, 1, 12, 30, 45, tzinfo=UTC)
    survey = make_survey(questions=[], closes_at=past)
    typed = {"title": "Another title", "closes_at": "2020-01-01T12:30"}
    assert write_settings(sign_in(client), survey, **typed)["errors"] == {}
    survey.refresh_from_db()
    assert (survey.title, survey.closes_at) == ("Another title", past)


def test_origins_are_kept_in_plain_form(client):
    survey = saved(client, embed_origins="  HTTPS://A.Example/   http://b.example:8080 ")
    assert survey.embed_origins == "https://a.example http://b.example:8080"


def test_two_questions_with_one_name_are_refused_at_the_second(client):
    errors = errors_of_new(client, {"name": "same"}, {"name": "same"})
    assert set(errors) == {"1.name"}


@pytest.mark.slow
def test_two_questions_may_swap_their_names(client):
    survey = make_survey(questions=[{"text": "First?"}, {"text": "Second?"}])
    first, second = survey.questions.all()
    sign_in(client)
    # Each waits for the name of the other, and gets it once it is free.
    for question, name, errors in (
        (first, "q2", ["name"]),
        (second, "q1", ["name"]),
        (first, "other", []),
        (first, "q2", []),
    ):
        assert list(write_question(client, question, name=name)["errors"]) == errors
    assert not survey.questions.filter(typed__isnull=False).exists()
    assert dict(survey.questions.values_list("text", "name")) == {"First?": "q2", "Second?": "q1"}


def test_a_name_is_free_again_when_its_question_is_removed(client):
    survey = make_survey(questions=[{}, {}])
    first, second = survey.questions.all()
    assert write_question(sign_in(client), first, name="q2")["errors"]
    client.post(question_page(second, "question_remove"))
    first.refresh_from_db()
    assert (first.name, first.typed) == ("q2", None)


def test_another_surveys_question_cannot_be_taken_over(client):
    own_survey = make_survey(questions=[{}])
    other = make_survey(slug="other", owned_by=make_user("colleague", author=True))
    foreign = other.questions.get()
    sign_in(client)
    for survey in (own_survey, other):
        address = reverse("admin:survey_question", args=[survey.pk, foreign.pk])
        answer = client.post(address, {"text": "Mine now?"}, headers=SCRIPT)
        assert answer.status_code == 404
    foreign.refresh_from_db()
    assert foreign.text == "Have you ever used a drug at work?"


@pytest.mark.slow
def test_opening_the_pages_changes_nothing(client):
    survey = make_survey()
    before = list(Survey.objects.values())
    sign_in(client).get(question_page(survey.questions.get()))
    for name in (
        "change",
        "settings",
        "add_feature",
        "tables",
        "groups",
        "preview",
        "trial",
        "launch",
        "delete",
        "share",
        "close",
        "reopen",
    ):
        sign_in(client).get(page(survey, name))
    assert client.get(page(survey, "clone")).status_code == 405
    assert list(Survey.objects.values()) == before
