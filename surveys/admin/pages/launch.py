"""Launch: a page that lists what freezes, and the button that freezes it."""

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys.admin.overview import launch_context
from surveys.admin.pages.page import attempt, author_of, render_page, survey_page, to_change_page
from surveys.forms.direct_arm import DirectArmForm
from surveys.forms.roster import KnownAnswersForm
from surveys.models import Survey
from surveys.services.reviews import launch_reviewed

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def launch(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_draft:
        model_admin.message_user(request, _("The survey has been launched already."), "WARNING")
        return to_change_page(survey)
    personal = survey.mode == Survey.Mode.PERSONAL
    posted = request.POST if request.method == "POST" else None
    asks_directly = survey.questions.filter(asked_directly=True).exists()
    form = _form(posted, personal=personal, asks_directly=asks_directly)
    if request.method == "POST" and (form is None or form.is_valid()):
        with attempt(request) as outcome:
            launch_reviewed(
                survey=survey,
                reviewed_digest=request.POST.get("digest", ""),
                actor=author_of(request),
            )
        if outcome.succeeded:
            confirmed = _("Launched; confirmed what people who are asked directly lose.")
            message = confirmed if asks_directly else _("Launched.")
            model_admin.log_change(request, survey, message)
            return _launched(model_admin, request, survey, personal=personal)
    context = launch_context(survey) | {"form": form, "title": _("Launch: what freezes")}
    return render_page(model_admin, request, survey, "launch.html", **context)


def _form(
    posted: QueryDict | None, *, personal: bool, asks_directly: bool
) -> KnownAnswersForm | DirectArmForm | None:
    """What is to be confirmed: personal links and arms exclude one another."""
    if personal:
        return KnownAnswersForm(posted)
    return DirectArmForm(posted) if asks_directly else None


def _launched(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, *, personal: bool
) -> HttpResponse:
    """On to what respondents are sent."""
    if personal:
        message, page = _("Launched. Now make the personal links."), "admin:survey_links"
    else:
        message, page = _("Launched. Now share the link."), "admin:survey_share"
    model_admin.message_user(request, message, "SUCCESS")
    return redirect(page, survey.pk)
