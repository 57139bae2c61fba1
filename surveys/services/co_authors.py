"""Co-authors of a survey: found by name, added, given another role, and removed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.exceptions import CollaborationError, ThrottledError
from surveys.models import CoAuthor, Survey
from surveys.people import find_people, person_label
from surveys.services.roles import may_use_desk
from surveys.throttle import throttle

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

# More people are no group that writes one survey.
MOST_CO_AUTHORS = 50
# What the owner of a survey and superusers have instead of a role.
OWNER = "owner"


def role_of(survey: Survey, user: User) -> str:
    """Return the role of somebody in a survey, or `OWNER`; "" for everybody else."""
    return role_among(survey, user, CoAuthor.objects.filter(survey=survey.pk, user=user.pk))


def role_among(survey: Survey, user: User, own: Iterable[CoAuthor]) -> str:
    """The same, where this person's co-authorships of the survey are at hand."""
    if user.is_superuser or survey.owner_id == user.pk:
        return OWNER
    return next((each.role for each in own), "")


def count_search(asker: "User | AnonymousUser") -> None:
    """Count a search for a person; raises ThrottledError: names are not for trying."""
    seconds = throttle("people", settings.PEOPLE_RATE).wait_for(str(asker.pk))
    if seconds:
        raise ThrottledError(_("That was a lot of searching. Wait a moment."), seconds=seconds)


def person_called(text: str) -> User:
    """Return the one account of exactly this user name, mail address or full name.

    Raises CollaborationError where there is none or where there are several.
    """
    people = list(find_people(text))
    by_user_name = [person for person in people if person.get_username() == text]
    if len(by_user_name or people) > 1:
        raise CollaborationError(_("Several people have this name. Type a user name instead."))
    for person in by_user_name or people:
        return person
    raise CollaborationError(
        _("Nobody is found. Type the whole user name, mail address, or first and last name.")
    )


@transaction.atomic
def add_co_author(*, survey: Survey, user: User, role: str) -> CoAuthor:
    """Add a co-author; raises CollaborationError for the owner and for who is one already."""
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if survey.owner_id == user.pk:
        raise CollaborationError(_("%s owns the survey.") % person_label(user))
    if survey.co_authors.exclude(user=user).count() >= MOST_CO_AUTHORS:
        message = _("There are %s co-authors already. Remove one first.")
        raise CollaborationError(message % MOST_CO_AUTHORS)
    # Two people may add the same one: the second finds the row of the first.
    co_author, is_new = CoAuthor.objects.get_or_create(
        survey=survey, user=user, defaults={"role": role}
    )
    if not is_new:
        raise CollaborationError(_("%s is a co-author already.") % person_label(user))
    return co_author


def change_role(*, survey: Survey, co_author_id: int, role: str) -> CoAuthor:
    """Give a co-author another role; raises CollaborationError for one who is none any more."""
    survey.co_authors.filter(pk=co_author_id).update(role=role)
    return _co_author(survey, co_author_id)


@transaction.atomic
def remove_co_author(*, survey: Survey, co_author_id: int) -> CoAuthor:
    """Remove a co-author; raises CollaborationError for one who is none any more."""
    co_author = _co_author(survey, co_author_id)
    CoAuthor.objects.filter(pk=co_author_id).delete()
    return co_author


def is_shut_out(co_author: CoAuthor) -> bool:
    """Whether their account may not do what their role allows."""
    return not may_use_desk(co_author.user, editing=co_author.role == CoAuthor.Role.EDIT)


def added_words(co_author: CoAuthor) -> str:
    """What the history of a survey says of somebody who was added."""
    return _("Added the co-author %(name)s: %(role)s.") % _facts(co_author)


def changed_words(co_author: CoAuthor) -> str:
    return _("Changed the role of %(name)s: %(role)s.") % _facts(co_author)


def removed_words(co_author: CoAuthor) -> str:
    return _("Removed the co-author %(name)s.") % _facts(co_author)


def left_words(co_author: CoAuthor) -> str:
    return _("Left the co-authors: %s.") % person_label(co_author.user)


def _facts(co_author: CoAuthor) -> dict[str, str]:
    role = str(co_author.get_role_display())
    return {"name": person_label(co_author.user), "role": role}


def _co_author(survey: Survey, co_author_id: int) -> CoAuthor:
    co_author = survey.co_authors.select_related("user").filter(pk=co_author_id).first()
    if co_author is None:
        raise CollaborationError(_("This person is no co-author any more."))
    return co_author
