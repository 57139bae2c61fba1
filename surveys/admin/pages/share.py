"""Share: the link, its QR code, the snippet for other sites."""

from io import BytesIO
from typing import TYPE_CHECKING, Any

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.overview import sending_of
from surveys.admin.pages.page import render_page, survey_page, to_change_page
from surveys.features import FEATURES
from surveys.models import Survey
from surveys.moments import moment_text
from surveys.parameters.steps import versions_of
from surveys.strength import strength_of
from surveys.strength_words import strength_words

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# Downloads of reports that the page lists.
MOST_DOWNLOADS = 100
_FRAME = '<iframe src="{}" title="{}" width="100%" height="800"></iframe>'
_LINK = '<a href="{}">{}</a>'


@survey_page("GET")
def share(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if survey.is_draft:
        message = _("There is nothing to share yet: respondents can open the link after launch.")
        model_admin.message_user(request, message, "WARNING")
        return to_change_page(survey)
    link, sending = respondent_link(request, survey), sending_of(survey)
    context: dict[str, Any] = {
        "title": _("Share"),
        "sending": sending,
        "sending_link": sending and reverse(f"admin:survey_{sending.page}", args=[survey.pk]),
        "respondent_link": link,
        "further_links": further_links(survey, link),
        "frame_code": _code(_FRAME, link, survey.title),
        "link_code": _code(_LINK, link, survey.title),
        "strength": strength_words(strength_of(survey.current_launch().parameters.devices)),
        "row_downloads": row_downloads(survey),
        "results_link": request.build_absolute_uri(reverse("results", args=[survey.slug])),
    }
    return render_page(model_admin, request, survey, "share.html", **context)


def row_downloads(survey: Survey) -> list[dict[str, str]]:
    """Return who has downloaded reports, the latest first."""
    versions = versions_of(survey.current_launch().parameters)
    return [
        {
            "name": each.name,
            "file": each.file,
            "readers": versions[each.step] if versions else "",
            "responses": numbers.count(each.responses),
            "moment": moment_text(each.downloaded_at),
        }
        for each in survey.row_downloads.all()[:MOST_DOWNLOADS]
    ]


@survey_page("GET")
def qr_code(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """An image of its own, because the site's policy allows no inline style."""
    if sending_of(survey):
        raise Http404
    link, number = respondent_link(request, survey), request.GET.get("link", "")
    if number:
        others = further_links(survey, link)
        if not number.isdecimal() or int(number) >= len(others):
            raise Http404
        link = others[int(number)]["link"]
    buffer = BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(buffer, kind="svg", scale=8, border=4, light="#fff", title=survey.title)
    response = HttpResponse(buffer.getvalue(), content_type="image/svg+xml")
    if "download" in request.GET:
        name = f"{survey.slug}-qr-{number}.svg" if number else f"{survey.slug}-qr.svg"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def respondent_link(request: HttpRequest, survey: Survey) -> str:
    return request.build_absolute_uri(survey.get_absolute_url())


def further_links(survey: Survey, link: str) -> list[dict[str, str]]:
    """Return the links that say something of respondents, each with what it says."""
    parameters = survey.current_launch().parameters
    found = [each for x in FEATURES.values() for each in x.desk.further_links(parameters)]
    return [{"words": each.words, "link": f"{link}#{each.fragment}"} for each in found]


def _code(pattern: str, link: str, title: str) -> str:
    """A plain string, so that the page shows this markup and does not contain it."""
    return format_html(pattern, link, title)[:]
