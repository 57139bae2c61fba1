"""Personal links: what is stored of them, whom they lead to, and how often they count."""

import logging
import threading

import pytest
from django.db import connection

from surveys.exceptions import WrongStateError
from surveys.features.modes import ALPHABET
from surveys.features.roster.changes import replace_roster
from surveys.features.roster.links import (
    claim,
    make_links,
    member_of,
    revoke,
)
from surveys.features.roster.models import Member
from surveys.features.roster.section import is_personal_link
from tests.builders import launched, make_survey
from tests.rosters import ROWS, rostered, shut

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]
OTHER_SECRET = "another secret of at least fifty characters, for tests"


@pytest.fixture
def survey():
    return rostered()


def links_of(survey) -> dict[str, str]:
    return {
        member.code: link
        for member, link in make_links(survey=survey, members=survey.members.all())
    }


def test_each_member_gets_a_link_that_leads_to_nobody_else(survey):
    links = links_of(survey)
    assert list(links) == [row.code for row in ROWS]
    assert len(set(links.values())) == len(ROWS)
    for code, link in links.items():
        assert len(link) == 28
        assert set(link) <= set(ALPHABET)
        assert member_of(survey.pk, link).code == code


def test_only_a_keyed_hash_is_stored_and_nothing_is_logged(survey, caplog):
    with caplog.at_level(logging.DEBUG):
        links = links_of(survey)
        member_of(survey.pk, links["a1"])
    stored = str(list(Member.objects.values()))
    for link in links.values():
        assert link not in stored
        assert link not in caplog.text
    hashes = set(survey.members.values_list("link_hash", flat=True))
    assert {len(text) for text in hashes} == {64}


def test_a_link_leads_nowhere_in_another_survey(survey):
    other = rostered(slug="other")
    assert member_of(other.pk, links_of(survey)["a1"]) is None


@pytest.mark.parametrize("text", [None, 5, "", "A" * 27, "A" * 29, "I" * 28, "a" * 28, ["A"], {}])
def test_what_is_no_link_leads_nowhere(survey, text, django_assert_num_queries):
    assert not is_personal_link(text)
    with django_assert_num_queries(0):
        assert member_of(survey.pk, text) is None


def test_a_link_that_was_never_made_leads_nowhere(survey):
    assert is_personal_link("0" * 28)
    assert member_of(survey.pk, "0" * 28) is None


def test_new_links_replace_older_ones(survey):
    before, after = links_of(survey), links_of(survey)
    assert member_of(survey.pk, before["a1"]) is None
    assert member_of(survey.pk, after["a1"]).code == "a1"


def test_who_has_answered_gets_no_other_link(survey):
    before = links_of(survey)
    assert claim(member_of(survey.pk, before["b2"]))
    after = links_of(survey)
    assert set(after) == {"a1", "c3", "d4"}
    assert member_of(survey.pk, before["b2"]).answered


def test_members_of_another_survey_get_none(survey):
    other = rostered(slug="other")
    assert make_links(survey=survey, members=other.members.all()) == []
    assert not Member.objects.exclude(link_hash="").exists()


def test_a_revoked_link_is_void_and_a_new_one_can_be_made(survey):
    links = links_of(survey)
    revoke(member=survey.members.get(code="a1"))
    assert member_of(survey.pk, links["a1"]) is None
    assert member_of(survey.pk, links["b2"]).code == "b2"
    ((_member, link),) = make_links(survey=survey, members=survey.members.filter(code="a1"))
    assert member_of(survey.pk, link).code == "a1"


def test_an_answer_is_taken_once(survey):
    link = links_of(survey)["a1"]
    first, second = member_of(survey.pk, link), member_of(survey.pk, link)
    assert claim(first)
    assert not claim(second)
    assert [member.code for member in survey.members.filter(answered=True)] == ["a1"]


def test_a_link_that_is_replaced_meanwhile_takes_no_answer(survey):
    member = member_of(survey.pk, links_of(survey)["a1"])
    links_of(survey)
    assert not claim(member)
    assert not survey.members.filter(answered=True).exists()


def test_a_link_of_a_former_secret_still_leads_to_its_member(survey, settings):
    link = links_of(survey)["a1"]
    former, settings.SECRET_KEY = settings.SECRET_KEY, OTHER_SECRET
    assert member_of(survey.pk, link) is None
    settings.SECRET_KEY_FALLBACKS = ["one between them", former]
    member = member_of(survey.pk, link)
    assert member.code == "a1"
    assert claim(member)


def test_only_an_open_survey_by_personal_link_has_links(survey):
    draft = make_survey(slug="draft", mode="personal")
    replace_roster(survey=draft, rows=ROWS)
    shut(survey)
    for refused in (draft, survey, launched(slug="open").survey):
        with pytest.raises(WrongStateError, match="Only an open survey"):
            make_links(survey=refused, members=refused.members.all())


@pytest.mark.django_db(transaction=True)
def test_of_claims_at_once_one_is_let_through():
    survey = rostered()
    link = links_of(survey)["a1"]
    start, outcomes = threading.Barrier(6), []

    def send() -> None:
        member = member_of(survey.pk, link)
        start.wait()
        outcomes.append(claim(member))
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [False] * 5 + [True]
