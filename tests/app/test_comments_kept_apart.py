"""Where the comments of co-authors count, and where they are not."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.definitions import definition_of
from surveys.models import Comment, Survey
from surveys.parameters import to_json
from surveys.services.comments import set_resolved
from surveys.services.launches import launch_survey
from surveys.services.review_links import make_review_link
from surveys.services.revisions import note_revision
from tests.app.author_posts import page, sign_in
from tests.app.test_comments import SECRET, comment_on
from tests.builders import launched, make_survey, make_user, owner, shared

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey():
    return make_survey(questions=[{"name": "first"}, {"name": "second"}])


@pytest.fixture
def friend(survey) -> User:
    return shared(survey, "comment")


def test_the_card_and_the_ribbon_count_the_open_ones(client, survey, friend):
    for turn in range(3):
        comment_on(survey, "first", text=f"Remark {turn}")
    set_resolved(survey=survey, comment_id=Comment.objects.first().pk, resolved=True)
    sign_in(client)
    assert "2 open comments" in client.get(reverse("admin:surveys_survey_changelist")).text
    ribbon = client.get(page(survey, "launch")).text
    assert f'<a href="{page(survey, "comments")}">2 open comments</a>' in ribbon
    sign_in(client, friend)
    assert "2 open comments" in client.get(reverse("admin:surveys_survey_changelist")).text
    assert "2 open comments" in client.get(page(survey, "read")).text


def test_the_launch_warns_of_open_comments_and_does_not_stop(survey):
    def found() -> list[tuple[str, bool]]:
        findings = lint_survey(Survey.objects.get())
        return [(each.message, each.blocks) for each in findings if each.code == "open_comments"]

    assert found() == []
    comment = comment_on(survey, "first")
    assert found() == [("1 comment is open. Resolve it, or launch without.", False)]
    comment_on(survey)
    assert found() == [("2 comments are open. Resolve them, or launch without.", False)]
    for each in Comment.objects.all():
        set_resolved(survey=survey, comment_id=each.pk, resolved=True)
    assert found() == []
    set_resolved(survey=survey, comment_id=comment.pk, resolved=False)
    launch_survey(survey=survey, actor=None)
    assert Survey.objects.get().state == "open"


def test_no_file_document_or_page_for_others_has_a_comment(client, survey):
    def everything() -> tuple[object, ...]:
        draft = Survey.objects.get(slug="health")
        return (to_json(definition_of(draft)), client.get(page(draft, "definition")).content)

    sign_in(client)
    before = everything()
    comment_on(survey, "first")
    comment_on(survey)
    assert everything() == before
    note_revision(survey=survey, actor=owner())
    assert SECRET not in str([revision.content for revision in survey.revisions.all()])
    secret = make_review_link(survey=survey, name="Committee", author=owner())
    assert SECRET not in client.get(reverse("review", args=[secret])).text
    assert SECRET not in client.get(page(survey, "preview")).text
    launch = launch_survey(survey=survey, actor=None)
    twin = launched(slug="twin", questions=[{"name": "first"}, {"name": "second"}])
    assert SECRET not in str(launch.document)
    named = {"survey": "", "digest": ""}
    assert launch.document | named == twin.document | named
    for tail in ("", "results/", "results/parameters.json"):
        assert SECRET not in client.get(f"/s/health/{tail}").text


def test_a_copy_has_no_comments(client, survey):
    comment_on(survey, "first")
    sign_in(client).post(page(survey, "clone"))
    assert Survey.objects.count() == 2
    assert Comment.objects.exclude(survey=survey).count() == 0


@pytest.mark.slow
def test_no_page_asks_for_each_comment(client, survey, friend, django_assert_num_queries):
    sign_in(client, friend)
    for name in ("comments", "read"):
        Comment.objects.all().delete()
        comment_on(survey, "first", by=friend)
        client.get(page(survey, name))
        with CaptureQueriesContext(connection) as one:
            client.get(page(survey, name))
        for turn in range(10):
            comment_on(survey, "second", by=make_user(f"{name}{turn}"), text=f"Remark {turn}")
        with django_assert_num_queries(len(one)):
            client.get(page(survey, name))
