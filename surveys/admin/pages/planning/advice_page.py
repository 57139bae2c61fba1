"""What should I choose? A proposal for the epsilons of a draft, and the button that takes it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page, to_change_page
from surveys.authoring.advice.exit_words import exit_rows
from surveys.authoring.advice.exits import exits_of
from surveys.authoring.advice.proposal import NoProposalError, Proposal
from surveys.authoring.advice.survey import advise, fingerprint, may_group
from surveys.authoring.advice.words import (
    button_words,
    confirm_words,
    limit_words,
    rows_of,
    summary,
    taken_words,
)
from surveys.forms.advice import AdviceForm, TakingForm
from surveys.models import Question, Survey
from surveys.services.advice import Taking, take_advice

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def advice(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show what is proposed for the wish in the address, and take it where it is posted."""
    if not survey.is_draft:
        message = _("The survey has been launched: its epsilons are frozen.")
        model_admin.message_user(request, message, "WARNING")
        return to_change_page(survey)
    posted = request.POST if request.method == "POST" else None
    form = AdviceForm(request.GET if posted is None else posted, survey=survey)
    context: dict[str, Any] = {"title": _("What should I choose?"), "form": form}
    if not form.is_valid():
        return render_page(model_admin, request, survey, "advice.html", **context)
    questions = list(survey.questions.all())
    try:
        proposal = advise(survey, questions, form.wish())
    except NoProposalError as error:
        context["problem"] = error.message
        return render_page(model_admin, request, survey, "advice.html", **context)
    taking = _taking_form(posted, survey, questions, proposal)
    if (
        posted is not None
        and taking.is_valid()
        and _take(model_admin, request, survey, form, taking)
    ):
        return to_change_page(survey)
    context |= _shown(form, survey, questions, proposal)
    context["taking"] = taking
    return render_page(model_admin, request, survey, "advice.html", **context)


def _take(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    form: AdviceForm,
    taking: TakingForm,
) -> bool:
    """Write the proposal, and say so; False where it was refused."""
    values, fields = taking.cleaned_data, sorted(taking.survey_fields)
    with attempt(request) as outcome:
        taken = take_advice(
            survey=survey,
            taking=Taking(form.wish(), values["seen"], fields, values.get("accepts_worse", False)),
        )
        log_and_say(model_admin, request, survey, taken_words(taken, fields))
    return outcome.succeeded


def _taking_form(
    posted: QueryDict | None, survey: Survey, questions: Sequence[Question], proposal: Proposal
) -> TakingForm:
    """Return the form beside the button; a wish that is the survey's own has no tick."""
    wish = proposal.wish
    labels, needed = {}, set()
    if proposal.worse:
        labels["accepts_worse"] = confirm_words(proposal)
        needed.add("accepts_worse")
    if wish.limit != survey.budget:
        text = _("Change the privacy budget from %(before)s to %(after)s")
        labels["budget_too"] = text % {
            "before": numbers.decimal(survey.budget),
            "after": numbers.decimal(wish.limit),
        }
        needed |= {"budget_too"} if proposal.total > survey.budget else set()
    if wish.planned_n != survey.planned_n:
        text = _(
            "Change the planned respondents from %(before)s to %(after)s: the margins above are "
            "those of so many"
        )
        labels["planned_n_too"] = text % {
            "before": numbers.count(survey.planned_n),
            "after": numbers.count(wish.planned_n),
        }
    seen = fingerprint(survey, questions)
    return TakingForm(posted, labels=labels, needed=needed, initial={"seen": seen})


def _shown(
    form: AdviceForm, survey: Survey, questions: Sequence[Question], proposal: Proposal
) -> dict[str, Any]:
    exits = exit_rows(proposal, exits_of(proposal))
    return {
        "proposal": proposal,
        "seen": fingerprint(survey, questions),
        "rows": rows_of(proposal, questions, groups=may_group(survey, questions)),
        "summary": summary(proposal),
        "limit": limit_words(proposal.wish),
        "exits": [(exit.words, _address(form, exit.changes)) for exit in exits],
        "button": button_words(proposal),
        "wished": _values(form),
    }


def _values(form: AdviceForm) -> dict[str, str]:
    """Return the wish as its form sends it."""
    return {name: str(value) for name, value in form.cleaned_data.items()}


def _address(form: AdviceForm, changes: dict[str, str]) -> str:
    """Return the address of a changed wish, on this page; empty where nothing is changed."""
    if not changes:
        return ""
    query = QueryDict(mutable=True)
    query.update(_values(form) | changes)
    return f"?{query.urlencode()}"
