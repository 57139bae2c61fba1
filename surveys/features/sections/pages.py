"""What changes a section from the list of questions."""

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse

from surveys.admin.pages.page import attempt, survey_page, to_change_page
from surveys.features.sections.changes import move_section, put_section_back, remove_section
from surveys.models import Question, Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

STEPS = {"up": -1, "down": 1}


@survey_page("POST")
def change_section(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    """Move, remove or put back the section that begins with a question, as is asked."""
    change, known = request.POST.get("section", ""), {"survey": survey, "question_id": question_id}
    with attempt(request):
        try:
            _change(change, known)
        except Question.DoesNotExist as error:
            raise Http404 from error
    return to_change_page(survey)


def _change(change: str, known: dict[str, Any]) -> None:
    if change in STEPS:
        move_section(**known, step=STEPS[change])
    elif change == "remove":
        remove_section(**known)
    elif change == "back":
        put_section_back(**known)
