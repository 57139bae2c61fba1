"""Co-authors: what each role opens, and what a page left open still does."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from surveys.admin.saves.kept_posts import KEPT
from surveys.models import CoAuthor, Comment, Survey
from surveys.services.audiences import reads_reports
from surveys.services.transitions import delete_survey
from tests.app.author_posts import page, sign_in
from tests.app.posted_fields import Fields
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user, owner, sent, shared

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
LIST = reverse("admin:surveys_survey_changelist")
ROLES = ("edit", "comment", "read")


def signed_in(user: User | None) -> Client:
    return sign_in(Client(), user) if user else Client()


def mark_in(text: str) -> str:
    """The mark that a form of the page carries."""
    return re.search(r'name="typed_by" value="([^"]+)"', text)[1]


# --- who opens what -------------------------------------------------------------------------------

ALL = {"owner", "edit", "comment", "read", "root"}
EDITS = {"owner", "edit", "root"}
COMMENTS = EDITS | {"comment"}
OWNS = {"owner", "root"}
NOBODY: set[str] = set()
CAST = (*ROLES, "owner", "root", "stranger", "clerk", "researcher", "anonymous")
# By method, page and what is posted: who passes.
DOORS = [
    ("get", "change", {}, EDITS),
    ("post", "settings", {"title": "New"}, EDITS),
    ("get", "history", {}, EDITS),
    ("post", "history", {}, NOBODY),
    ("get", "definition", {}, EDITS),
    ("get", "preview", {}, EDITS),
    ("get", "trial", {}, EDITS),
    ("get", "launch", {}, EDITS),
    ("post", "launch", {}, EDITS),
    ("get", "review", {}, EDITS),
    ("post", "review", {"name": "Committee"}, EDITS),
    ("post", "clone", {}, EDITS),
    ("post", "archive", {}, EDITS),
    ("get", "delete", {}, OWNS),
    ("post", "delete", {"typed": "health"}, OWNS),
    ("get", "people", {}, ALL),
    ("post", "people", {"person": "stranger", "role": "read"}, OWNS),
    ("post", "people", {"co_author": "1", "change": "yes", "role": "edit"}, OWNS),
    ("post", "people", {"co_author": "1", "remove": "yes"}, OWNS),
    ("post", "people", {"leave": "yes"}, ALL),
    ("get", "comments", {}, ALL),
    ("post", "comments", {"add": "yes", "comment--text": "Why?"}, COMMENTS),
    ("post", "comments", {"resolve": "1"}, COMMENTS),
    ("post", "comments", {"reopen": "1"}, COMMENTS),
    ("post", "comments", {"remove": "1"}, COMMENTS),
    ("get", "read", {}, ALL),
    ("post", "read", {}, NOBODY),
]


@pytest.fixture
def cast():
    survey = make_survey()
    people = {role: shared(survey, role) for role in ROLES}
    people |= {"owner": owner(), "root": make_user("root", superuser=True), "anonymous": None}
    people |= {"stranger": make_user("stranger", author=True), "clerk": make_user("clerk")}
    people["researcher"] = make_user("researcher", author=True)
    survey.researchers.add(people["researcher"])
    User.objects.filter(username="clerk").update(is_staff=True)
    return {name: signed_in(user) for name, user in people.items()}


def passes(answer) -> bool:
    """Whether a request did what it asked, and was not refused or sent to another door."""
    if answer.status_code == 302:
        doors = (reverse("admin:login"), reverse("admin:index"))
        return answer.url.split("?")[0] not in doors
    assert answer.status_code in (200, 403, 404, 405)
    return answer.status_code == 200


@pytest.mark.parametrize(("method", "name", "posted", "allowed"), DOORS)
def test_each_role_passes_the_doors_that_are_its_own(cast, method, name, posted, allowed):
    survey = Survey.objects.get()
    through, refused = set(), {}
    for role in CAST:
        point = transaction.savepoint()
        answer = getattr(cast[role], method)(page(survey, name), posted)
        transaction.savepoint_rollback(point)
        if passes(answer):
            through.add(role)
        else:
            refused[role] = answer
    assert through == allowed
    for role in refused.keys() & set(ROLES):
        # Words for who knows the survey; whoever does not is not told that it is there.
        assert refused[role].status_code in (403, 405)
        assert refused[role].status_code == 405 or "owns it" in refused[role].text
    for role in refused.keys() & {"stranger", "researcher"}:
        assert "owns it" not in refused[role].text
        assert refused[role].status_code in (302, 404, 405)


@pytest.mark.parametrize("role", ["comment", "read"])
def test_whoever_reads_the_texts_sees_no_results_and_no_number_of_responses(client, role):
    launch = launched(release_threshold=1)
    sent(client, launch)
    sent(client, launch)
    survey = launch.survey
    reader = shared(survey, role)
    sign_in(client, reader)
    for tail in ("", "reports.csv", "estimates.csv", "status.json"):
        assert client.get(f"/s/{survey.slug}/results/{tail}").status_code == 404
    assert list(Survey.objects.results_visible_to(reader)) == []
    for address in (LIST, page(survey, "read"), page(survey, "comments"), page(survey, "people")):
        text = visible_text(client.get(address).text)
        assert survey.title in text
        assert not re.search(r"2 responses\b|2 of 500", text)
    # The owner sees the number on the same pages.
    sign_in(client)
    assert "2 of 500 planned responses" in visible_text(client.get(LIST).text)
    assert "2 responses" in visible_text(client.get(page(survey, "read")).text)


def test_an_editor_reads_the_results_and_the_reports(client):
    launch = launched(release_threshold=1)
    editor = shared(launch.survey, "edit")
    sign_in(client, editor)
    assert client.get(reverse("results", args=["health"])).status_code == 200
    assert list(Survey.objects.results_visible_to(editor)) == [launch.survey]
    assert reads_reports(launch, editor)


def test_the_order_of_the_list_does_not_tell_how_many_have_answered(client):
    """Between two surveys of one's own, that of another would say of how many it has more."""
    reader = make_user("reader", author=True)
    busy = launched(slug="busy", title="Busy")
    sent(client, busy)
    own = launched(slug="own", title="Own", owned_by=reader)
    CoAuthor.objects.create(survey=busy.survey, user=reader, role="read")
    sign_in(client, reader)
    cards = client.get(LIST, {"order": "responses"}).context["listed"]
    assert [card.survey.slug for card in cards] == [own.survey.slug, "busy"]
    sign_in(client, make_user("root", superuser=True))
    cards = client.get(LIST, {"order": "responses"}).context["listed"]
    assert [card.survey.slug for card in cards] == ["busy", own.survey.slug]


