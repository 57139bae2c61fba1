"""Co-authors: what each role opens, how they are added, and what a page left open still does."""

import re
import threading

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from surveys.admin.saves.kept_posts import KEPT
from surveys.exceptions import CollaborationError
from surveys.models import CoAuthor, Comment, Survey
from surveys.services import co_authors
from surveys.services.co_authors import (
    MOST_CO_AUTHORS,
    OWNER,
    add_co_author,
    change_role,
    person_called,
    remove_co_author,
    role_of,
)
from surveys.services.comments import add_comment
from surveys.services.transitions import close_survey, delete_survey
from tests.app.author_posts import form_data, page, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user, owner, sent

pytestmark = pytest.mark.django_db
LIST = reverse("admin:surveys_survey_changelist")
ROLES = ("edit", "comment", "read")


def shared(survey: Survey, role: str) -> User:
    """An author who is a co-author of the survey, called after the role."""
    user = make_user(f"{role}-person", author=True)
    CoAuthor.objects.create(survey=survey, user=user, role=role)
    return user


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
    ("post", "change", {"title": "New"}, EDITS),
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
    assert client.post(page(survey), form_data(title="New")).status_code == 403
    words = "cannot open the authors' desk with this role"
    assert words in visible_text(sign_in(client).get(page(survey, "people")).text)


# --- adding, changing, removing -------------------------------------------------------------------


def test_the_owner_adds_changes_and_removes_somebody_and_the_history_says_so(client):
    survey, friend = make_survey(), make_user("friend", author=True)
    sign_in(client)
    client.post(page(survey, "people"), {"person": " friend ", "role": "comment"})
    row = CoAuthor.objects.get()
    assert (row.user, row.role) == (friend, "comment")
    answer = client.post(
        page(survey, "people"), {"co_author": row.pk, "role": "edit", "change": "yes"}, follow=True
    )
    assert "Changed the role of friend: May edit." in answer.text
    assert role_of(survey, friend) == "edit"
    client.post(page(survey, "people"), {"co_author": row.pk, "remove": "yes"})
    assert role_of(survey, friend) == ""
    told = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert told == [
        "Added the co-author friend: May read and comment.",
        "Changed the role of friend: May edit.",
        "Removed the co-author friend.",
    ]
    history = visible_text(client.get(page(survey, "history")).text)
    assert all(words in history for words in told)


@pytest.mark.parametrize("text", ["friend", "FRIEND@example.org", "Ada Lovelace", "lovelace ada"])
def test_people_are_found_by_a_name_in_full(text):
    friend = make_user("friend")
    friend.email, friend.first_name, friend.last_name = "friend@example.org", "Ada", "Lovelace"
    friend.save()
    assert person_called(text) == friend


@pytest.mark.parametrize("text", ["frien", "friend@example", "Ada", "x" * 300, "\x00"])
def test_a_part_of_a_name_finds_nobody(client, text):
    friend = make_user("friend")
    friend.email, friend.first_name, friend.last_name = "friend@example.org", "Ada", "Lovelace"
    friend.save()
    survey = make_survey()
    answer = sign_in(client).post(page(survey, "people"), {"person": text, "role": "read"})
    assert answer.status_code == 200
    assert answer.context["form"].errors["person"]
    assert not CoAuthor.objects.exists()


def test_a_name_of_several_people_asks_for_the_user_name():
    for name in ("one", "two"):
        User.objects.filter(pk=make_user(name).pk).update(first_name="Ada", last_name="Lovelace")
    with pytest.raises(CollaborationError, match="Several people"):
        person_called("Ada Lovelace")
    # Somebody's user name is found, even where it is somebody else's address.
    User.objects.filter(username="two").update(email="one")
    assert person_called("one").get_username() == "one"


def test_names_are_not_for_trying(client, settings):
    settings.PEOPLE_RATE = "2/minute"
    survey = make_survey()
    sign_in(client)
    for _turn in range(2):
        answer = client.post(page(survey, "people"), {"person": "nobody", "role": "read"})
        assert "Nobody is found." in answer.text
    make_user("friend")
    answer = client.post(page(survey, "people"), {"person": "friend", "role": "read"})
    assert "Wait a moment." in answer.text
    assert not CoAuthor.objects.exists()


def test_the_owner_and_whoever_is_one_already_cannot_be_added():
    survey, friend = make_survey(), make_user("friend")
    with pytest.raises(CollaborationError, match="owns the survey"):
        add_co_author(survey=survey, user=owner(), role="read")
    add_co_author(survey=survey, user=friend, role="read")
    with pytest.raises(CollaborationError, match="is a co-author already"):
        add_co_author(survey=survey, user=friend, role="edit")
    assert role_of(survey, friend) == "read"
    assert role_of(survey, owner()) == OWNER


