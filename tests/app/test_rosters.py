"""Rosters as they are stored: in drafts, frozen after launch, and without names in the end."""

import pytest
from django.contrib.admin.models import LogEntry
from django.db import DatabaseError, IntegrityError, connection, transaction

from surveys.exceptions import WrongStateError
from surveys.features.roster.changes import delete_names, replace_roster
from surveys.features.roster.models import Member
from surveys.features.roster.reading import RosterRow, roster_of
from surveys.features.roster.section import Roster
from surveys.models import Survey
from surveys.services.definitions import clone_survey
from surveys.services.transitions import close_survey, delete_survey, reopen_survey
from tests.builders import launched, make_survey
from tests.rosters import ROWS, rostered, shut

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]
CODES = ("c3", "a1", "b2", "d4")
PLAIN = tuple(row._replace(group="") for row in ROWS)


@pytest.fixture
def survey():
    return rostered()


def names(survey: Survey) -> list[str]:
    return list(survey.members.values_list("name", flat=True))


def test_a_roster_has_codes_in_order_and_groups_as_they_come():
    draft = make_survey()
    replace_roster(survey=draft, rows=ROWS)
    assert roster_of(draft) == Roster(codes=CODES, groups=("Late", "Early"), group_of=(0, 1, 0, 1))
    assert [member.place for member in draft.members.all()] == [0, 1, 2, 3]
    assert names(draft) == ["Cem Çelik", "Ana Alves", "Bo Berg", "Dee Dunn"]


def test_a_roster_without_groups_has_none():
    draft = make_survey()
    assert roster_of(draft) is None
    replace_roster(survey=draft, rows=PLAIN)
    assert roster_of(draft) == Roster(codes=CODES, groups=(), group_of=())


def test_another_roster_takes_the_place_of_the_first_and_an_empty_one_removes_it():
    draft, other = make_survey(), make_survey(slug="other")
    replace_roster(survey=draft, rows=ROWS)
    replace_roster(survey=other, rows=ROWS)
    replace_roster(survey=draft, rows=[RosterRow("z9", "Zoe"), *ROWS[1:]])
    assert names(draft)[0] == "Zoe"
    replace_roster(survey=draft, rows=[])
    assert names(draft) == []
    assert len(names(other)) == len(ROWS)


def test_a_launched_roster_stays(survey):
    with pytest.raises(WrongStateError, match="launched"):
        replace_roster(survey=survey, rows=ROWS)
    assert len(names(survey)) == len(ROWS)


@pytest.mark.parametrize(
    "values",
    [{"place": 0, "code": "x"}, {"place": 9, "code": "a1"}],
    ids=["the same place", "the same code"],
)
def test_the_database_keeps_members_apart(values):
    draft = make_survey()
    replace_roster(survey=draft, rows=ROWS)
    with pytest.raises(IntegrityError), transaction.atomic():
        Member.objects.create(survey=draft, name="Eve", **values)


def test_the_database_keeps_links_apart_but_not_their_absence(survey):
    first, second, *_others = survey.members.all()
    Member.objects.filter(pk=first.pk).update(link_hash="f" * 64)
    with pytest.raises(IntegrityError), transaction.atomic():
        Member.objects.filter(pk=second.pk).update(link_hash="f" * 64)
    assert survey.members.filter(link_hash="").count() == len(ROWS) - 1


@pytest.mark.parametrize("state", ["open", "closed"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE surveys_member SET place = place + 10",
        "UPDATE surveys_member SET code = 'other' WHERE place = 0",
        """UPDATE surveys_member SET "group" = 'other'""",
        "UPDATE surveys_member SET name = 'Eve'",
        "UPDATE surveys_member SET answered = true, name = 'Eve'",
        "UPDATE surveys_member SET survey_id = survey_id + 1",
        "DELETE FROM surveys_member",
        """INSERT INTO surveys_member (survey_id, place, code, name, "group", link_hash, answered)
        SELECT survey_id, 99, 'x', 'Eve', '', '', false FROM surveys_member WHERE place = 0""",
    ],
)
def test_the_database_refuses_another_roster(survey, statement, state):
    if state == "closed":
        shut(survey)
    _refused(statement)


def _refused(statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="frozen at launch"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_the_database_lets_links_and_answers_through(survey):
    survey.members.update(answered=True)
    survey.members.filter(place=0).update(link_hash="f" * 64)
    assert survey.members.filter(answered=True).count() == len(ROWS)


def test_names_go_after_closing_only_and_nothing_else_does(survey):
    _refused("UPDATE surveys_member SET name = ''")
    with pytest.raises(WrongStateError, match="closed"):
        delete_names(survey=survey, actor=None)
    shut(survey)
    before = list(survey.members.values("place", "code", "group", "link_hash", "answered"))
    delete_names(survey=survey, actor=survey.owner)
    assert names(survey) == [""] * len(ROWS)
    assert list(survey.members.values(*before[0])) == before
    assert LogEntry.objects.get().change_message == "Deleted the names."
    _refused("UPDATE surveys_member SET name = 'Ana Alves' WHERE code = 'a1'")


def test_a_survey_without_names_is_not_opened_again(survey):
    shut(survey)
    reopen_survey(survey=survey, actor=None)
    shut(survey)
    delete_names(survey=survey, actor=None)
    with pytest.raises(WrongStateError, match="names of its roster were deleted"):
        reopen_survey(survey=survey, actor=None)
    with pytest.raises(WrongStateError, match="no names"):
        delete_names(survey=survey, actor=None)
    survey.refresh_from_db()
    assert survey.state == Survey.State.CLOSED


def test_a_survey_without_a_roster_has_no_names_to_delete():
    survey = launched().survey
    close_survey(survey=survey, actor=None)
    with pytest.raises(WrongStateError, match="no names"):
        delete_names(survey=survey, actor=None)


def test_a_deleted_survey_takes_its_roster_along(survey):
    shut(survey)
    delete_survey(survey=survey, actor=None)
    assert not Member.objects.exists()


def test_a_copy_of_a_survey_has_no_names(survey):
    copy = clone_survey(survey=survey, owner=survey.owner)
    assert not copy.members.exists()
    assert len(names(survey)) == len(ROWS)
