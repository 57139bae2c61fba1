"""Named readers of the results: listed, added by a name in full, and removed."""

from typing import Annotated

import msgspec
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Body, Router

from surveys.api.changing import changing
from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import Key, survey_of
from surveys.api.keys import user_of
from surveys.api.serving import serves
from surveys.models.api_token import Scope
from surveys.people import person_label
from surveys.services.access import Access
from surveys.services.co_authors import count_search, person_called
from surveys.services.readers import add_reader, remove_reader

router = Router(tags=["co-authors"])
ALL = "/{survey_id}/readers"


class ReaderFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`id`: that of the account; `account`: its user name."""

    id: int
    account: str
    name: str


class ReaderList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[ReaderFacts, ...]


class ReaderOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`person`: the whole user name, mail address, or first and last name."""

    person: Annotated[str, msgspec.Meta(max_length=254)]


def reader_facts(user: User) -> ReaderFacts:
    return ReaderFacts(id=user.pk, account=user.get_username(), name=person_label(user))


@serves(
    router,
    "GET",
    ALL,
    scope=Scope.PEOPLE,
    answers={200: document(ReaderList)},
    title="List who is named to read the results and the reports",
)
def list_readers(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    readers = survey.researchers.order_by("username")
    return answer(ReaderList(items=tuple(map(reader_facts, readers))))


@serves(
    router,
    "POST",
    ALL,
    scope=Scope.PEOPLE,
    answers={201: document(ReaderFacts)},
    title="Let somebody read the results and the reports",
)
def create_reader(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[ReaderOrder, Bridge(ReaderOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    count_search(user_of(request))
    person = person_called(order.person.strip())
    with changing(request, survey, _("Added the reader %s.") % person_label(person)):
        add_reader(survey=survey, user=person)
    return answer(reader_facts(person), 201, {"Location": f"{request.path}/{person.pk}"})


@serves(
    router,
    "DELETE",
    ALL + "/{reader_id}",
    scope=Scope.PEOPLE,
    answers={204: None},
    title="Take somebody off those who read the results and the reports",
)
def delete_reader(request: HttpRequest, survey_id: Key, reader_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    person = survey.researchers.filter(pk=reader_id).first()
    message = _("Removed the reader %s.") % (person_label(person) if person else "")
    with changing(request, survey, message):
        remove_reader(survey=survey, user_id=reader_id)
    return no_content()
