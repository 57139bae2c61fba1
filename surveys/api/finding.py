"""The survey or the results that an address names, found as pages find them."""

from typing import Annotated, TypeAlias

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Path

from surveys.api.keys import user_of
from surveys.api.problems import Refusal, not_found
from surveys.models import Survey
from surveys.people import person_label
from surveys.services.access import Access, may_open, survey_for
from surveys.services.audiences import Audience, audience_of, launch_shown_to

# The largest key of a row.
LARGEST_KEY = 2**63 - 1
Key: TypeAlias = Annotated[int, Path(ge=1, le=LARGEST_KEY)]


def check_desk(request: HttpRequest, access: Access) -> None:
    """Raise Refusal for an account that may not use the pages of surveys."""
    if not may_open(user_of(request), access):
        words = _("This account is none of an author. Ask the operator for the group of authors.")
        raise Refusal(403, "no_author", words)


def survey_of(request: HttpRequest, survey_id: int, access: Access) -> Survey:
    """The survey, for whoever is allowed that much; raises Refusal for everybody else."""
    check_desk(request, access)
    user = user_of(request)
    survey = survey_for(user, survey_id, access)
    if survey is not None:
        return survey
    readable = survey_for(user, survey_id, Access.READ)
    if readable is None:
        raise not_found()
    words = _("Your role in this survey does not allow this. %s owns it and gives the roles.")
    raise Refusal(403, "role", words % person_label(readable.owner))


def results_of(request: HttpRequest, survey_id: int) -> Audience:
    """The audience of a survey's results; raises Refusal for whoever may not see them."""
    launch = launch_shown_to(user_of(request), pk=survey_id)
    if launch is None:
        raise not_found()
    return audience_of(launch, user_of(request), request.GET)
