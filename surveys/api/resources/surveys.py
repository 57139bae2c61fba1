"""Surveys: listed, made from a definition, read, replaced, deleted."""

from datetime import datetime
from typing import Annotated, Any, TypeAlias

import msgspec
from django.db import transaction
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from ninja import Body, Query, Router

from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import Key, check_desk, survey_of
from surveys.api.keys import user_of
from surveys.api.paging import Before, Limit, page_of
from surveys.api.problems import Refusal
from surveys.api.serving import serves
from surveys.definitions import (
    Definition,
    definition_of,
    definition_types,
    read_definition,
    written,
)
from surveys.exceptions import WrongStateError
from surveys.models import CoAuthor, Launch, Survey
from surveys.models.api_token import Scope
from surveys.services.access import Access
from surveys.services.co_authors import role_among, role_of
from surveys.services.definitions import import_definition
from surveys.services.histories import note_addition, note_change, note_deletion
from surveys.services.revisions import replace_definition, version_of
from surveys.services.roles import may_compose
from surveys.services.transitions import delete_survey

router = Router(tags=["surveys"])


class LaunchFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What was frozen last: its version and wave, and the digest that names it."""

    version: int
    wave: int
    digest: str
    launched_at: datetime


class SurveyFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A survey as its authors see it; nothing of it is about answers.

    `role`: that of the token's account. `address`: the last part of the respondents' link.
    """

    id: int
    address: str
    link: str
    title: str
    language: str
    state: str
    mode: str
    role: str
    opens_at: datetime | None
    closes_at: datetime | None
    launch: LaunchFacts | None


class SurveyList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[SurveyFacts, ...]
    next: str | None


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A draft, and what could not be taken as it stands or is still missing, in sentences."""

    survey: SurveyFacts
    changed: tuple[str, ...]


_DEFINITION = Bridge(lambda: definition_types().definition, read_definition)
DefinitionBody: TypeAlias = Annotated[Definition, _DEFINITION, Body(...)]


def facts_of(request: HttpRequest, survey: Survey) -> SurveyFacts:
    """What the interface tells of a survey."""
    role = role_of(survey, user_of(request))
    return _facts(request, survey, survey.current_launch(), role)


def _facts(request: HttpRequest, survey: Survey, launch: Launch | None, role: str) -> SurveyFacts:
    return SurveyFacts(
        id=survey.pk,
        address=survey.slug,
        link=request.build_absolute_uri(reverse("respond", args=[survey.slug])),
        title=survey.title,
        language=survey.language,
        state=survey.state,
        mode=survey.mode,
        role=role,
        opens_at=survey.opens_at,
        closes_at=survey.closes_at,
        launch=None
        if launch is None
        else LaunchFacts(
            version=launch.version,
            wave=launch.wave,
            digest=launch.digest,
            launched_at=launch.launched_at,
        ),
    )


@serves(
    router,
    "GET",
    "",
    scope=Scope.SURVEYS_READ,
    answers={200: document(SurveyList)},
    title="List the surveys that you own or that are shared with you",
)
def list_surveys(
    request: HttpRequest,
    limit: Limit,
    before: Before,
    state: Annotated[Survey.State | None, Query(None)],
    address: Annotated[str | None, Query(None, max_length=64, pattern=r"^[a-z0-9-]*$")],
) -> HttpResponse:
    check_desk(request, Access.READ)
    user = user_of(request)
    surveys = Survey.objects.texts_visible_to(user)
    if state is not None:
        surveys = surveys.filter(state=state)
    if address is not None:
        surveys = surveys.filter(slug=address)

    def told(survey: Any) -> SurveyFacts:
        launch = next(iter(survey.newest_launches), None)
        return _facts(request, survey, launch, role_among(survey, user, survey.own_roles))

    # A page of them takes as many statements as one.
    newest = Launch.objects.order_by("-version", "-wave").defer("parameters", "translations")
    return page_of(
        request,
        surveys.prefetch_related(
            Prefetch("launches", newest, to_attr="newest_launches"),
            Prefetch("co_authors", CoAuthor.objects.filter(user=user), to_attr="own_roles"),
        ),
        told,
        SurveyList,
        limit=limit,
        before=before,
    )


@serves(
    router,
    "POST",
    "",
    scope=Scope.SURVEYS_WRITE,
    answers={201: document(Stored)},
    title="Make a draft from a definition",
)
def create_survey(request: HttpRequest, definition: DefinitionBody) -> HttpResponse:
    check_compose(request)
    imported = import_definition(definition=definition, owner=user_of(request))
    note_addition(imported.survey, user_of(request), _("Made from a definition, by a program."))
    stored = _stored(request, imported)
    headers = {
        "Location": f"{request.path.rstrip('/')}/{imported.survey.pk}",
        "ETag": _tag(imported.survey),
    }
    return answer(stored, 201, headers)


def check_compose(request: HttpRequest) -> None:
    """Raise Refusal for an account that may make no surveys."""
    if not may_compose(user_of(request)):
        check_desk(request, Access.EDIT)
        raise Refusal(403, "no_author", _("This account may make no surveys."))


@serves(
    router,
    "GET",
    "/{survey_id}",
    scope=Scope.SURVEYS_READ,
    answers={200: document(SurveyFacts)},
    title="Read the state of a survey",
)
def get_survey(request: HttpRequest, survey_id: Key) -> HttpResponse:
    return answer(facts_of(request, survey_of(request, survey_id, Access.READ)))


@serves(
    router,
    "DELETE",
    "/{survey_id}",
    scope=Scope.SURVEYS_WRITE,
    answers={204: None},
    title="Delete a draft",
)
def delete_draft(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.OWN)
    if not survey.is_draft:
        words = _("A program deletes drafts only. Delete a closed survey on its page.")
        raise WrongStateError(words)
    with transaction.atomic():
        note_deletion(survey, user_of(request))
        delete_survey(survey=survey, actor=user_of(request))
    return no_content()


@serves(
    router,
    "GET",
    "/{survey_id}/definition",
    scope=Scope.SURVEYS_READ,
    answers={200: Annotated[Any, _DEFINITION]},
    title="Read the definition of a survey",
)
def get_definition(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    return answer(written(definition_of(survey)), headers={"ETag": _tag(survey)})


@serves(
    router,
    "PUT",
    "/{survey_id}/definition",
    scope=Scope.SURVEYS_WRITE,
    answers={200: document(Stored)},
    title="Replace the definition of a draft",
    if_match=True,
)
def put_definition(
    request: HttpRequest, survey_id: Key, definition: DefinitionBody
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    imported = replace_definition(
        survey=survey,
        definition=definition,
        expected=expected_versions(request),
        actor=user_of(request),
    )
    note_change(imported.survey, user_of(request), _("Replaced by a program."))
    return answer(_stored(request, imported), headers={"ETag": _tag(imported.survey)})


def expected_versions(request: HttpRequest) -> list[str] | None:
    """The versions that a change may replace, None for any; raises Refusal where none is named."""
    header = request.headers.get("If-Match", "")
    tags = parse_etags(header)
    if tags == ["*"]:
        return None
    if not tags:
        words = _("Send If-Match with the ETag of what you read, or “*” to replace any version.")
        raise Refusal(428, "no_version", words)
    return [tag.strip('"') for tag in tags if not tag.startswith("W/")]


def _stored(request: HttpRequest, imported: Any) -> Stored:
    survey = Survey.objects.get(pk=imported.survey.pk)
    return Stored(survey=facts_of(request, survey), changed=tuple(imported.changed))


def _tag(survey: Survey) -> str:
    return f'"{version_of(survey)}"'