def test_there_are_not_more_co_authors_than_a_page_shows(monkeypatch):
    monkeypatch.setattr(co_authors, "MOST_CO_AUTHORS", 1)
    assert MOST_CO_AUTHORS > 1
    survey = make_survey()
    add_co_author(survey=survey, user=make_user("one"), role="read")
    with pytest.raises(CollaborationError, match="There are 1 co-authors already"):
        add_co_author(survey=survey, user=make_user("two"), role="read")


def test_the_database_has_each_co_author_once_and_knows_the_roles():
    survey, friend = make_survey(), make_user("friend")
    CoAuthor.objects.create(survey=survey, user=friend, role="read")
    for user, role in ((friend, "edit"), (make_user("other"), "rule")):
        with pytest.raises(IntegrityError), transaction.atomic():
            CoAuthor.objects.create(survey=survey, user=user, role=role)


def test_two_people_add_the_same_co_author_and_the_second_reads_that_it_is_done(
    client, monkeypatch
):
    """The second has looked before the first has written: the database refuses its row."""
    survey, friend = make_survey(), make_user("friend")
    look, looked = QuerySet.get, []

    def early(rows, *args, **values):
        if rows.model is not CoAuthor or looked:
            return look(rows, *args, **values)
        looked.append(values)
        CoAuthor.objects.create(survey=survey, user=friend, role="comment")
        raise CoAuthor.DoesNotExist

    monkeypatch.setattr(QuerySet, "get", early)
    answer = sign_in(client).post(page(survey, "people"), {"person": "friend", "role": "edit"})
    assert answer.status_code == 200
    assert "friend is a co-author already." in answer.text
    assert 'value="friend"' in answer.text
    assert not CoAuthor.objects.filter(role="edit").exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_who_add_the_same_co_author_at_once_one_does():
    survey, friend = make_survey(), make_user("friend")
    start, outcomes = threading.Barrier(6), []

    def add() -> None:
        start.wait()
        try:
            add_co_author(survey=survey, user=friend, role="read")
            outcomes.append("added")
        except CollaborationError as error:
            outcomes.append(error.message)
        finally:
            connection.close()

    threads = [threading.Thread(target=add) for _turn in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["added"] + ["friend is a co-author already."] * 5
    assert CoAuthor.objects.count() == 1


@pytest.mark.parametrize("posted", [{"change": "yes", "role": "edit"}, {"remove": "yes"}])
def test_what_is_done_to_somebody_who_was_removed_meanwhile_is_refused_in_words(client, posted):
    survey = make_survey()
    shared(survey, "read")
    number = CoAuthor.objects.get().pk
    CoAuthor.objects.all().delete()
    sign_in(client)
    answer = client.post(page(survey, "people"), {"co_author": number, **posted}, follow=True)
    assert "This person is no co-author any more." in answer.text
    assert not LogEntry.objects.exists()


def test_co_authors_of_other_surveys_are_out_of_reach():
    survey, other = make_survey(), make_survey(slug="other")
    shared(other, "read")
    number = CoAuthor.objects.get().pk
    with pytest.raises(CollaborationError):
        change_role(survey=survey, co_author_id=number, role="edit")
    with pytest.raises(CollaborationError):
        remove_co_author(survey=survey, co_author_id=number)
    assert CoAuthor.objects.get().role == "read"


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 18, "9" * 5000, "٣"])
def test_a_number_that_is_none_is_refused_in_words(client, number):
    survey = make_survey()
    sign_in(client)
    answer = client.post(
        page(survey, "people"), {"co_author": number, "remove": "yes"}, follow=True
    )
    assert "This person is no co-author any more." in answer.text


def test_a_role_that_is_none_is_refused_in_words(client):
    survey = make_survey()
    shared(survey, "read")
    posted = {"co_author": CoAuthor.objects.get().pk, "change": "yes", "role": "owner"}
    answer = sign_in(client).post(page(survey, "people"), posted, follow=True)
    assert "Choose one of the roles." in answer.text
    assert CoAuthor.objects.get().role == "read"


