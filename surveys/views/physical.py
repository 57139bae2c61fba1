"""The form for a physical randomizer: HTML and nothing else, no script and no cookie."""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from csp.constants import NONE
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import add_never_cache_headers, patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from surveys.authoring.disclosure_risk import risk_of_document
from surveys.devices.physical.device import STRATUM
from surveys.exceptions import (
    InvalidSubmissionError,
    NotAcceptingError,
    StaleDigestError,
    SurveyError,
)
from surveys.features import at_rest, given_without_script
from surveys.forms.physical import PhysicalForm
from surveys.forms.physical_questions import instructed, is_offered, left_out_questions
from surveys.languages import LANGUAGE_KEY
from surveys.models import Launch
from surveys.responses.envelope import ParsedSubmission
from surveys.services.responses import record_parsed
from surveys.strength import strength_of
from surveys.strength_words import respondent_words
from surveys.throttle import throttle_posts
from surveys.views.origin import same_origin_only
from surveys.views.page_languages import Shown, shown_in
from surveys.views.respond import (
    embeddable,
    no_survey,
    of_features,
    render_in_language,
    render_state,
    shown_features,
    shown_survey,
)
from surveys.views.wire import is_too_large

FORM_TYPE = "application/x-www-form-urlencoded"
_POLICY = {"script-src": [NONE], "connect-src": [NONE]}


# POST, the only method with an effect, is guarded by same_origin_only below.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def physical(request: HttpRequest, slug: str) -> HttpResponseBase:
    if request.method == "POST":
        return _receive(request, slug)
    response = _show_form(request, slug)
    # Cached by this browser alone, so that Back leads to the same form and id, not to a new one.
    patch_cache_control(response, private=True, max_age=0)
    return response


def _show_form(request: HttpRequest, slug: str) -> HttpResponse:
    survey = shown_survey(slug)
    if survey is None:
        return no_survey(request)
    launch = survey.current_launch()
    if not survey.accepts_responses():
        return embeddable(render_state(request, survey, launch.served_parameters), survey, {})
    if not is_offered(launch.parameters):
        return _not_offered_page(request, launch)
    # Drawn for each form, not for a person: see docs/decisions/0011.
    initial = {"digest": launch.digest, "submission": str(uuid.uuid4())}
    page = _shown(request, launch)
    with translation.override(page.language):
        form = PhysicalForm(page.document, initial=initial)
    # Only here: a link beside what was sent would lead to a new form.
    return _page(request, launch, "physical", {"form": form, "page": page})


def _shown(request: HttpRequest, launch: Launch) -> Shown:
    """The survey as the form shows it, in the language that its address asks for."""
    page = shown_in(request, launch.survey, launch.served_parameters)
    document = page.document
    if page.translation_digest:
        with translation.override(page.language):
            document = instructed(document, launch.survey.questions.all())
    return replace(page, document=at_rest(document))


def _slow_down(request: HttpRequest, seconds: int) -> HttpResponse:
    message = _("Many answers came from your network. Wait %(seconds)s seconds, go back and send.")
    return _refusal(request, 429, _("A moment, please"), message % {"seconds": seconds})


@same_origin_only
@throttle_posts("submit", "SUBMIT_RATE", refuse=_slow_down)
def _receive(request: HttpRequest, slug: str) -> HttpResponse:
    refusal = _unfit(request)
    if refusal is not None:
        return refusal
    survey = shown_survey(slug)
    if survey is None:
        return no_survey(request)
    launch = survey.current_launch()
    if not is_offered(launch.parameters):
        return _not_offered_page(request, launch)
    with translation.override(_shown(request, launch).language):
        response = _record(request, launch)
    add_never_cache_headers(response)
    return response


