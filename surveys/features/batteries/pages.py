"""The page on which batteries of a draft are made, changed and taken apart."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page, to_change_page
from surveys.authoring.features import obstacles_to
from surveys.features.batteries.allowed import DraftBattery, batteries_in
from surveys.features.batteries.changes import (
    change_battery,
    draw_at_once,
    end_battery,
    make_battery,
)
from surveys.features.batteries.figures import ONE, OWN, WAYS, battery_label
from surveys.features.batteries.forms import BatteryForm, TextForm
from surveys.features.batteries.section import NAME
from surveys.models import Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def batteries(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_draft:
        return to_change_page(survey)
    questions = list(survey.questions.all())
    form = BatteryForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with attempt(request) as done:
            number = make_battery(survey=survey, **form.cleaned_data)
        if done.succeeded:
            words = _("The items are questions of the survey now, as battery %s.") % number
            log_and_say(model_admin, request, survey, words)
            return to_change_page(survey)
    context: dict[str, Any] = {
        "title": _("Batteries"),
        "form": form,
        "obstacles": list(obstacles_to(NAME, survey, questions)),
        "batteries": [
            (battery, battery_label(battery), _text_form(battery))
            for battery in batteries_in(questions)
        ],
    }
    return render_page(model_admin, request, survey, "features/batteries/batteries.html", **context)


def _text_form(battery: DraftBattery) -> TextForm:
    initial = {"text": battery.text, "random": battery.random}
    return TextForm(initial=initial, prefix=f"battery-{battery.number}")


@survey_page("POST")
def battery_change(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, number: int
) -> HttpResponse:
    """Change the text above a battery, its draw, or take it apart, as is asked."""
    change, words = request.POST.get("battery", ""), ""
    with attempt(request):
        words = _changed(change, request.POST, survey, number)
    if words:
        log_and_say(model_admin, request, survey, words % number)
    if change in WAYS:
        return to_change_page(survey)
    return redirect("admin:survey_batteries", survey.pk)


def _changed(change: str, posted: QueryDict, survey: Survey, number: int) -> str:
    """Return what is done, in words with a place for the number; empty where nothing is."""
    if change == "end" and end_battery(survey=survey, number=number):
        return _("The questions of battery %s are asked on their own.")
    if change == ONE and draw_at_once(survey=survey, number=number, is_one=True):
        return _("One draw is for all items of battery %s.")
    if change == OWN and draw_at_once(survey=survey, number=number, is_one=False):
        return _("Each item of battery %s has a device of its own.")
    form = TextForm(posted, prefix=f"battery-{number}")
    if change != "text" or not form.is_valid():
        return ""
    is_there = change_battery(survey=survey, number=number, **form.cleaned_data)
    return _("Battery %s is changed.") if is_there else ""
