"""Comments of co-authors: on which question, by whom, and where they are not."""

import re

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string

from surveys.admin.pages.comments import comment_context
from surveys.exceptions import CollaborationError
from surveys.models import CoAuthor, Comment, Question, Survey
from surveys.models.comment import MOST_CHARACTERS
from surveys.services import comments as service
from surveys.services.comments import (
    add_comment,
    comments_by_question,
    remove_comment,
    set_resolved,
)
from surveys.services.launches import launch_survey
from surveys.services.revisions import bring_back, note_revision
from tests.app.author_posts import page, question_page, sign_in
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user, owner

pytestmark = pytest.mark.django_db
TEMPLATES = "admin/surveys/survey/"
SECRET = "A remark that nobody else reads"


@pytest.fixture
def survey():
    return make_survey(questions=[{"name": "first"}, {"name": "second"}])


@pytest.fixture
def friend(survey) -> User:
    user = make_user("friend", author=True)
    CoAuthor.objects.create(survey=survey, user=user, role="comment")
    return user


def comment_on(survey: Survey, name: str = "", *, by: User | None = None, text: str = SECRET):
    key = survey.questions.get(name=name).pk if name else None
    return add_comment(survey=survey, question_id=key, author=by or owner(), text=text)


def post(client, survey: Survey, name: str = "", text: str = SECRET, **more: str):
    key = survey.questions.get(name=name).pk if name else ""
    posted = {"add": "yes", "question": key, f"comment-{key}-text": text, **more}
    return client.post(page(survey, "comments"), posted)


# --- adding and answering -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "first", "second"])
def test_a_comment_stands_under_its_question(client, survey, friend, name):
    answer = post(sign_in(client, friend), survey, name)
    key = survey.questions.get(name=name).pk if name else "survey"
    assert answer.url == f"{page(survey, 'comments')}#comments-{key}"
    comment = Comment.objects.get()
    assert ((comment.question and comment.question.name) or "", comment.author) == (name, friend)
    assert (comment.text, comment.resolved_at, comment.question_name) == (SECRET, None, name)
    for place in ("comments", "read"):
        text = client.get(page(survey, place)).text
        assert text.count(SECRET) == 1
        part = text[text.index(f'id="comments-{key}"') :]
        assert SECRET in part[: part.index("<textarea")]


@pytest.mark.parametrize(
    ("back", "name"),
    [("read", "read"), ("change", "change"), ("", "comments"), ("//x", "comments")],
)
def test_each_form_leads_back_to_its_page(client, survey, back, name):
    answer = post(sign_in(client), survey, back=back)
    assert answer.url == f"{page(survey, name)}#comments-survey"
    number = Comment.objects.get().pk
    posted = {"resolve": number, "back": back}
    assert client.post(page(survey, "comments"), posted).url.startswith(page(survey, name))


def test_it_is_resolved_reopened_and_removed(client, survey, friend):
    comment = comment_on(survey, "first", by=friend)
    address = page(survey, "comments")
    sign_in(client)
    assert "1 open comment" in visible_text(client.get(page(survey)).text)
    client.post(address, {"resolve": comment.pk})
    resolved = Comment.objects.get().resolved_at
    assert resolved is not None
    assert "Resolved" in client.get(address).text
    assert "open comment" not in visible_text(client.get(page(survey)).text)
    # The first time counts.
    set_resolved(survey=survey, comment_id=comment.pk, resolved=True)
    assert Comment.objects.get().resolved_at == resolved
    client.post(address, {"reopen": comment.pk})
    assert Comment.objects.get().resolved_at is None
    # Not even the owner removes what others wrote.
    answer = client.post(address, {"remove": comment.pk}, follow=True)
    assert "Only who wrote a comment can remove it." in answer.text
    assert Comment.objects.exists()
    sign_in(client, friend).post(address, {"remove": comment.pk})
    assert not Comment.objects.exists()


def test_only_its_author_is_offered_to_remove_a_comment(client, survey, friend):
    comment = comment_on(survey, "first", by=friend)
    button = f'name="remove" value="{comment.pk}"'
    assert button in sign_in(client, friend).get(page(survey, "comments")).text
    assert button not in sign_in(client).get(page(survey, "comments")).text