def _record(request: HttpRequest, launch: Launch) -> HttpResponse:
    form = PhysicalForm(_shown(request, launch).document, request.POST)
    if not form.is_identified():
        return _retry_page(request, launch, 422, _("This form did not arrive whole."))
    if not form.is_valid() and launch.accepting and form.cleaned_data["digest"] == launch.digest:
        return _page(request, launch, "physical", {"form": form}, status=422)
    try:
        acknowledgement = record_parsed(launch=launch, parsed=_parsed_submission(form, launch))
    except SurveyError as error:
        return _refusal_page(request, launch, error)
    sent = form.sent_rows()
    letters = sum(bool(row["letter"]) for row in sent)
    context = {
        "stored": acknowledgement,
        "sent": sent,
        "letters": letters,
        "plain": sum(row["answered"] for row in sent) - letters,
        "contact": _shown(request, launch).document.contact,
    }
    return _page(
        request, launch, "physical_sent", context, status=201 if acknowledgement.created else 200
    )


def _parsed_submission(form: PhysicalForm, launch: Launch) -> ParsedSubmission:
    return ParsedSubmission(
        submission=uuid.UUID(form.cleaned_data["submission"]),
        digest=form.cleaned_data["digest"],
        wave=launch.wave,
        **form.content(),
    )


def _refusal_page(request: HttpRequest, launch: Launch, error: SurveyError) -> HttpResponse:
    if isinstance(error, StaleDigestError):
        return _retry_page(
            request, launch, 409, _("The survey has changed since this form was loaded.")
        )
    if isinstance(error, NotAcceptingError):
        context = {
            "heading": _("This survey is closed"),
            "contact": _shown(request, launch).document.contact,
        }
        message = _("It takes no more answers. Nothing of this form was stored.")
        return _page(
            request, launch, "physical_problem", context | {"message": message}, status=409
        )
    if isinstance(error, InvalidSubmissionError):
        return _retry_page(request, launch, 422, _("This form belongs to another survey."))
    raise error


def _retry_page(request: HttpRequest, launch: Launch, status: int, message: str) -> HttpResponse:
    context = {"heading": _("Nothing was stored"), "message": message, "again": True}
    return _page(request, launch, "physical_problem", context, status=status)


def _not_offered_page(request: HttpRequest, launch: Launch) -> HttpResponse:
    context = {"needs_page": left_out_questions(_shown(request, launch).document)}
    return _page(request, launch, "physical_none", context, status=404)


def _refusal(request: HttpRequest, status: int, heading: str, message: str) -> HttpResponse:
    """The page for a request that is refused before the survey is read."""
    context = {"heading": heading, "message": message}
    return render(request, "surveys/respond/physical_refusal.html", context, status=status)


def _unfit(request: HttpRequest) -> HttpResponse | None:
    heading = _("This cannot be read")
    if request.content_type != FORM_TYPE:
        return _refusal(request, 415, heading, _("Send the form from its own page."))
    if is_too_large(request):
        return _refusal(request, 413, heading, _("What was sent is larger than any response."))
    return None


def _page(
    request: HttpRequest,
    launch: Launch,
    template: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    page = _shown(request, launch)
    survey, document = page.survey, page.document
    current = document.language
    shared = {
        "survey": survey,
        "document": document,
        "digest": launch.digest,
        "language": page.language,
        "in_language": f"{LANGUAGE_KEY}={current}" if page.translation_digest else "",
        "direct": sum(not x.randomized for x in document.questions)
        - len(given_without_script(document)),
        "risk": risk_of_document(document, planned_n=survey.planned_n),
        "strength": _strength(page),
        **of_features(shown_features(document, survey)),
    }
    template = f"surveys/respond/{template}.html"
    response = render_in_language(request, template, {**shared, **context}, status=status)
    return embeddable(response, survey, _POLICY)


def _strength(page: Shown) -> dict[str, Any]:
    """How much the letters of this form can reveal, without the reports of the page."""
    with translation.override(page.language):
        return respondent_words(strength_of(page.document.devices, stratum=STRATUM))
