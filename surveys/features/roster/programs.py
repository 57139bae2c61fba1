"""Members and personal links for programs, by the rules of their pages."""

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from ninja import Body, Path, Router

from surveys import numbers
from surveys.api.changing import changing
from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import Key, survey_of
from surveys.api.keys import user_of
from surveys.api.problems import Broken, Refusal, not_found
from surveys.api.serving import serves
from surveys.authoring.reading.typed_tables import UnreadTableError
from surveys.features.roster.changes import delete_names, replace_roster, upload_roster
from surveys.features.roster.links import make_links, revoke
from surveys.features.roster.models import LONGEST_CODE, Member
from surveys.features.roster.reading import members_of, read_roster
from surveys.models import Survey
from surveys.models.api_token import Scope
from surveys.services.access import Access
from surveys.services.histories import note_change

if TYPE_CHECKING:
    from django.db.models import QuerySet

router = Router(tags=["members"])
Code: TypeAlias = Annotated[str, Path(max_length=LONGEST_CODE, pattern=r"^[A-Za-z0-9._-]+$")]


class MemberFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A member. Whether one has answered is told to nobody, here as on the page."""

    code: str
    name: str
    group: str
    has_link: bool


class MemberList(msgspec.Struct, frozen=True, kw_only=True):
    """`have_answered`: how many, and not who."""

    items: tuple[MemberFacts, ...]
    have_link: int
    have_answered: int


class MemberRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    code: str
    name: str
    group: str = ""


class RosterOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole roster; none removes it."""

    members: tuple[MemberRow, ...]


class RosterStored(msgspec.Struct, frozen=True, kw_only=True):
    """`changed`: what else of the survey was set, in sentences."""

    members: int
    changed: tuple[str, ...]


class LinksOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`codes`: of whom; null: of everybody who has not answered."""

    codes: tuple[str, ...] | None = None


class LinkMade(msgspec.Struct, frozen=True, kw_only=True):
    code: str
    link: str


class LinksMade(msgspec.Struct, frozen=True, kw_only=True):
    """New links, which are told once; older ones of the same members are void."""

    items: tuple[LinkMade, ...]


@serves(
    router,
    "GET",
    "/{survey_id}/members",
    scope=Scope.MEMBERS_READ,
    answers={200: document(MemberList)},
    title="List the members of a survey by personal link",
)
def list_members(request: HttpRequest, survey_id: Key) -> HttpResponse:
    members = list(members_of(survey_of(request, survey_id, Access.EDIT)))
    items = tuple(
        MemberFacts(code=each.code, name=each.name, group=each.group, has_link=bool(each.link_hash))
        for each in members
    )
    return answer(
        MemberList(
            items=items,
            have_link=sum(each.has_link for each in items),
            have_answered=sum(each.answered for each in members),
        )
    )


@serves(
    router,
    "PUT",
    "/{survey_id}/members",
    scope=Scope.MEMBERS_WRITE,
    answers={200: document(RosterStored)},
    title="Replace the roster of a draft",
)
def put_members(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[RosterOrder, Bridge(RosterOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    size = len(order.members)
    message = ngettext("The roster has %s member now.", "The roster has %s members now.", size)
    changed: list[str] = []
    try:
        rows = read_roster(_table(order.members)) if order.members else []
    except UnreadTableError as error:
        broken = [Broken(field="members", rule=problem) for problem in error.problems]
        raise Refusal(422, "invalid", _("This is no roster."), errors=broken) from error
    with changing(request, survey, message % numbers.count(size)):
        if rows:
            changed = upload_roster(survey=survey, rows=rows)
        else:
            replace_roster(survey=survey, rows=[])
    return answer(RosterStored(members=size, changed=tuple(changed)))


def _table(rows: Sequence[MemberRow]) -> str:
    """The rows as the table that an author would upload: one reader has the rules of both."""
    grouped = any(row.group for row in rows)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["code", "name", *(["group"] if grouped else [])])
    for row in rows:
        writer.writerow([row.code, row.name, *([row.group] if grouped else [])])
    return text.getvalue()


@serves(
    router,
    "DELETE",
    "/{survey_id}/members/names",
    scope=Scope.MEMBERS_WRITE,
    answers={204: None},
    title="Delete the names of a closed survey's roster",
)
def remove_names(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    delete_names(survey=survey, actor=user_of(request))
    return no_content()


@serves(
    router,
    "POST",
    "/{survey_id}/links",
    scope=Scope.LINKS,
    answers={200: document(LinksMade)},
    title="Make personal links, which are told once",
    secret=True,
)
def make_personal_links(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[LinksOrder, Bridge(LinksOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    made = make_links(survey=survey, members=_waiting(survey, order))
    if made:
        message = ngettext("Made %s personal link.", "Made %s personal links.", len(made))
        note_change(survey, user_of(request), message % numbers.count(len(made)))
    base = request.build_absolute_uri(survey.get_absolute_url())
    # The secret part is behind a #, which browsers send to nobody.
    items = tuple(LinkMade(code=member.code, link=f"{base}#{link}") for member, link in made)
    return answer(LinksMade(items=items))


def _waiting(survey: Survey, order: LinksOrder) -> "QuerySet[Member]":
    waiting = members_of(survey).filter(answered=False)
    if order.codes is None:
        return waiting
    known = set(members_of(survey).values_list("code", flat=True))
    unknown = [
        Broken(field=f"codes[{index}]", value=code, rule=_("the code of a member"))
        for index, code in enumerate(order.codes)
        if code not in known
    ]
    if unknown:
        raise Refusal(422, "invalid", _("The body breaks a rule."), errors=unknown)
    return waiting.filter(code__in=order.codes)


@serves(
    router,
    "DELETE",
    "/{survey_id}/links/{code}",
    scope=Scope.LINKS,
    answers={204: None},
    title="Revoke the personal link of a member",
)
def revoke_link(request: HttpRequest, survey_id: Key, code: Code) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    member = members_of(survey).filter(code=code).first()
    if member is None:
        raise not_found()
    revoke(member=member)
    note_change(survey, user_of(request), _("The link of %s is void.") % member.code)
    return no_content()
