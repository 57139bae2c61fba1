"""Waves for programs: those that there are, what a next one would be, and its launch."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Body, Router

from surveys.api.documents import Bridge, answer, document
from surveys.api.finding import Key, survey_of
from surveys.api.forms import check, posted
from surveys.api.keys import user_of
from surveys.api.problems import Broken, Refusal
from surveys.api.serving import serves
from surveys.exceptions import NotReadyError
from surveys.features.return_codes.changes import (
    launch_reviewed_wave,
    launch_with_waves,
    launchable_wave,
)
from surveys.features.return_codes.forms import PREFIX, NextWaveForm
from surveys.models import Launch
from surveys.models.api_token import Scope
from surveys.parameters import digest_of
from surveys.parameters.budget import spent
from surveys.services.access import Access

router = Router(tags=["waves"])


class WaveFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`epsilon`: what the questions of this wave add up to."""

    wave: int
    digest: str
    launched_at: datetime
    epsilon: Decimal


class WaveList(msgspec.Struct, frozen=True, kw_only=True):
    """`questions`: those that a next wave can ask more exactly, with the epsilon so far."""

    items: tuple[WaveFacts, ...]
    questions: dict[str, Decimal]


class WaveDraft(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`epsilons`: of the questions that are asked more exactly; all others stay as they are."""

    epsilons: dict[str, Decimal]


class WaveOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`digest`: that of the checks that were read."""

    epsilons: dict[str, Decimal]
    digest: Annotated[str, msgspec.Meta(max_length=100)]


class WaveChecks(msgspec.Struct, frozen=True, kw_only=True):
    """What a launch of the wave would say now. `digest`: null while it cannot be.

    `before`, `after`: what the questions of one wave add up to, now and then.
    """

    ready: bool
    digest: str | None
    problems: tuple[str, ...]
    before: Decimal
    after: Decimal | None


def _facts(launch: Launch) -> WaveFacts:
    return WaveFacts(
        wave=launch.wave,
        digest=launch.digest,
        launched_at=launch.launched_at,
        epsilon=spent(launch.parameters.devices),
    )


@serves(
    router,
    "GET",
    "/{survey_id}/waves",
    scope=Scope.SURVEYS_READ,
    answers={200: document(WaveList)},
    title="List the waves of a survey with return codes",
)
def list_waves(request: HttpRequest, survey_id: Key) -> HttpResponse:
    launch = launch_with_waves(survey_of(request, survey_id, Access.EDIT))
    waves = sorted(launch.survey.launches.all(), key=lambda each: each.wave)
    form = NextWaveForm(None, launch=launch)
    return answer(WaveList(items=tuple(map(_facts, waves)), questions=form.in_force))


@serves(
    router,
    "POST",
    "/{survey_id}/waves/checks",
    scope=Scope.SURVEYS_READ,
    answers={200: document(WaveChecks)},
    title="Look at what a next wave would freeze, and launch nothing",
)
def check_wave(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[WaveDraft, Bridge(WaveDraft), Body(...)],
) -> HttpResponse:
    launch = launch_with_waves(survey_of(request, survey_id, Access.EDIT))
    epsilons, before = _epsilons(launch, order.epsilons), spent(launch.parameters.devices)
    try:
        parameters = launchable_wave(launch=launch, epsilons=epsilons)
    except NotReadyError as error:
        problems = tuple(map(str, error.problems))
        return answer(
            WaveChecks(ready=False, digest=None, problems=problems, before=before, after=None)
        )
    after = spent(parameters.devices)
    digest = digest_of(parameters)
    return answer(WaveChecks(ready=True, digest=digest, problems=(), before=before, after=after))


@serves(
    router,
    "POST",
    "/{survey_id}/waves",
    scope=Scope.LAUNCH,
    answers={201: document(WaveFacts)},
    title="Launch a next wave whose checks were read",
)
def launch_wave(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[WaveOrder, Bridge(WaveOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    launched = launch_reviewed_wave(
        survey=survey,
        epsilons=_epsilons(launch_with_waves(survey), order.epsilons),
        reviewed_digest=order.digest,
        actor=user_of(request),
    )
    return answer(_facts(launched), 201)


def _epsilons(launch: Launch, wanted: dict[str, Decimal]) -> dict[str, Decimal]:
    """What the form of the page makes of it; raises Refusal."""
    usual = NextWaveForm(None, launch=launch)
    known = {question.id for question in launch.parameters.questions if question.randomized}
    unknown = [
        Broken(field=f"epsilons.{name}", value=str(value), rule=_("a scrambled question"))
        for name, value in wanted.items()
        if name not in known
    ]
    if unknown:
        raise Refusal(422, "invalid", _("The body breaks a rule."), errors=unknown)
    values = {PREFIX + name: value for name, value in (usual.in_force | wanted).items()}
    form = NextWaveForm(posted(values), launch=launch)
    check(form, lambda name: f"epsilons.{name.removeprefix(PREFIX)}")
    fixed = wanted.keys() - usual.in_force.keys()
    # What has no field can be asked again as it is only; the wave itself says why.
    return form.epsilons() | {name: wanted[name] for name in fixed}
