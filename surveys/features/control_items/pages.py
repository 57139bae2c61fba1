"""The button that adds a control item to a draft."""

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.page import attempt, survey_page, to_change_page
from surveys.devices import question_epsilon_total
from surveys.features.control_items.changes import add_control_item
from surveys.models import Question, Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("POST")
def control_item(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    with attempt(request):
        item = add_control_item(survey=survey)
        model_admin.log_change(request, survey, _("Control item added: “%s”") % item.text)
        model_admin.message_user(request, _added(survey, item), "SUCCESS")
    return to_change_page(survey)


def _added(survey: Survey, item: Question) -> str:
    message = _(
        "The control item “%(text)s” is added. It has the epsilon %(epsilon)s: all questions "
        "together now use %(total)s of the budget of %(budget)s."
    )
    return message % {
        "text": item.text,
        "epsilon": numbers.decimal(item.epsilon or 0),
        "total": numbers.decimal(question_epsilon_total(survey.questions.all())),
        "budget": numbers.decimal(survey.budget),
    }
