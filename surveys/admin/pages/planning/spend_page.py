"""A proposal for dividing the budget, while a form is edited; nothing is stored."""

import time
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.translation import gettext as _

from surveys.admin.pages.planning.panel_page import read_body, stored_questions
from surveys.authoring.budget_advice import advise
from surveys.authoring.budget_split import (
    NoProposalError,
    OutOfTimeError,
    Spender,
    most_of,
)
from surveys.authoring.limits import too_many_questions
from surveys.authoring.panel.budget_words import proposal_answer
from surveys.devices.joint_margin import join_questions
from surveys.devices.registry import stored_problem
from surveys.drafts import Draft
from surveys.forms.panel_forms import DeviceForm, device_form
from surveys.forms.spend import SpendForm
from surveys.models import Question

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# After this time the page is asked to ask again; what was computed is remembered meanwhile.
SECONDS = 1.0


def spend(model_admin: "SurveyAdmin", request: HttpRequest) -> HttpResponse:
    if not (model_admin.has_add_permission(request) or model_admin.has_change_permission(request)):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    request_body = read_body(request.body)
    if request_body is None:
        return JsonResponse({"error": "The body must be a JSON object."}, status=400)
    entries = request_body["questions"]
    form = SpendForm(request_body)
    problem = too_many_questions(len(entries)) or _problems_of(form)
    if problem:
        return JsonResponse({"error": problem}, status=422)
    try:
        planned_n = form.plan().planned_n
        spenders = list(_spenders(entries, stored_questions(request, entries), planned_n))
        advice = advise(spenders, form.plan(), time.monotonic() + SECONDS)
    except NoProposalError as error:
        # An answer like any other: what was asked for cannot be had.
        return JsonResponse({"problem": error.message})
    except OutOfTimeError:
        return JsonResponse({"more": True})
    return JsonResponse(proposal_answer(advice))


def _problems_of(form: SpendForm | DeviceForm) -> str:
    """Return what is wrong with a form, in one text; empty where nothing is."""
    return " ".join(str(message) for messages in form.errors.values() for message in messages)


def _spenders(
    entries: list[dict[str, Any]], questions: dict[str, Question], planned_n: int
) -> Iterable[Spender]:
    """The sensitive questions, those of one draw together, in the order of the page.

    Raises NoProposalError for one that is not finished: its margin is not known.
    """
    cap = Decimal(settings.EPSILON_CAP)
    forms = [device_form(entry, questions.get(str(entry.get("id", "")))) for entry in entries]
    for form in forms:
        form.is_valid()
    join_questions([form.instance for form in forms])
    together: dict[str, list[tuple[str, Draft, Decimal]]] = {}
    for number, (entry, form) in enumerate(zip(entries, forms, strict=True), 1):
        if form.cleaned_data.get("randomized") is False:
            continue
        problem = _problems_of(form) or stored_problem(form.instance)
        if problem:
            text = _("Question %(number)s is not finished: %(problem)s")
            raise NoProposalError(text % {"number": number, "problem": problem})
        key = str(entry.get("key", ""))
        draft = replace(Draft.of(form.instance), planned_n=planned_n)
        most = most_of(cap, has_reason=bool(str(entry.get("epsilon_reason") or "").strip()))
        place = f"alone {number}" if draft.membership is None else f"joint {draft.group}"
        together.setdefault(place, []).append((key, draft, most))
    for members in together.values():
        keys, drafts, mosts = zip(*members, strict=True)
        # One report has no more than one question may have on its own.
        yield Spender(keys, drafts, min(cap, min(mosts) * len(members)))
