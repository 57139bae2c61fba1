"""The buttons that add a split sample to a draft, and take arms away again."""

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.admin.pages.page import attempt, survey_page, to_change_page
from surveys.devices import question_epsilon_total
from surveys.models import Question, Survey
from surveys.services.survey_arms import (
    AddedArm,
    add_split_sample,
    left_out_list,
    remove_direct_arm,
    remove_split_sample,
)

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("POST")
def split_add(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    with attempt(request):
        added = add_split_sample(survey=survey)
        message = f"{_split_words(added)} {left_out_list(added.left_out)}".strip()
        _say(model_admin, request, survey, message)
    return to_change_page(survey)


@survey_page("POST")
def split_remove(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    with attempt(request):
        count = remove_split_sample(survey=survey)
        message = ngettext(
            "The split sample is removed from %s question.",
            "The split sample is removed from %s questions.",
            count,
        )
        _say(model_admin, request, survey, message % numbers.count(count))
    return to_change_page(survey)


@survey_page("POST")
def direct_remove(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    with attempt(request):
        count = remove_direct_arm(survey=survey)
        message = ngettext(
            "Nobody is asked directly any more: %s question had a direct arm.",
            "Nobody is asked directly any more: %s questions had a direct arm.",
            count,
        )
        _say(model_admin, request, survey, message % numbers.count(count))
    return to_change_page(survey)


def _say(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, message: str) -> None:
    model_admin.log_change(request, survey, message)
    model_admin.message_user(request, message, "SUCCESS")


def _split_words(added: AddedArm) -> str:
    message = _(
        "A split sample is added: chance puts %(share)s of 100 people into it, who are asked with "
        "a smaller epsilon: %(questions)s. All questions together still use %(total)s of the "
        "budget of %(budget)s."
    )
    survey = added.survey
    return message % {
        "share": numbers.count(survey.split_share),
        "questions": ", ".join(map(_split_part, added.questions)),
        "total": numbers.decimal(question_epsilon_total(survey.questions.all())),
        "budget": numbers.decimal(survey.budget),
    }


def _split_part(question: Question) -> str:
    values = {
        "name": question.name,
        "split": numbers.decimal(question.split_epsilon or 0),
        "epsilon": numbers.decimal(question.epsilon or 0),
    }
    return _("%(name)s with %(split)s instead of %(epsilon)s") % values
