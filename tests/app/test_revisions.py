"""The history of a draft: who made it what, how versions differ, and one that is brought back."""

from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.authoring.checks.survey import untitled
from surveys.authoring.definition_changes import changes_between
from surveys.definitions import definition_from, definition_of
from surveys.models import Question, Revision, Survey
from surveys.services.launches import launch_survey
from surveys.services.revisions import MOST_KEPT, note_revision
from tests.app.author_posts import (
    page,
    question_page,
    saved,
    sign_in,
    write_question,
    write_settings,
)
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user, owner

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def survey():
    return make_survey(slug="health", questions=[{"text": "A?"}, {"text": "B?"}, {"text": "C?"}])


def changed(survey, *, actor=None, **values):
    """Change fields of the stored draft, and note who has done it."""
    note_revision(survey=survey, actor=None)
    Survey.objects.filter(pk=survey.pk).update(**values)
    note_revision(survey=survey, actor=actor or owner())


def titles(survey):
    return [revision.content["title"] for revision in survey.revisions.order_by("pk")]


def test_one_persons_changes_within_minutes_are_one_version(survey):
    for title in ("One", "Two", "Three"):
        changed(survey, title=title)
    assert titles(survey) == ["Health at work", "Three"]
    changed(survey, actor=make_user("other", author=True), title="Four")
    assert titles(survey) == ["Health at work", "Three", "Four"]
    earlier = timezone.now() - timedelta(minutes=11)
    survey.revisions.update(begun_at=earlier)
    changed(survey, actor=make_user("third", author=True), title="Five")
    survey.revisions.filter(content__title="Five").update(begun_at=earlier)
    changed(survey, actor=Revision.objects.last().actor, title="Six")
    assert titles(survey)[-2:] == ["Five", "Six"]


def test_what_changes_nothing_makes_no_version_and_a_launched_survey_has_none(survey):
    changed(survey, planned_n=survey.planned_n)
    assert survey.revisions.count() == 1
    launch_survey(survey=survey, actor=None)
    changed(survey, results_public=True)
    assert survey.revisions.count() == 1


def test_the_oldest_versions_go(survey, monkeypatch):
    monkeypatch.setattr("surveys.services.revisions.MOST_KEPT", 5)
    for number in range(9):
        changed(survey, actor=make_user(f"author{number}", author=True), title=f"Title {number}")
    assert titles(survey) == [f"Title {number}" for number in range(4, 9)]
    assert MOST_KEPT >= 100


def test_changes_are_told_in_the_words_of_the_page(survey):
    before = definition_of(survey)
    Survey.objects.filter(pk=survey.pk).update(title="Work", layout="all", linkage="together")
    first, second, _third = survey.questions.order_by("position")
    Question.objects.filter(pk=first.pk).update(
        epsilon="0.5", kind="single_choice", prefer_not=True
    )
    second.delete()
    Question.objects.create(survey=survey, name="q9", text="Z?", position=9, epsilon=1)
    told = [
        (each.label, each.before, each.after)
        for each in changes_between(before, definition_of(survey))
    ]
    assert told == [
        ("Title", "Health at work", "Work"),
        ("Layout", "One question at a time", "All questions on one page"),
        (
            "Answers of one person",
            "Store every answer apart, with no common key",
            "Keep one person's answers together (for tables and analyses)",
        ),
        ("A?, Kind", "Yes or no", "Single choice"),
        ("A?, Epsilon", "1", "0.5"),
        ("A?, Offer “prefer not to say”", "no", "yes"),
        ("B?", "It was there.", "It was removed."),
        ("Z?", "", "It was added."),
    ]


def test_a_moved_question_is_a_change_of_the_order_alone(survey):
    before = definition_of(survey)
    survey.questions.filter(text="A?").update(position=9)
    (change,) = changes_between(before, definition_of(survey))
    assert (change.label, change.before, change.after) == (
        "Order of the questions",
        "A?\nB?\nC?",
        "B?\nC?\nA?",
    )


def test_the_page_shows_who_changed_what_and_brings_a_version_back(client, survey):
    sign_in(client)
    kept = survey.questions.get(text="B?").pk
    before = definition_of(survey)
    changed(survey, title="Work")
    survey.questions.filter(text="A?").delete()
    note_revision(survey=survey, actor=owner())
    text = visible_text(client.get(page(survey, "history")).text)
    assert "A? Title" in text or "Title A?" in text
    assert "As it began." in text

    first = survey.revisions.order_by("pk").first()
    url = f"{page(survey, 'history')}{first.pk}/"
    shown = visible_text(client.get(url).text)
    assert "Title Work Health at work" in shown
    answer = client.post(url, follow=True)
    assert "is back." in visible_text(answer.text)
    assert definition_of(survey) == before
    assert survey.questions.get(text="B?").pk == kept
    # The version that was replaced is there, and can be brought back in turn.
    later = survey.revisions.order_by("pk").last()
    assert definition_from(later.content) == before
    assert [each for each in titles(survey) if each == "Work"]


def test_what_pages_change_is_noted_after_the_state_before(client, survey):
    Survey.objects.update(budget=9)
    sign_in(client)
    client.post(page(survey, "clone"))
    # Nothing of it was changed: that is how it began.
    assert [each.actor for each in survey.revisions.all()] == [None]
    client.post(page(survey, "control_item"))
    assert [each.actor for each in survey.revisions.order_by("pk")] == [None, owner()]
    assert len(survey.revisions.last().content["questions"]) == 4


def test_the_first_save_of_a_draft_that_was_made_elsewhere_keeps_what_it_was(client, survey):
    write_settings(sign_in(client), survey, title="Work")
    assert titles(survey) == ["Health at work", "Work"]


@pytest.mark.slow
def test_what_is_saved_on_the_pages_of_a_draft_is_noted_from_its_first_save_on(client):
    # With a change, the settings are typed into their page.
    survey = saved(sign_in(client), {}, title="Health at work")
    # It began without a title, and became what its author typed.
    assert titles(survey) == [untitled(), "Health at work"]
    assert [each.actor for each in survey.revisions.order_by("pk")] == [None, owner()]
    write_settings(client, survey, title="Work")
    write_question(client, survey.questions.get(), text="Which?")
    client.post(question_page(survey.questions.get(), "question_duplicate"))
    assert titles(survey) == [untitled(), "Work"]
    latest = survey.revisions.order_by("pk").last().content
    assert latest["title"] == "Work"
    assert [each["text"] for each in latest["questions"]] == ["Which?", "Which?"]


@pytest.mark.slow
def test_a_version_that_is_brought_back_replaces_what_is_not_finished(client, survey):
    changed(survey, title="Work")
    question = survey.questions.get(text="B?")
    write_settings(sign_in(client), survey, budget="much")
    write_question(client, question, epsilon="little")
    first = survey.revisions.order_by("pk").first()
    client.post(f"{page(survey, 'history')}{first.pk}/")
    survey.refresh_from_db()
    question.refresh_from_db()
    assert (survey.title, survey.typed, question.typed) == ("Health at work", None, None)


def test_no_version_of_another_survey_or_of_a_launched_one_is_brought_back(client, survey):
    sign_in(client)
    changed(survey, title="Work")
    first = survey.revisions.order_by("pk").first()
    other = make_survey(slug="other", questions=[{}])
    assert client.post(f"{page(other, 'history')}{first.pk}/").status_code == 404
    launch_survey(survey=survey, actor=None)
    answer = client.post(f"{page(survey, 'history')}{first.pk}/", follow=True)
    assert "Only a draft can be changed back." in visible_text(answer.text)
    assert Survey.objects.get(pk=survey.pk).title == "Work"
