"""A survey as a committee reads it: every text, device and guarantee, on one page to print."""

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from surveys.authoring.disclosure_risk import risk_of_document
from surveys.features import mode_of
from surveys.models import Survey
from surveys.models.survey import label_of_mode
from surveys.services.review_links import survey_under_review
from surveys.views.frozen import frozen_context
from surveys.views.respond import of_features, shown_features


@require_safe
def review(request: HttpRequest, secret: str) -> HttpResponse:
    """404 for a link that is void, as for one that was never made."""
    survey = survey_under_review(secret)
    if survey is None:
        raise Http404
    response = render(request, "surveys/review/review.html", review_context(survey))
    # Whoever had it before must not read it from a store once the link is void.
    add_never_cache_headers(response)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def review_context(survey: Survey) -> dict[str, object]:
    mode, launch = mode_of(survey.mode), survey.current_launch()
    context = frozen_context(survey)
    if document := context["document"]:
        asked = None if launch else QueryDict()
        context |= of_features(shown_features(document, survey, asked))
        context["risk"] = risk_of_document(document, planned_n=survey.planned_n)
    return {
        **context,
        "survey": survey,
        "launch": launch,
        "mode_label": label_of_mode(survey.mode),
        "mode_help": str(mode.help) if mode else "",
    }
