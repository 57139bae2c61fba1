"""The figures beside each epsilon, and the budget, as they are typed. Reads and stores nothing."""

import json
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from surveys.forms.panel import PanelForm, device_form
from surveys.models import Question
from surveys.panel import Panel, budget_of, panel_of

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

MOST_QUESTIONS = 500


def panel(model_admin: "SurveyAdmin", request: HttpRequest) -> HttpResponse:
    if not (model_admin.has_add_permission(request) or model_admin.has_change_permission(request)):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    asked = _asked(request.body)
    if asked is None:
        return JsonResponse({"error": "The body must be a JSON object."}, status=400)
    return JsonResponse(_answer(asked))


def _asked(body: bytes) -> dict[str, Any] | None:
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        return None
    questions = asked.get("questions") if isinstance(asked, dict) else None
    if not isinstance(questions, list) or len(questions) > MOST_QUESTIONS:
        return None
    return asked if all(isinstance(question, dict) for question in questions) else None


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    survey = PanelForm(asked)
    survey.is_valid()
    plan = survey.cleaned_data
    panels, counted = {}, []
    for entry in asked["questions"]:
        panel, question = _one(entry, plan)
        panels[str(entry.get("key", ""))] = {
            "figures": panel.figures,
            "texts": panel.texts,
            "error": panel.error,
        }
        counted += [question] if question is not None else []
    budget = plan.get("budget")
    total = budget_of(questions=counted, budget=budget) if budget else None
    return {"panels": panels, "budget": total}


def _one(entry: dict[str, Any], plan: dict[str, Any]) -> tuple[Panel, Question | None]:
    """The panel, and the question as far as its epsilon counts against the budget."""
    form = device_form(entry)
    if not form.is_valid():
        counts = "epsilon" not in form.errors and form.cleaned_data.get("randomized")
        problem = " ".join(message for messages in form.errors.values() for message in messages)
        return Panel(error=problem), form.instance if counts else None
    if not form.instance.randomized:
        return Panel(), form.instance
    planned_n, language = plan.get("planned_n") or 500, plan.get("language") or "en"
    return panel_of(question=form.instance, planned_n=planned_n, language=language), form.instance