def test_a_card_leads_each_role_to_its_page(client):
    survey = make_survey()
    for role, target in (("edit", "change"), ("comment", "read"), ("read", "read")):
        sign_in(client, shared(survey, role))
        (card,) = client.get(LIST).context["listed"]
        text = client.get(LIST).text
        assert card.page == page(survey, target)
        assert (page(survey, "archive") in text) == (role == "edit")
        assert ("Shared by owner." in text) == (role != "edit")


def test_an_editor_is_offered_no_deletion(client):
    survey = make_survey()
    text = sign_in(client, shared(survey, "edit")).get(page(survey)).text
    assert page(survey, "delete") not in text
    assert page(survey, "people") in text
    assert page(survey, "delete") in sign_in(client).get(page(survey)).text


def test_a_deleted_survey_is_nobodys(client):
    survey = make_survey()
    reader = shared(survey, "read")
    Survey.objects.update(state="deleted")
    assert sign_in(client, reader).get(page(survey, "read")).status_code == 404
    assert client.get(LIST).context["listed"] == []


@pytest.mark.parametrize("role", ROLES)
def test_an_account_without_the_rights_of_authors_stays_outside(client, role):
    survey = make_survey()
    user = shared(survey, role)
    user.groups.clear()
    sign_in(client, user)
    for name in ("read", "comments", "people"):
        assert client.get(page(survey, name)).status_code == 403


def test_the_right_to_view_surveys_is_enough_to_read_and_to_comment(client):
    survey = make_survey()
    user = shared(survey, "comment")
    user.groups.clear()
    user.user_permissions.add(Permission.objects.get(codename="view_survey"))
    sign_in(client, user)
    assert survey.title in client.get(LIST).text
    posted = {"add": "yes", "comment--text": "Why?"}
    assert client.post(page(survey, "comments"), posted).status_code == 302
    assert "Why?" in client.get(page(survey, "read")).text
    assert client.get(page(survey, "launch")).status_code == 403
    CoAuthor.objects.update(role="edit")
    for name in ("launch", "delete", "history"):
        assert client.get(page(survey, name)).status_code == 403
    assert client.post(page(survey, "settings"), {"title": "New"}).status_code == 403
    words = "cannot open the authors' desk with this role"
    assert words in visible_text(sign_in(client).get(page(survey, "people")).text)


