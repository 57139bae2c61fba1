"""Co-authors: how they are added, changed and removed, and what goes with them."""

import threading

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

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
from tests.app.author_posts import page, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user, owner, shared

pytestmark = pytest.mark.django_db
LIST = reverse("admin:surveys_survey_changelist")
ROLES = ("edit", "comment", "read")


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
@pytest.mark.slow
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
@pytest.mark.slow
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
