"""The next wave: what is asked more exactly, what that means, and the button that freezes it."""

import dataclasses
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.page import attempt, author_of, render_page, survey_page, to_change_page
from surveys.authoring.panel.words import panel_of
from surveys.drafts import Draft
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.features.return_codes.changes import (
    launch_reviewed_wave,
    launch_with_waves,
    launchable_wave,
    wave_words,
)
from surveys.features.return_codes.forms import NextWaveForm
from surveys.features.return_codes.next_wave import kept_joint_words
from surveys.models import Launch, Survey
from surveys.parameters import Parameters, digest_of, joint_of_all
from surveys.parameters.budget import spent

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def next_wave(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    try:
        launch = launch_with_waves(survey)
    except WrongStateError as error:
        model_admin.message_user(request, error.message, "WARNING")
        return to_change_page(survey)
    form = NextWaveForm(request.POST or None, launch=launch)
    context: dict[str, Any] = {"title": _("Next wave"), "form": form, "wave": launch.wave + 1}
    context["kept"] = _without_a_field(launch, form)
    joint = joint_of_all(launch.parameters)
    context["joint"] = [kept_joint_words(launch.parameters, device) for device in joint]
    if form.is_valid():
        epsilons = form.epsilons()
        if "digest" in request.POST:
            with attempt(request) as outcome:
                launched = launch_reviewed_wave(
                    survey=survey,
                    epsilons=epsilons,
                    reviewed_digest=request.POST["digest"],
                    actor=author_of(request),
                )
            if outcome.succeeded:
                message = _("Tell those who have a return code: the link is the same.")
                model_admin.message_user(request, f"{wave_words(launched)} {message}", "SUCCESS")
                return redirect("admin:survey_share", survey.pk)
        context |= _review(launch, epsilons)
    return render_page(
        model_admin, request, survey, "features/return_codes/next_wave.html", **context
    )


def _without_a_field(launch: Launch, form: NextWaveForm) -> list[str]:
    """The scrambled questions that can be asked again only as they are, beside joint ones."""
    joint = {name for device in joint_of_all(launch.parameters) for name in device.questions}
    return [
        question.text
        for question in launch.parameters.questions
        if question.randomized and question.id not in form.in_force.keys() | joint
    ]


def _review(launch: Launch, epsilons: dict[str, Decimal]) -> dict[str, Any]:
    """Return what would be frozen and what it brings, or the problems that prevent it."""
    try:
        parameters = launchable_wave(launch=launch, epsilons=epsilons)
    except NotReadyError as error:
        return {"problems": error.problems}
    return {
        "digest": digest_of(parameters),
        "changes": [_change(launch, parameters, name) for name in epsilons],
        "before": numbers.epsilon(spent(launch.parameters.devices)),
        "after": numbers.epsilon(spent(parameters.devices)),
        "budget": numbers.decimal(Decimal(parameters.epsilon)),
    }


def _change(launch: Launch, parameters: Parameters, name: str) -> dict[str, Any]:
    """One question before and after: epsilon, margin, and what the code then gives away."""
    survey = launch.survey
    draft = Draft.of(survey.questions.get(name=name))
    question = parameters.question(name)
    panels = []
    for each in (launch.parameters, parameters):
        epsilon = spent(each.devices_of(question))
        panel = panel_of(
            draft=dataclasses.replace(draft, epsilon=epsilon),
            planned_n=survey.planned_n,
            language=survey.language,
        )
        panels.append({"epsilon": numbers.epsilon(epsilon), "texts": panel.texts})
    return {"text": question.text, "before": panels[0], "after": panels[1]}