# --- a page that was open -------------------------------------------------------------------------


def test_an_editor_who_was_removed_keeps_what_they_typed_and_reads_why(client):
    survey = make_survey(questions=[])
    editor = shared(survey, "edit")
    address = page(survey, "settings")
    posted = Fields(sign_in(client, editor).get(address).text, "survey_form").posted
    CoAuthor.objects.all().delete()
    answer = client.post(address, {**posted, "title": "A title that took an hour"})
    assert answer.status_code == 403
    shown = visible_text(answer.text)
    assert "You can no longer open this survey" in shown
    assert "A title that took an hour" in shown
    assert page(survey, "read") not in answer.text
    assert Survey.objects.get().title == "Health at work"
    # Nothing of it is lost by looking again, and all is there once the owner lets them in.
    assert client.get(address).status_code == 404
    CoAuthor.objects.create(survey=survey, user=editor, role="edit")
    again = client.get(address)
    assert 'value="A title that took an hour"' in again.text
    assert "You were not let in" in visible_text(again.text)
    assert KEPT not in client.session


@pytest.mark.parametrize("role", ["comment", "read"])
def test_an_editor_who_may_edit_no_more_is_led_to_what_they_may(client, role):
    survey = make_survey()
    editor = shared(survey, "edit")
    text = sign_in(client, editor).get(page(survey, "settings")).text
    CoAuthor.objects.update(role=role)
    typed = {"title": "New", "typed_by": mark_in(text)}
    answer = client.post(page(survey, "settings"), typed)
    assert answer.status_code == 403
    assert page(survey, "read") in answer.text
    assert "Your role in this survey does not allow this." in visible_text(answer.text)
    assert Survey.objects.get().title == "Health at work"


def test_a_commenter_who_was_removed_keeps_their_comment(client):
    survey = make_survey()
    user = shared(survey, "comment")
    key = survey.questions.get().pk
    text = sign_in(client, user).get(page(survey, "comments")).text
    CoAuthor.objects.all().delete()
    typed = {"add": "yes", "question": key, f"comment-{key}-text": "Too <b>long</b>?"}
    answer = client.post(page(survey, "comments"), typed | {"typed_by": mark_in(text)})
    assert answer.status_code == 403
    assert "Too &lt;b&gt;long&lt;/b&gt;?" in answer.text
    # What a button or a hidden field sent was not typed.
    assert [text for _label, text in answer.context_data["typed"]] == ["Too <b>long</b>?"]
    assert not Comment.objects.exists()
    assert client.get(page(survey, "comments")).status_code == 404
    CoAuthor.objects.create(survey=survey, user=user, role="comment")
    kept = client.get(page(survey, "comments")).context["kept"]
    assert kept[f"comment-{key}-text"] == ["Too <b>long</b>?"]


def test_a_comment_is_kept_for_whoever_may_only_read_until_they_may_comment(client):
    survey = make_survey()
    user = shared(survey, "comment")
    address = page(survey, "comments")
    text = sign_in(client, user).get(address).text
    CoAuthor.objects.update(role="read")
    typed = {"add": "yes", "comment--text": "Why?", "typed_by": mark_in(text)}
    assert client.post(address, typed).status_code == 403
    assert client.get(address).context["kept"] is None
    CoAuthor.objects.update(role="comment")
    assert client.get(address).context["kept"]["comment--text"] == ["Why?"]
    assert client.get(address).context["kept"] is None


def test_a_survey_that_was_deleted_meanwhile_refuses_in_words(client):
    survey = make_survey()
    text = sign_in(client, shared(survey, "comment")).get(page(survey, "comments")).text
    address = page(survey, "comments")
    delete_survey(survey=survey, actor=owner())
    typed = {"add": "yes", "comment--text": "Why?", "typed_by": mark_in(text)}
    answer = client.post(address, typed)
    assert answer.status_code == 403
    assert "Why?" in answer.text


def test_the_mark_of_another_account_or_page_opens_nothing(client):
    survey = make_survey()
    text = sign_in(client, shared(survey, "comment")).get(page(survey, "comments")).text
    mark = mark_in(text)
    sign_in(client, make_user("stranger", author=True))
    for name, posted in (("comments", mark), ("launch", mark), ("comments", "forged:1:2")):
        answer = client.post(page(survey, name), {"typed_by": posted, "comment--text": "Why?"})
        assert answer.status_code == 404
    assert KEPT not in client.session
