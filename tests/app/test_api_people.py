"""Co-authors, readers, comments and tokens by programs, as on their pages."""

import pytest
from django.contrib.admin.models import LogEntry

from surveys.models import ApiToken, CoAuthor, Comment
from tests.app.calling import Program
from tests.builders import make_survey, make_user, owner, shared
from tests.tiers import tiered

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def history():
    return [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]


def test_a_co_author_is_added_once_given_another_role_and_removed():
    survey, friend = make_survey(), make_user("friend", author=True)
    program, at = Program(owner()), f"surveys/{survey.pk}/co-authors"
    order = {"person": " friend ", "role": "comment"}
    added = program.post(at, order, Idempotency_Key="one")
    assert added.status_code == 201
    assert added.json() == {
        **{"id": CoAuthor.objects.get().pk, "account": "friend", "name": "friend"},
        **{"role": "comment", "shut_out": False},
    }
    again = program.post(at, order, Idempotency_Key="one")
    assert (again.status_code, again["Idempotency-Replayed"]) == (201, "true")
    one = added["Location"].removeprefix("/api/v1/")
    assert program.call("PUT", one, {"role": "edit"}).json()["role"] == "edit"
    assert program.call("PUT", one, {"role": "owner"}).status_code == 422
    listed = Program(friend).get(at).json()
    assert (listed["owner"], [each["role"] for each in listed["items"]]) == ("owner", ["edit"])
    assert program.call("DELETE", one).status_code == 204
    assert not CoAuthor.objects.exists()
    assert history() == [
        "Added the co-author friend: May read and comment.",
        "Changed the role of friend: May edit.",
        "Removed the co-author friend.",
    ]


def test_a_co_author_leaves_and_removes_nobody_else():
    survey = make_survey()
    reader, other = shared(survey, "read"), shared(survey, "edit")
    program, at = Program(reader), f"surveys/{survey.pk}/co-authors"
    own, theirs = (survey.co_authors.get(user=each).pk for each in (reader, other))
    assert program.call("DELETE", f"{at}/{theirs}").json()["code"] == "role"
    assert program.call("DELETE", f"{at}/{own}").status_code == 204
    assert program.get(at).status_code == 404
    assert history() == [f"Left the co-authors: {reader.get_username()}."]


def test_readers_are_named_and_see_the_results_until_they_are_taken_off():
    survey, reader = make_survey(), make_user("reader")
    program, at = Program(owner()), f"surveys/{survey.pk}/readers"
    assert program.post(at, {"person": "reader"}).status_code == 201
    assert [each["account"] for each in program.get(at).json()["items"]] == ["reader"]
    assert list(survey.researchers.all()) == [reader]
    assert program.post(at, {"person": "reader"}).status_code == 409
    assert program.call("DELETE", f"{at}/{reader.pk}").status_code == 204
    assert program.call("DELETE", f"{at}/{reader.pk}").status_code == 409
    assert not survey.researchers.exists()
    assert [each for each in history() if "reader" in each] == [
        "Added the reader reader.",
        "Removed the reader reader.",
    ]


def test_a_survey_with_tiers_names_no_reader_beside_them():
    survey = tiered().survey
    make_user("reader")
    refused = Program(owner()).post(f"surveys/{survey.pk}/readers", {"person": "reader"})
    assert refused.status_code == 409
    assert "readers of a tier" in refused.json()["detail"]
    assert not survey.researchers.exists()


def test_comments_are_written_listed_by_pages_resolved_and_removed():
    survey = make_survey()
    program, at = Program(shared(survey, "comment")), f"surveys/{survey.pk}/comments"
    name = survey.questions.first().name
    for text, question in (("On all of it", None), ("On one", name)):
        made = program.post(at, {"text": text, "question": question})
        assert made.status_code == 201
        assert made.json()["question"] == question
    first = program.get(f"{at}?limit=1").json()
    assert [each["text"] for each in first["items"]] == ["On one"]
    rest = program.get(first["next"].removeprefix("/api/v1/")).json()
    assert ([each["text"] for each in rest["items"]], rest["next"]) == (["On all of it"], None)
    one = f"{at}/{first['items'][0]['id']}"
    assert program.post(f"{one}/resolve").json()["resolved_at"]
    assert program.post(f"{one}/reopen").json()["resolved_at"] is None
    assert program.post(at, {"text": " "}).json()["errors"][0]["field"] == "text"
    assert Program(shared(survey, "read")).post(at, {"text": "I"}).json()["code"] == "role"
    assert program.call("DELETE", one).status_code == 204
    assert [each.text for each in Comment.objects.all()] == ["On all of it"]


def test_tokens_are_listed_and_revoked_and_those_of_others_are_not_there():
    program, other = Program(owner()), Program(make_user("other", author=True))
    spare = Program(owner(), ["surveys:read"])
    listed = program.get("tokens").json()["items"]
    assert [each["id"] for each in listed] == [spare.token.pk, program.token.pk]
    assert spare.secret not in str(listed)
    assert listed[0]["tail"] == spare.secret[-4:]
    assert program.call("DELETE", f"tokens/{other.token.pk}").status_code == 404
    assert program.call("DELETE", f"tokens/{spare.token.pk}").status_code == 204
    assert spare.get("token").status_code == 401
    assert program.call("DELETE", f"tokens/{program.token.pk}").status_code == 204
    assert program.get("token").status_code == 401
    assert ApiToken.objects.in_use().get() == other.token


def test_readers_of_a_tier_see_its_results_until_they_are_taken_off():
    survey, reader = tiered().survey, make_user("reader")
    program, at = Program(owner()), f"surveys/{survey.pk}/tiers"
    second = f"{at}/2/readers"
    added = program.post(second, {"person": "reader"})
    assert (added.status_code, added.json()["account"]) == (201, "reader")
    # Once more changes nothing.
    assert program.post(second, {"person": "reader"}).status_code == 201
    listed = program.get(at).json()["items"]
    assert [(each["number"], each["name"], each["share"]) for each in listed] == [
        (1, "The public", "0.25"),
        (2, "Partners", "0.5"),
        (3, "Our own team", "1"),
    ]
    assert [[one["account"] for one in each["readers"]] for each in listed] == [[], ["reader"], []]
    assert reader.readable_tiers.get().name == "Partners"
    assert program.post(f"{at}/4/readers", {"person": "reader"}).status_code == 404
    assert program.call("DELETE", f"{at}/1/readers/{reader.pk}").status_code == 404
    assert program.call("DELETE", f"{second}/{reader.pk}").status_code == 204
    assert not reader.readable_tiers.exists()
    assert "Took reader off the readers of Partners." in history()


def test_a_survey_without_tiers_lists_none():
    program, at = Program(owner()), f"surveys/{make_survey().pk}/tiers"
    assert program.get(at).json() == {"items": []}
    assert program.post(f"{at}/1/readers", {"person": "owner"}).status_code == 404