@pytest.mark.parametrize("role", ROLES)
def test_each_co_author_leaves_by_themselves(client, role):
    survey = make_survey()
    user = shared(survey, role)
    assert "Leave this survey" in sign_in(client, user).get(page(survey, "people")).text
    answer = client.post(page(survey, "people"), {"leave": "yes"}, follow=True)
    assert "You are no longer a co-author of “Health at work”." in answer.text
    assert client.get(page(survey, "read")).status_code == 404
    assert LogEntry.objects.get().get_change_message() == f"Left the co-authors: {role}-person."
    text = sign_in(client).get(page(survey, "people")).text
    assert "Leave this survey" not in text


def test_the_page_says_whose_account_cannot_open_the_desk(client):
    """Rights of authors are given by whoever runs the site, in the admin."""
    survey, friend = make_survey(), make_user("friend")
    CoAuthor.objects.create(survey=survey, user=friend, role="comment")
    words = "cannot open the authors' desk"
    sign_in(client)

    def told() -> bool:
        return words in visible_text(client.get(page(survey, "people")).text)

    assert told()
    friend.is_staff = True
    friend.save()
    assert told()
    friend.groups.add(Group.objects.get(name="Authors"))
    assert not told()
    User.objects.filter(pk=friend.pk).update(is_active=False)
    assert told()
    User.objects.filter(pk=friend.pk).update(is_active=True)
    # It is said to the owner, who can do something about it.
    assert words not in sign_in(client, friend).get(page(survey, "people")).text


# --- a page that was open -------------------------------------------------------------------------


def test_an_editor_who_was_removed_keeps_what_they_typed_and_reads_why(client):
    survey = make_survey(questions=[])
    editor = shared(survey, "edit")
    text = sign_in(client, editor).get(page(survey)).text
    seen = re.search(r'name="seen" value="([^"]*)"', text)[1].replace("&quot;", '"')
    CoAuthor.objects.all().delete()
    typed = form_data(title="A title that took an hour", seen=seen, typed_by=mark_in(text))
    answer = client.post(page(survey), typed)
    assert answer.status_code == 403
    shown = visible_text(answer.text)
    assert "You can no longer open this survey" in shown
    assert "A title that took an hour" in shown
    assert page(survey, "read") not in answer.text
    assert Survey.objects.get().title == "Health at work"
    # Nothing of it is lost by looking again, and all is there once the owner lets them in.
    assert client.get(page(survey)).status_code == 302
    CoAuthor.objects.create(survey=survey, user=editor, role="edit")
    again = client.get(page(survey))
    assert 'value="A title that took an hour"' in again.text
    assert "You were not let in" in visible_text(again.text)
    assert KEPT not in client.session


@pytest.mark.parametrize("role", ["comment", "read"])
def test_an_editor_who_may_edit_no_more_is_led_to_what_they_may(client, role):
    survey = make_survey()
    editor = shared(survey, "edit")
    text = sign_in(client, editor).get(page(survey)).text
    CoAuthor.objects.update(role=role)
    answer = client.post(page(survey), form_data(title="New", typed_by=mark_in(text)))
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


# --- what goes with what --------------------------------------------------------------------------


def test_co_authors_go_with_the_survey_and_with_their_account(client):
    launch = launched()
    user = shared(launch.survey, "comment")
    comment = add_comment(survey=launch.survey, question_id=None, author=user, text="Why?")
    other = make_user("other", author=True)
    add_co_author(survey=launch.survey, user=other, role="edit")
    user.delete()
    comment.refresh_from_db()
    assert (CoAuthor.objects.count(), comment.author) == (1, None)
    assert "A deleted account" in sign_in(client).get(page(launch.survey, "comments")).text
    close_survey(survey=launch.survey, actor=None)
    delete_survey(survey=Survey.objects.get(), actor=None)
    assert not CoAuthor.objects.exists()
    assert not Comment.objects.exists()


def test_a_copy_is_of_whoever_makes_it_and_has_no_co_authors(client):
    survey = make_survey()
    editor = shared(survey, "edit")
    sign_in(client, editor).post(page(survey, "clone"))
    copy = Survey.objects.exclude(pk=survey.pk).get()
    assert copy.owner == editor
    assert not copy.co_authors.exists()


def test_the_list_asks_for_roles_once(client, django_assert_num_queries):
    reader = make_user("reader", author=True)
    surveys = [make_survey(slug=f"s{number}") for number in range(8)]
    CoAuthor.objects.create(survey=surveys[0], user=reader, role="read")
    sign_in(client, reader)
    client.get(LIST)
    with CaptureQueriesContext(connection) as one:
        client.get(LIST)
    for survey in surveys[1:]:
        CoAuthor.objects.create(survey=survey, user=reader, role="comment")
    with django_assert_num_queries(len(one)):
        assert len(client.get(LIST).context["listed"]) == 8
