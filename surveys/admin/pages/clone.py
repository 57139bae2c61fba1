"""Clone: a new draft with the same texts and questions."""

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from surveys.admin.overview import words_of
from surveys.admin.pages.page import author_of, survey_page, to_change_page
from surveys.features.parts import Moment
from surveys.models import Survey
from surveys.services.definitions import clone_survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("POST")
def clone(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    copy = clone_survey(survey=survey, owner=author_of(request))
    model_admin.log_addition(request, copy, _("Cloned from %s.") % survey.slug)
    message = _("This is the copy, a draft of its own. Give it a title and an address.")
    model_admin.message_user(request, message, "SUCCESS")
    if any(question.randomized for question in copy.questions.all()):
        warning = _(
            "Do not ask the same people twice: each asking is a new draw, so what both reveal "
            "about one person adds up, and the budget of one survey does not know of the other."
        )
        model_admin.message_user(request, warning, "WARNING")
    for words in words_of(survey, Moment.CLONED):
        model_admin.message_user(request, words, "WARNING")
    return to_change_page(copy)
