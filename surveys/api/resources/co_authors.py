"""Co-authors of a survey: listed, added, given another role, and removed."""

from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import Body, Router

from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import Key, survey_of
from surveys.api.forms import check, posted
from surveys.api.keys import user_of
from surveys.api.serving import serves
from surveys.forms.collaboration import CoAuthorForm, RoleForm
from surveys.models import CoAuthor
from surveys.models.api_token import Scope
from surveys.people import person_label
from surveys.services.access import Access
from surveys.services.co_authors import (
    add_co_author,
    added_words,
    change_role,
    changed_words,
    count_search,
    is_shut_out,
    left_words,
    person_called,
    remove_co_author,
    removed_words,
)
from surveys.services.histories import note_change

router = Router(tags=["co-authors"])
ALL = "/{survey_id}/co-authors"
ONE = ALL + "/{co_author_id}"


class CoAuthorFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`role`: “read”, “comment” or “edit”. `shut_out`: the account may not use its role now."""

    id: int
    account: str
    name: str
    role: str
    shut_out: bool


class CoAuthorList(msgspec.Struct, frozen=True, kw_only=True):
    """`owner`: the user name of whom the survey belongs to, who gives the roles."""

    owner: str
    items: tuple[CoAuthorFacts, ...]


class CoAuthorOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`person`: the whole user name, mail address, or first and last name."""

    person: str
    role: str


class RoleOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    role: str


def _facts(co_author: CoAuthor) -> CoAuthorFacts:
    return CoAuthorFacts(
        id=co_author.pk,
        account=co_author.user.get_username(),
        name=person_label(co_author.user),
        role=co_author.role,
        shut_out=is_shut_out(co_author),
    )


@serves(
    router,
    "GET",
    ALL,
    scope=Scope.PEOPLE,
    answers={200: document(CoAuthorList)},
    title="List the co-authors of a survey",
)
def list_co_authors(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.READ)
    items = tuple(map(_facts, survey.co_authors.select_related("user")))
    return answer(CoAuthorList(owner=survey.owner.get_username(), items=items))


@serves(
    router,
    "POST",
    ALL,
    scope=Scope.PEOPLE,
    answers={201: document(CoAuthorFacts)},
    title="Add a co-author, by a name in full",
)
def create_co_author(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[CoAuthorOrder, Bridge(CoAuthorOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.OWN)
    form = CoAuthorForm(posted({"person": order.person, "role": order.role}))
    check(form)
    count_search(user_of(request))
    person = person_called(form.cleaned_data["person"])
    added = add_co_author(survey=survey, user=person, role=form.cleaned_data["role"])
    note_change(survey, user_of(request), added_words(added))
    headers = {"Location": f"{request.path}/{added.pk}"}
    return answer(_facts(added), 201, headers)


@serves(
    router,
    "PUT",
    ONE,
    scope=Scope.PEOPLE,
    answers={200: document(CoAuthorFacts)},
    title="Give a co-author another role",
)
def put_role(
    request: HttpRequest,
    survey_id: Key,
    co_author_id: Key,
    order: Annotated[RoleOrder, Bridge(RoleOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.OWN)
    form = RoleForm(posted({"role": order.role}))
    check(form)
    role = form.cleaned_data["role"]
    changed = change_role(survey=survey, co_author_id=co_author_id, role=role)
    note_change(survey, user_of(request), changed_words(changed))
    return answer(_facts(changed))


@serves(
    router,
    "DELETE",
    ONE,
    scope=Scope.PEOPLE,
    answers={204: None},
    title="Remove a co-author; each may remove themselves",
)
def delete_co_author(request: HttpRequest, survey_id: Key, co_author_id: Key) -> HttpResponse:
    survey, person = survey_of(request, survey_id, Access.READ), user_of(request)
    leaves = survey.co_authors.filter(pk=co_author_id, user=person).exists()
    if not leaves:
        survey = survey_of(request, survey_id, Access.OWN)
    removed = remove_co_author(survey=survey, co_author_id=co_author_id)
    note_change(survey, person, left_words(removed) if leaves else removed_words(removed))
    return no_content()
