"""The figures beside each epsilon, and the budget, while a form is edited; nothing is stored."""

import json
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from surveys.admin.panel_answers import counts_in_budget, panel_answer, planned_n
from surveys.authoring.features import selection_of
from surveys.authoring.limits import too_many_questions
from surveys.authoring.panel.words import budget_of
from surveys.devices.joint_margin import join_questions
from surveys.features import FEATURES, draw_fields
from surveys.forms.panel_forms import DeviceForm, EpsilonForm, PanelForm, device_form, epsilon_form
from surveys.models import Question, Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# After this time an answer is sent with the panels computed so far, and the page asks for the
# rest: no computation outlives its client for long.
SECONDS = 1.0
_DIGITS = 18  # digits of a key; more would not fit the column


@dataclass(frozen=True, slots=True)
class Stored:
    """The saved questions of the page by key, and the survey, read for its members only."""

    questions: dict[str, Question]
    survey: Survey | None = None


def panel(model_admin: "SurveyAdmin", request: HttpRequest) -> HttpResponse:
    if not (model_admin.has_add_permission(request) or model_admin.has_change_permission(request)):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    request_body = read_body(request.body)
    if request_body is None:
        return JsonResponse({"error": "The body must be a JSON object."}, status=400)
    problem = too_many_questions(len(request_body["questions"]))
    if problem:
        return JsonResponse({"error": problem}, status=422)
    stored = Stored(
        stored_questions(request, request_body["questions"]), stored_survey(request, request_body)
    )
    return JsonResponse(answer_panels(request_body, stored))


def read_body(body: bytes) -> dict[str, Any] | None:
    try:
        request_body = json.loads(body)
    except (ValueError, RecursionError):
        return None
    questions = request_body.get("questions") if isinstance(request_body, dict) else None
    if not isinstance(questions, list):
        return None
    return request_body if all(isinstance(question, dict) for question in questions) else None


def stored_questions(request: HttpRequest, entries: list[dict[str, Any]]) -> dict[str, Question]:
    """The saved questions by key, of drafts that this person may change; a table that a search
    found is taken from there and never from the request.
    """
    keys = [str(entry.get("id", "")) for entry in entries]
    keys = [key for key in keys if key.isdecimal() and len(key) <= _DIGITS]
    if not keys:
        return {}
    surveys = Survey.objects.editable_by(request.user).filter(state=Survey.State.DRAFT)
    questions = Question.objects.filter(survey__in=surveys.order_by(), pk__in=keys)
    questions = questions.select_related("survey")
    return {str(question.pk): question for question in questions}


def stored_survey(request: HttpRequest, request_body: dict[str, Any]) -> Survey | None:
    """The saved survey, if it is a draft that this person may change; it has the members."""
    key = str(request_body.get("survey", ""))
    if not key.isdecimal() or len(key) > _DIGITS:
        return None
    surveys = Survey.objects.editable_by(request.user).filter(state=Survey.State.DRAFT)
    return surveys.filter(pk=key).first()


def answer_panels(request_body: dict[str, Any], stored: Stored) -> dict[str, Any]:
    """`more`: some panels are missing for want of time, and at least one has been computed."""
    survey = PanelForm(request_body)
    survey.is_valid()
    plan = {**survey.cleaned_data, "sections": survey.sections()}
    selection = selection_of(survey.instance)
    deadline = time.monotonic() + SECONDS
    panels: dict[str, dict[str, Any]] = {}
    entries = request_body["questions"]
    sharing = _sharing_forms(entries, stored)
    asked = _in_order(entries, sharing)
    join_questions(asked)
    instances, settled_keys, has_more = [], _settled_keys(request_body), False
    for entry in entries:
        key = str(entry.get("key", ""))
        is_late = bool(panels) and time.monotonic() > deadline
        if is_late or key in settled_keys:
            has_more = has_more or key not in settled_keys
            # Where a person is asked some of them, what can be told follows from the answers too.
            form: DeviceForm | EpsilonForm = (
                device_form(entry) if selection else epsilon_form(entry)
            )
            form.is_valid()
        else:
            form = device = sharing.get(key) or _read_form(entry, stored)
            panels[key] = panel_answer(device, plan)
        instances += [form.instance] if counts_in_budget(form) else []
    budget = plan.get("budget")
    total = budget_of(questions=instances, budget=budget, selection=selection) if budget else None
    above = {
        name: feature.author.panels_above(asked, planned_n(plan), deadline)
        for name, feature in FEATURES.items()
    }
    return {
        "panels": panels,
        "budget": total,
        "above": {name: [asdict(panel) for panel in x] for name, x in above.items() if x},
        "plan": selection.plan(instances, survey.instance.planned_n) if selection else "",
        "more": has_more or any(panel.pending for panels in above.values() for panel in panels),
    }


def _read_form(entry: dict[str, Any], stored: Stored) -> DeviceForm:
    form = device_form(entry, stored.questions.get(str(entry.get("id", ""))), stored.survey)
    form.is_valid()
    return form


def _sharing_forms(entries: list[dict[str, Any]], stored: Stored) -> dict[str, DeviceForm]:
    """The questions that share a draw, by key: the figures of each depend on the others."""
    return {
        str(entry.get("key", "")): _read_form(entry, stored)
        for entry in entries
        if any(map(entry.get, draw_fields()))
    }


def _in_order(entries: list[dict[str, Any]], forms: dict[str, DeviceForm]) -> list[Question]:
    """The questions as the page numbers them; of one on its own only the place matters."""
    by_position = sorted(entries, key=_position)
    keys = [str(entry.get("key", "")) for entry in by_position]
    return [forms[key].instance if key in forms else Question() for key in keys]


def _position(entry: dict[str, Any]) -> int:
    """Return the place of an entry on the page; what names none comes first."""
    text = str(entry.get("position", ""))
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else 0


def _settled_keys(request_body: dict[str, Any]) -> set[str]:
    """Questions whose figures the page has already; they count against the budget only."""
    keys = request_body.get("settled")
    return {key for key in keys if isinstance(key, str)} if isinstance(keys, list) else set()
