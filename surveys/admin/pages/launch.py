"""Launch: a page that lists what freezes, and the button that freezes it."""

from typing import TYPE_CHECKING

from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys.admin.overview import launch_context
from surveys.admin.pages.page import attempt, author_of, render_page, survey_page, to_change_page
from surveys.features import FEATURES, Feature
from surveys.models import Survey
from surveys.services.reviews import launch_reviewed

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def launch(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_draft:
        model_admin.message_user(request, _("The survey has been launched already."), "WARNING")
        return to_change_page(survey)
    posted = request.POST if request.method == "POST" else None
    feature, form = _of_feature(survey, posted)
    if request.method == "POST" and (form is None or form.is_valid()):
        with attempt(request) as outcome:
            launch_reviewed(
                survey=survey,
                reviewed_digest=request.POST.get("digest", ""),
                actor=author_of(request),
            )
        if outcome.succeeded:
            confirmed = feature.desk.confirmed_words() if feature else ""
            model_admin.log_change(request, survey, confirmed or _("Launched."))
            return _launched(model_admin, request, survey)
    context = launch_context(survey) | {"form": form, "title": _("Launch: what freezes")}
    return render_page(model_admin, request, survey, "launch.html", **context)


def _of_feature(
    survey: Survey, posted: QueryDict | None
) -> tuple[Feature, Form] | tuple[None, None]:
    """The feature of which something is to be confirmed, and the form for it."""
    for feature in FEATURES.values():
        form = feature.desk.confirmation(survey, posted)
        if form is not None:
            return feature, form
    return None, None


def _launched(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Redirect to what respondents are sent."""
    of_features = filter(None, (feature.desk.launched(survey) for feature in FEATURES.values()))
    message, page = next(of_features, (_("Launched. Now share the link."), "share"))
    model_admin.message_user(request, message, "SUCCESS")
    return redirect(f"admin:survey_{page}", survey.pk)
