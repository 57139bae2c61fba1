"""What can be added to a survey: each with what it is for, and what stands in its way."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page, to_change_page
from surveys.authoring.features import obstacles_to
from surveys.features import FEATURES, Feature
from surveys.models import Question, Survey
from surveys.services.editing import implied_by_mode, use_mode

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@dataclass(frozen=True, slots=True)
class Addition:
    """`url`: where it is added, or what adds it `at_once`. `where`: what to do there."""

    feature: Feature
    is_used: bool
    obstacles: list[str]
    url: str
    at_once: bool
    where: str
    sets: list[str]


@survey_page("GET", "POST")
def add_feature(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """List them; or use one that tells respondents apart, with the settings that it needs."""
    if not survey.is_draft:
        return to_change_page(survey)
    if request.method == "POST":
        return _use(model_admin, request, survey)
    questions = list(survey.questions.all())
    additions = [_addition(feature, survey, questions) for feature in FEATURES.values()]
    return render_page(
        model_admin,
        request,
        survey,
        "add_feature.html",
        title=_("Add to this survey"),
        additions=additions,
    )


def _addition(feature: Feature, survey: Survey, questions: list[Question]) -> Addition:
    is_used = feature.is_used_in_draft(survey, questions)
    obstacles = [] if is_used else list(obstacles_to(feature.name, survey, questions))
    url, where = _way_to(feature, survey)
    at_once = bool(feature.desk.added_by) or (not url and feature.mode is not None)
    if feature.desk.added_by:
        url = reverse(f"admin:survey_{feature.desk.added_by}", args=[survey.pk])
    uses_mode = at_once and not url and not is_used
    sets = implied_by_mode(survey) if uses_mode else []
    return Addition(feature, is_used, obstacles, url, at_once, where, sets)


def _way_to(feature: Feature, survey: Survey) -> tuple[str, str]:
    """Return the page on which it is added, and what to do there."""
    desk = feature.desk
    if desk.added_on:
        return reverse(f"admin:survey_{desk.added_on}", args=[survey.pk]), ""
    if desk.added_by:
        return "", ""
    if desk.survey_field is not None:
        settings = reverse("admin:survey_settings", args=[survey.pk])
        return f"{settings}#id_{desk.survey_field.name}", ""
    if feature.mode is not None:
        return "", ""
    words = _("Open a question, and choose “%s” under “More for this question”.")
    return reverse("admin:surveys_survey_change", args=[survey.pk]), words % feature.purpose


def _use(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    feature = FEATURES.get(request.POST.get("feature", ""))
    if feature is None or feature.mode is None:
        raise Http404
    with attempt(request) as done:
        changed = use_mode(survey=survey, mode=feature.mode)
    if done.succeeded:
        words = _("“%s” is added.") % feature.label
        log_and_say(model_admin, request, survey, " ".join([words, *changed]))
    url = _way_to(feature, survey)[0]
    return redirect(url) if url else redirect("admin:survey_add_feature", survey.pk)