def test_whoever_only_reads_is_offered_no_form(client, survey):
    reader = make_user("reader", author=True)
    CoAuthor.objects.create(survey=survey, user=reader, role="read")
    comment_on(survey, "first")
    sign_in(client, reader)
    for name in ("comments", "read"):
        text = client.get(page(survey, name)).text
        assert SECRET in text
        assert "<textarea" not in text
        assert "comment-actions" not in text
    assert post(client, survey).status_code == 403
    assert client.post(page(survey, "comments"), {"resolve": "1"}).status_code == 403


@pytest.mark.parametrize("text", ["", " \n ", "x" * (MOST_CHARACTERS + 1)])
def test_a_comment_that_is_empty_or_too_long_is_refused_where_it_was_typed(client, survey, text):
    answer = post(sign_in(client), survey, "second", text)
    assert answer.status_code == 200
    key = survey.questions.get(name="second").pk
    assert f'href="#id_comment-{key}-text"' in answer.text
    threads = answer.context["threads"]
    assert [bool(thread.form.errors) for thread in threads] == [False, False, True]
    if text.strip():
        assert text in answer.text
    assert not Comment.objects.exists()


def test_a_comment_on_a_question_that_was_removed_meanwhile_is_not_lost(client, survey):
    question = survey.questions.get(name="first")
    posted = {"add": "yes", "question": question.pk, f"comment-{question.pk}-text": SECRET}
    question.delete()
    answer = sign_in(client).post(page(survey, "comments"), posted)
    assert answer.status_code == 200
    assert "The question has been removed meanwhile." in answer.text
    assert SECRET in answer.text.partition("<textarea")[2].partition("</textarea>")[0]
    # It stands in the form of the survey as a whole, which takes it.
    assert answer.context["threads"][0].form.errors
    assert 'href="#id_comment--text"' in answer.text
    assert not Comment.objects.exists()
    sign_in(client).post(page(survey, "comments"), {"add": "yes", "comment--text": SECRET})
    assert Comment.objects.get().question is None


@pytest.mark.parametrize("key", ["x", "-1", "9" * 18, "9" * 500, "0", "٣", '"><b>'])
def test_a_question_that_is_none_is_refused_in_words(client, survey, key):
    posted = {"add": "yes", "question": key, f"comment-{key}-text": SECRET}
    answer = sign_in(client).post(page(survey, "comments"), posted)
    assert answer.status_code == 200
    assert "The question has been removed meanwhile." in answer.text
    assert "<b>" not in answer.text
    assert not Comment.objects.exists()


def test_questions_and_comments_of_other_surveys_are_out_of_reach(client, survey):
    other = make_survey(slug="other")
    theirs = comment_on(other, "q1")
    with pytest.raises(CollaborationError):
        add_comment(
            survey=survey, question_id=other.questions.get().pk, author=owner(), text="Why?"
        )
    for act in ("resolve", "reopen", "remove"):
        answer = sign_in(client).post(page(survey, "comments"), {act: theirs.pk}, follow=True)
        assert "The comment has been removed meanwhile." in answer.text
    assert Comment.objects.get().resolved_at is None
    with pytest.raises(CollaborationError):
        remove_comment(survey=survey, comment_id=theirs.pk, author=owner())


def test_there_is_an_end_to_comments(survey, monkeypatch):
    monkeypatch.setattr(service, "MOST_COMMENTS", 1)
    comment_on(survey)
    with pytest.raises(CollaborationError, match="There are 1 comments already"):
        comment_on(survey, "first")


def test_markup_in_a_comment_is_text(client, survey):
    comment_on(survey, "first", text="<script>alert(1)</script>\nNext line")
    text = sign_in(client).get(page(survey, "comments")).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;<br>Next line" in text


