"""Checks of a draft, and the steps of a survey: launch, close, reopen; the frozen parameters."""

import json
from datetime import datetime
from typing import Annotated, Any

import msgspec
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Body, Router

from surveys.api.documents import Bridge, answer, document
from surveys.api.finding import Key, survey_of
from surveys.api.keys import user_of
from surveys.api.problems import Broken
from surveys.api.resources.surveys import DefinitionBody, SurveyFacts, check_compose, facts_of
from surveys.api.serving import serves
from surveys.authoring.checks.survey import lint_survey
from surveys.definitions import BadDefinitionError
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.models import Survey
from surveys.models.api_token import Scope
from surveys.parameters.schema import schema
from surveys.services.access import Access
from surveys.services.definitions import import_definition
from surveys.services.histories import note_change
from surveys.services.launches import confirmations_of, launch_reviewed, parameters_to_serve
from surveys.services.transitions import close_survey, reopen_until

router = Router(tags=["launch"])


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A remark of the launch check; `blocks`: whether it stops the launch."""

    code: str
    blocks: bool
    message: str
    question: str | None


class Checks(msgspec.Struct, frozen=True, kw_only=True):
    """What a launch would say now. `digest`: of what it would freeze; None while it cannot.

    `confirm`: what its author has to read first, and confirm with the launch.
    """

    ready: bool
    digest: str | None
    findings: tuple[Found, ...]
    confirm: tuple[str, ...]


class Validated(msgspec.Struct, frozen=True, kw_only=True):
    """What a definition would become, of which nothing is stored.

    `problems`: why no draft can be made of it. `changed`: what could not be taken as it stands, or
    is still missing. `checks`: those of the draft; None where there would be none.
    """

    valid: bool
    problems: tuple[Broken, ...]
    changed: tuple[str, ...]
    checks: Checks | None


class LaunchOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`digest`: that of the checks that were read. `confirmed`: whether `confirm` was read, too."""

    digest: Annotated[str, msgspec.Meta(max_length=100)]
    confirmed: bool = False


class ReopenOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`closes_at`: when it closes by itself; null: not by itself."""

    closes_at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None


@serves(
    router,
    "POST",
    "/validate",
    scope=Scope.SURVEYS_READ,
    answers={200: document(Validated)},
    title="Check a definition without storing it",
)
def validate_definition(request: HttpRequest, definition: DefinitionBody) -> HttpResponse:
    check_compose(request)
    # It is stored as an import is, looked at, and taken back: there is no second set of rules.
    with transaction.atomic():
        try:
            with transaction.atomic():
                imported = import_definition(definition=definition, owner=user_of(request))
        except BadDefinitionError as error:
            broken = [Broken(field=each.place, rule=each.message) for each in error.problems]
            found = Validated(valid=False, problems=tuple(broken), changed=(), checks=None)
        else:
            checks = _checks(Survey.objects.get(pk=imported.survey.pk))
            changed = tuple(imported.changed)
            found = Validated(valid=True, problems=(), changed=changed, checks=checks)
        transaction.set_rollback(True)
    return answer(found)


@serves(
    router,
    "GET",
    "/{survey_id}/checks",
    scope=Scope.SURVEYS_READ,
    answers={200: document(Checks)},
    title="Run the launch checks of a draft, and launch nothing",
)
def get_checks(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    if not survey.is_draft:
        raise WrongStateError(_("The survey has been launched already."))
    return answer(_checks(survey))


def _checks(survey: Survey) -> Checks:
    findings = tuple(
        Found(
            code=each.code,
            blocks=each.blocks,
            message=str(each.message),
            question=each.question,
        )
        for each in lint_survey(survey)
    )
    try:
        digest = parameters_to_serve(survey=survey).digest
    except NotReadyError:
        digest = None
    lines = (line for each in confirmations_of(survey) for line in (each.heading, *each.lines))
    confirm = tuple(map(str, lines))
    return Checks(ready=digest is not None, digest=digest, findings=findings, confirm=confirm)


@serves(
    router,
    "POST",
    "/{survey_id}/launch",
    scope=Scope.LAUNCH,
    answers={200: document(SurveyFacts)},
    title="Launch a draft whose checks were read",
)
def launch(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[LaunchOrder, Bridge(LaunchOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    launch_reviewed(
        survey=survey,
        reviewed_digest=order.digest,
        actor=user_of(request),
        confirmed=order.confirmed,
    )
    return _moved(request, survey)


@serves(
    router,
    "POST",
    "/{survey_id}/close",
    scope=Scope.LAUNCH,
    answers={200: document(SurveyFacts)},
    title="Close an open survey",
)
def close(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    with transaction.atomic():
        close_survey(survey=survey, actor=user_of(request))
        note_change(survey, user_of(request), _("Closed."))
    return _moved(request, survey)


@serves(
    router,
    "POST",
    "/{survey_id}/reopen",
    scope=Scope.LAUNCH,
    answers={200: document(SurveyFacts)},
    title="Open a closed survey again, under the same parameters",
)
def reopen(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[ReopenOrder, Bridge(ReopenOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    with transaction.atomic():
        reopen_until(survey=survey, closes_at=order.closes_at, actor=user_of(request))
        note_change(survey, user_of(request), _("Reopened."))
    return _moved(request, survey)


def _moved(request: HttpRequest, survey: Survey) -> HttpResponse:
    return answer(facts_of(request, Survey.objects.get(pk=survey.pk)))


@serves(
    router,
    "GET",
    "/{survey_id}/parameters",
    scope=Scope.SURVEYS_READ,
    answers={200: document(schema)},
    title="Read the frozen parameters, or those that a launch would freeze",
)
def get_parameters(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    served: Any = parameters_to_serve(survey=survey).document()
    return answer(json.dumps(served, ensure_ascii=False, allow_nan=False).encode())
