"""The figures beside each epsilon, and the budget, while a form is edited; nothing is stored."""

import json
import time
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from surveys.admin.panel_answers import counts_in_budget, panel_answer
from surveys.authoring.limits import too_many_questions
from surveys.authoring.panel_words import budget_of
from surveys.authoring.pilot_figures import pilot_words
from surveys.forms.panel_forms import DeviceForm, EpsilonForm, PanelForm, device_form, epsilon_form
from surveys.models import Question, Survey
from surveys.models.question import USUAL_PLANNED

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# After this time an answer is sent with the panels computed so far, and the page asks for the
# rest: no computation outlives its client for long.
SECONDS = 1.0
_DIGITS = 18  # digits of a key; more would not fit the column


def panel(model_admin: "SurveyAdmin", request: HttpRequest) -> HttpResponse:
    if not (model_admin.has_add_permission(request) or model_admin.has_change_permission(request)):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    request_body = _read_body(request.body)
    if request_body is None:
        return JsonResponse({"error": "The body must be a JSON object."}, status=400)
    problem = too_many_questions(len(request_body["questions"]))
    if problem:
        return JsonResponse({"error": problem}, status=422)
    return JsonResponse(
        answer_panels(request_body, _stored_questions(request, request_body["questions"]))
    )


def _read_body(body: bytes) -> dict[str, Any] | None:
    try:
        request_body = json.loads(body)
    except (ValueError, RecursionError):
        return None
    questions = request_body.get("questions") if isinstance(request_body, dict) else None
    if not isinstance(questions, list):
        return None
    return request_body if all(isinstance(question, dict) for question in questions) else None


def _stored_questions(request: HttpRequest, entries: list[dict[str, Any]]) -> dict[str, Question]:
    """The saved questions by key, of drafts that this person may change; a table that a search
    found is taken from there and never from the request.
    """
    keys = [str(entry.get("id", "")) for entry in entries]
    keys = [key for key in keys if key.isdecimal() and len(key) <= _DIGITS]
    if not keys:
        return {}
    surveys = Survey.objects.editable_by(request.user).filter(state=Survey.State.DRAFT)
    questions = Question.objects.filter(survey__in=surveys.order_by(), pk__in=keys)
    return {str(question.pk): question for question in questions}


def answer_panels(request_body: dict[str, Any], questions: dict[str, Question]) -> dict[str, Any]:
    """`more`: some panels are missing for want of time, and at least one has been computed."""
    survey = PanelForm(request_body)
    survey.is_valid()
    plan = survey.cleaned_data
    deadline = time.monotonic() + SECONDS
    panels: dict[str, dict[str, Any]] = {}
    instances, settled_keys, has_more = [], _settled_keys(request_body), False
    for entry in request_body["questions"]:
        key = str(entry.get("key", ""))
        is_late = bool(panels) and time.monotonic() > deadline
        if is_late or key in settled_keys:
            has_more = has_more or key not in settled_keys
            # What can be told of pairs follows from the answers too.
            form: DeviceForm | EpsilonForm = (
                device_form(entry) if plan.get("pilot") else epsilon_form(entry)
            )
            form.is_valid()
        else:
            form = device = device_form(entry, questions.get(str(entry.get("id", ""))))
            device.is_valid()
            panels[key] = panel_answer(device, plan)
        instances += [form.instance] if counts_in_budget(form) else []
    budget = plan.get("budget")
    pilot = bool(plan.get("pilot"))
    total = budget_of(questions=instances, budget=budget, pilot=pilot) if budget else None
    return {
        "panels": panels,
        "budget": total,
        "pilot": pilot_words(instances, plan.get("planned_n") or USUAL_PLANNED) if pilot else "",
        "more": has_more,
    }


def _settled_keys(request_body: dict[str, Any]) -> set[str]:
    """Questions whose figures the page has already; they count against the budget only."""
    keys = request_body.get("settled")
    return {key for key in keys if isinstance(key, str)} if isinstance(keys, list) else set()