def test_comments_within_another_form_have_forms_of_their_own_outside_of_it(client, survey):
    """As a page shows them whose questions stand within its own form."""
    comment_on(survey, "first", text="Too long?")
    request = sign_in(client).get(page(survey, "comments")).wsgi_request
    context = comment_context(survey, owner(), request) | {"survey": survey, "apart": True}
    context["back"] = "change"
    (_whole, first, _second) = context["threads"]
    shown = {"question": first.question, "comments": first.comments}
    inside = render_to_string(f"{TEMPLATES}comments_of.html", context | shown, request)
    outside = render_to_string(f"{TEMPLATES}comment_forms.html", context, request)
    assert "<form" not in inside
    named = set(re.findall(r'form="([^"]+)"', inside))
    assert named == {"comment-actions", f"comment-on-{first.question.pk}"}
    assert named < set(re.findall(r'<form method="post" id="([^"]+)"', outside))
    # Every control that sends something names its form.
    controls = re.findall(r"<(?:button|textarea|input)[^>]*>", inside)
    assert len(controls) == 4
    assert all('form="comment-' in control for control in controls)
    form = outside[outside.index(f'id="comment-on-{first.question.pk}"') :]
    hidden = dict(
        re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form.partition("</form>")[0])
    )
    assert (hidden["question"], hidden["back"]) == (str(first.question.pk), "change")
    name = re.search(r'<textarea[^>]* name="([^"]+)"', inside)[1]
    posted = {"question": hidden["question"], "back": "change", name: SECRET, "add": "yes"}
    answer = client.post(page(survey, "comments"), posted)
    assert answer.url == f"{question_page(first.question)}#comments-{first.question.pk}"
    assert Comment.objects.filter(question=first.question, text=SECRET).exists()


# --- questions that go, come back, or cannot be frozen --------------------------------------------


def test_the_comment_on_a_removed_question_says_what_it_was_about(client, survey):
    comment_on(survey, "first")
    survey.questions.get(name="first").delete()
    text = visible_text(sign_in(client).get(page(survey, "comments")).text)
    assert "on “first”, which was removed" in text
    assert SECRET in text


def test_a_question_that_comes_back_has_its_comments_again(survey):
    note_revision(survey=survey, actor=None)
    comment_on(survey, "first")
    survey.questions.get(name="first").delete()
    note_revision(survey=survey, actor=owner())
    bring_back(revision=survey.revisions.order_by("pk").first(), actor=owner())
    by_question, others = comments_by_question(survey)
    assert [each.text for each in by_question[survey.questions.get(name="first").pk]] == [SECRET]
    assert others == []


def test_a_renamed_question_keeps_its_comments(survey):
    comment_on(survey, "first")
    Question.objects.filter(name="first").update(name="renamed")
    by_question, others = comments_by_question(survey)
    assert [len(rows) for rows in by_question.values()] == [1, 0]
    assert others == []


def test_an_unfinished_draft_can_be_read_and_commented_on(client, friend, survey):
    unfinished = {"text": "", "options": [], "kind": "single_choice"}
    Question.objects.filter(name="first").update(**unfinished)
    text = visible_text(sign_in(client, friend).get(page(survey, "read")).text)
    assert "It is not finished" in text
    assert "2 questions" in text
    assert "Comment on first" in text
    assert "Comment on second" in text


@pytest.mark.parametrize("state", ["draft", "open"])
def test_the_page_for_reading_has_what_the_survey_asks_and_no_way_to_change_it(
    client, survey, friend, state
):
    if state == "open":
        launch_survey(survey=survey, actor=None)
    answer = sign_in(client, friend).get(page(survey, "read"))
    text = visible_text(answer.text)
    for words in ("What protects the respondents", "Taking part is voluntary.", "2 questions"):
        assert words in text
    assert "Its results are for its owner" in text
    for name in ("change", "launch", "delete", "share", "history", "definition"):
        assert page(survey, name) not in answer.text


def test_comments_go_on_after_the_launch(client, survey, friend):
    comment_on(survey, "first", by=friend)
    launch_survey(survey=survey, actor=None)
    post(sign_in(client, friend), survey, "second", "And now?")
    assert Comment.objects.count() == 2
    client.post(page(survey, "comments"), {"resolve": Comment.objects.first().pk})
    assert Survey.objects.get().open_comments == 1
