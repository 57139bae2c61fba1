"""Which survey somebody may do something with: one rule for pages and for programs."""

from enum import Enum
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from surveys.models import Survey
from surveys.services.roles import may_use_desk

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User


class Access(Enum):
    """What somebody must be allowed, by the query that finds the surveys in which they are."""

    READ = "texts_visible_to"
    COMMENT = "commentable_by"
    EDIT = "editable_by"
    OWN = "owned_by"


def survey_for(user: "User | AnonymousUser", number: Any, access: Access) -> Survey | None:
    """Return the survey with this key, if this person is allowed that much."""
    try:
        key = Survey._meta.get_field("id").to_python(number)
    except ValidationError:
        return None
    surveys = getattr(Survey.objects, access.value)(user)
    survey: Survey | None = surveys.select_related("owner").filter(pk=key).first()
    return survey


def may_open(user: "User", access: Access) -> bool:
    """Whether an account may use the pages of surveys that need so much, whosever they are."""
    return may_use_desk(user, editing=access in (Access.EDIT, Access.OWN))
