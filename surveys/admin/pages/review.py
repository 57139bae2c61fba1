"""Links for review: who may read a survey without an account, and until when."""

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.admin.pages.page import attempt, author_of, log_and_say, render_page, survey_page
from surveys.forms.review import ReviewLinkForm
from surveys.models import ReviewLink, Survey
from surveys.moments import moment_text
from surveys.services.review_links import make_review_link, revoke_review_link

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def review(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """List the links, and make a new one; it is shown once."""
    form = ReviewLinkForm(request.POST if request.method == "POST" else None)
    made = ""
    if form.is_bound and form.is_valid():
        name = form.cleaned_data["name"]
        with attempt(request) as outcome:
            secret = make_review_link(survey=survey, name=name, author=author_of(request))
        if outcome.succeeded:
            made = request.build_absolute_uri(reverse("review", args=[secret]))
            model_admin.log_change(request, survey, _("Made a link for review: %s.") % name)
            form = ReviewLinkForm()
    context: dict[str, Any] = {
        "title": _("Review"),
        "form": form,
        "made": made,
        "links": [_shown(link) for link in survey.review_links.select_related("made_by")],
    }
    return render_page(model_admin, request, survey, "review.html", **context)


@survey_page("POST")
def review_revoke(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, link_id: int
) -> HttpResponse:
    link = survey.review_links.filter(pk=link_id).first()
    if link is None:
        raise Http404
    revoke_review_link(link=link)
    log_and_say(model_admin, request, survey, _("The link of “%s” is void.") % link.name)
    return redirect("admin:survey_review", survey.pk)


def _shown(link: ReviewLink) -> dict[str, Any]:
    return {
        "pk": link.pk,
        "name": link.name,
        "made": moment_text(link.made_at, "SHORT_DATETIME_FORMAT"),
        "revoked": moment_text(link.revoked_at, "SHORT_DATETIME_FORMAT") if link.revoked_at else "",
    }
