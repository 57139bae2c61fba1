"""The page on which questions are picked that are sent together."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page, to_change_page
from surveys.authoring.features import obstacles_to
from surveys.features.groups.allowed import groups_in
from surveys.features.groups.changes import end_group, make_group
from surveys.features.groups.figures import group_label
from surveys.features.groups.forms import GroupForm
from surveys.features.groups.section import NAME
from surveys.models import Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def groups(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_draft:
        return to_change_page(survey)
    questions = list(survey.questions.all())
    form = GroupForm(request.POST if request.method == "POST" else None, questions=questions)
    if form.is_valid():
        with attempt(request) as done:
            number = make_group(survey=survey, names=form.cleaned_data["questions"])
        if done.succeeded:
            words = _("These questions are sent together now, as group %s.") % number
            log_and_say(model_admin, request, survey, words)
            return to_change_page(survey)
    context: dict[str, Any] = {
        "title": _("Questions that are sent together"),
        "form": form,
        "obstacles": list(obstacles_to(NAME, survey, questions)),
        "groups": [(group, group_label(group)) for group in groups_in(questions)],
    }
    return render_page(model_admin, request, survey, "features/groups/groups.html", **context)


@survey_page("POST")
def group_end(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    text = request.POST.get("group", "")
    number = int(text) if text.isdecimal() and len(text) < 5 else 0
    ended = 0
    with attempt(request):
        ended = end_group(survey=survey, number=number)
    if ended:
        words = _("The questions of group %s are asked on their own.") % number
        log_and_say(model_admin, request, survey, words)
    return redirect("admin:survey_groups", survey.pk)
