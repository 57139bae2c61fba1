"""An owner and a co-author work on one draft: roles, comments, and a page that was left open."""

import pytest
from playwright.sync_api import Locator, Page, expect

from surveys.models import CoAuthor, Comment
from tests.app.author_posts import page as address
from tests.app.composed import all_sorts
from tests.browser.author import more, sign_in, troubles
from tests.browser.axe import assert_well_in_sizes
from tests.builders import make_survey, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [(360, 740), (1280, 900)]


def opener(page: Page, words: str) -> Locator:
    """What opens the form of a new comment."""
    return page.locator(".comments__new > summary", has_text=words)


def test_an_owner_shares_a_draft_and_answers_a_comment(live_server, new_context):
    survey = make_survey(questions=[{"name": "first"}, {"name": "second"}])
    friend = make_user("friend", author=True)
    author = sign_in(new_context(), live_server)
    heard = troubles(author)
    author.goto(live_server.url + address(survey))
    more(author)
    author.get_by_role("link", name="Co-authors", exact=True).click()
    author.get_by_label("Who", exact=True).fill("fri")
    author.get_by_role("button", name="Add", exact=True).click()
    expect(author.locator("#errors")).to_contain_text("Nobody is found.")
    author.get_by_label("Who", exact=True).fill("friend")
    author.get_by_label("Role", exact=True).select_option("May read and comment")
    author.get_by_role("button", name="Add", exact=True).click()
    expect(author.locator(".messagelist .success")).to_contain_text("friend")
    assert_well_in_sizes(author, "co-authors", SIZES)

    # The co-author reads and comments with the keyboard alone.
    reader = sign_in(new_context(), live_server, friend)
    heard_too = troubles(reader)
    reader.goto(f"{live_server.url}/admin/surveys/survey/")
    reader.get_by_role("link", name="Read and comment: Health at work").press("Enter")
    expect(reader.get_by_role("heading", name="What protects the respondents")).to_be_visible()
    assert_well_in_sizes(reader, "reading a draft", SIZES)
    opener(reader, "Comment on second").press("Enter")
    reader.keyboard.press("Tab")
    expect(reader.get_by_role("textbox", name="Comment on second")).to_be_focused()
    reader.keyboard.type("Is this one question?")
    reader.keyboard.press("Tab")
    reader.keyboard.press("Enter")
    comment = reader.get_by_role("list", name="Comments on second").get_by_role("listitem")
    expect(comment).to_contain_text("Is this one question?")
    assert reader.url.endswith(f"/read/#comments-{survey.questions.get(name='second').pk}")

    author.goto(live_server.url + address(survey, "comments"))
    expect(author.get_by_role("link", name="1 open comment")).to_be_visible()
    author.get_by_role("button", name="Resolve").press("Enter")
    expect(author.get_by_role("button", name="Reopen")).to_be_visible()
    expect(author.get_by_role("link", name="1 open comment")).to_be_hidden()
    assert_well_in_sizes(author, "comments", SIZES)
    assert Comment.objects.get().resolved_at is not None
    assert heard == heard_too == []


def test_the_page_for_reading_fits_with_all_that_a_survey_can_have(live_server, new_context):
    survey = all_sorts().survey
    friend = make_user("friend", author=True)
    CoAuthor.objects.create(survey=survey, user=friend, role="comment")
    for question in [None, *survey.questions.all()]:
        Comment.objects.create(
            survey=survey,
            question=question,
            question_name="" if question else "gone",
            author=friend,
            text="A-comment-without-any-place-to-break-" * 5,
        )
    reader = sign_in(new_context(), live_server, friend)
    for name in ("read", "comments"):
        reader.goto(live_server.url + address(survey, name))
        expect(reader.locator(".comment")).to_have_count(survey.questions.count() + 1)
        assert_well_in_sizes(reader, name, SIZES)


def test_what_a_removed_co_author_typed_is_on_the_page_and_comes_back(live_server, new_context):
    survey = make_survey()
    friend = make_user("friend", author=True)
    shared = CoAuthor.objects.create(survey=survey, user=friend, role="edit")
    editor = sign_in(new_context(), live_server, friend)
    editor.goto(live_server.url + address(survey, "comments"))
    opener(editor, "Comment on the survey").click()
    box = editor.get_by_role("textbox", name="Comment on the survey")
    box.fill("An hour of thought")
    shared.delete()
    editor.get_by_role("button", name="Add the comment").click()
    expect(editor.get_by_role("alert")).to_contain_text("You can no longer open this survey")
    expect(editor.get_by_text("An hour of thought")).to_be_visible()
    assert_well_in_sizes(editor, "refused", SIZES)
    CoAuthor.objects.create(survey=survey, user=friend, role="comment")
    editor.goto(live_server.url + address(survey, "comments"))
    expect(box).to_have_value("An hour of thought")
    expect(editor.get_by_role("textbox", name="Comment on q1")).to_have_value("")


def test_comments_work_without_scripts(live_server, new_context):
    survey = make_survey()
    author = sign_in(new_context(java_script_enabled=False), live_server)
    author.goto(live_server.url + address(survey, "comments"))
    opener(author, "Comment on q1").click()
    author.get_by_role("textbox", name="Comment on q1").fill("By a plain form")
    author.get_by_role("button", name="Add the comment").click()
    expect(author.locator(".comment")).to_contain_text("By a plain form")
    author.get_by_role("button", name="Resolve").click()
    author.get_by_role("button", name="Reopen").click()
    author.get_by_role("button", name="Remove").click()
    expect(author.locator(".comment")).to_have_count(0)
    assert not Comment.objects.exists()
