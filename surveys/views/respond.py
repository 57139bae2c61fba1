"""The respondent's pages. None of them reads a session or sets a cookie."""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from csp.constants import SELF
from csp.decorators import csp_replace
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from surveys.authoring.disclosure_risk import risk_of_document
from surveys.features import FEATURES, at_rest, given_without_script, used_features
from surveys.forms.physical_questions import is_offered, left_out_words
from surveys.languages import LANGUAGE_KEY
from surveys.models import Survey
from surveys.moments import moment_text
from surveys.parameters import (
    Parameters,
    ServedParameters,
    joint_of,
)
from surveys.strength import Strength, strength_of
from surveys.strength_words import budget_words, respondent_words
from surveys.views.page_languages import Shown as ShownSurvey
from surveys.views.page_languages import page_language, shown_in
from surveys.views.parts import Shown, parts_of
from surveys.views.releases import current_release
from surveys.views.scripts import (
    all_scripts,
    catalog_script,
    fingerprint,
    language_texts,
    loading_of,
    respondent_scripts,
    scripts_beside,
)

_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?")


class Compact(DjangoJSONEncoder):
    """JSON without spaces after commas and colons."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"separators": (",", ":")})


@require_safe
@cache_control(no_cache=True, private=True)
def respond(request: HttpRequest, slug: str) -> HttpResponse:
    survey = shown_survey(slug)
    if survey is None:
        return no_survey(request)
    served_parameters = survey.current_launch().served_parameters
    if survey.accepts_responses():
        response = render_form(
            request, survey=survey, served_parameters=served_parameters, preview=False
        )
    else:
        response = render_state(request, survey, served_parameters)
    return embeddable(response, survey, {})


def shown_survey(slug: str) -> Survey | None:
    return Survey.objects.exclude(state=Survey.State.DRAFT).filter(slug=slug).first()


def no_survey(request: HttpRequest) -> HttpResponse:
    return render(request, "surveys/respond/unknown.html", status=404)


def render_form(
    request: HttpRequest,
    *,
    survey: Survey,
    served_parameters: ServedParameters,
    preview: bool,
    begin: str = "",
) -> HttpResponse:
    """The form for these parameters and their digest; a preview sends and stores nothing.

    `begin`: the name of the question with which it opens, instead of the welcome.
    """
    page = shown_in(request, survey, served_parameters)
    survey, document, language = page.survey, at_rest(page.document), page.language
    strength = strength_of(document.devices)
    needs_all = any(x.page.needs_all(document) for x in used_features(document))
    at_once = preview or survey.layout == Survey.Layout.ALL or needs_all
    parts = parts_of(document, strength, at_once=at_once, languages=bool(page.choices))
    loading = loading_of(parts, language)
    answered_already = given_without_script(document)
    randomized = sum(question.randomized for question in document.questions)
    joint = bool(joint_of(document))
    shown = shown_features(document, survey, request.GET if preview else None)
    context = {
        "survey": survey,
        "document": document,
        "digest": served_parameters.digest,
        "parameters": json_script(page.served.document(), "parameters", encoder=Compact),
        "preview": preview,
        "begin": begin,
        "page": page,
        "texts": language_texts(language) if page.choices else None,
        "language": language,
        "randomized": randomized,
        "direct": len(document.questions) - randomized - len(answered_already),
        "joint": joint,
        "risk": risk_of_document(document, planned_n=survey.planned_n),
        "identifying": strength.identifying,
        **_addresses(page, preview=preview),
        **_words(document, strength, shown, language),
        **of_features(shown),
        "entry": respondent_scripts(language)[0],
        "loading": loading,
        "asks_first": [x.name for x in used_features(document) if x.page.asks_first],
        "beside": scripts_beside(document),
        "fingerprint": fingerprint(all_scripts()),
        "release": current_release(),
        "short_digest": served_parameters.digest.removeprefix("sha256:")[:12],
    }
    return render_in_language(request, "surveys/respond/respond.html", context)


def _words(
    document: Parameters, strength: Strength, shown: Mapping[str, Shown], language: str
) -> dict[str, Any]:
    """The texts that follow from the parameters, in the language of the page."""
    with translation.override(language):
        words = respondent_words(strength) | {"budget": budget_words(document, strength)}
        words |= ChainMap(*(dict(part.strength) for part in shown.values()))
        left_out = left_out_words(document) if is_offered(document) else ""
    return {"strength": words, "left_out": left_out}


def shown_features(
    document: Parameters, survey: Survey, preview: QueryDict | None = None
) -> dict[str, Shown]:
    """Return what a page shows of each feature that has something to show."""
    with translation.override(page_language(survey)):
        parts = {name: x.page.shown(document, survey, preview) for name, x in FEATURES.items()}
    return {name: part for name, part in parts.items() if part is not None}


def of_features(shown: Mapping[str, Shown]) -> dict[str, Any]:
    """Return what the page shows of features: templates, values, and data of scripts."""
    slots: dict[str, list[str]] = {}
    for part in shown.values():
        for slot, template in part.slots.items():
            slots.setdefault(slot, []).append(template)
    return {
        **{name: part.values for name, part in shown.items()},
        "slots": slots,
        "feature_data": {key: value for part in shown.values() for key, value in part.data.items()},
        "sections_of_features": " ".join(sections_of_features()),
    }


def sections_of_features() -> Iterator[str]:
    """Yield where features have something in a document, for the script that checks one.

    A name alone is that of a section, which is an empty list where nothing uses the feature. A sign
    stands before what else a document has of it: a key of each question (.), a section that may
    be null (?), one that is absent where nothing uses it (!), a text that is absent where it is
    empty ($), the mode of a survey that uses it (=), or what static/js/rr/uses.js finds (~).
    """
    for name, feature in FEATURES.items():
        part = feature.document
        if feature.mode:
            yield f"{name}={feature.mode.value}"
        for key, section in part.sections.items():
            yield f"{name}?{key}" if type(None) in get_args(section) else name
        for key in part.optional_sections:
            yield f"{name}!{key}"
        for key in part.optional_texts:
            yield f"{name}${key}"
        for key in part.question_sections:
            yield f"{name}.{key}"
        if part.mark:
            yield f"{name}~{part.mark}"


def _addresses(page: ShownSurvey, *, preview: bool) -> dict[str, str]:
    """The addresses that the page asks or leads to; empty where it does not, and in a preview."""
    slug = page.survey.slug
    has_form = not preview and is_offered(page.document)
    in_language = f"?{LANGUAGE_KEY}={page.document.language}" if page.translation_digest else ""
    return {
        "responses_url": "" if preview else reverse("responses", args=[slug]),
        "physical_url": reverse("physical", args=[slug]) + in_language if has_form else "",
    }


@require_safe
@cache_control(no_cache=True, private=True)
def check(request: HttpRequest) -> HttpResponse:
    """The page for checking what a browser runs: the current hash of each script."""
    scripts = all_scripts()
    context = {
        "scripts": scripts,
        "fingerprint": fingerprint(scripts),
        "release": current_release(),
        "site": request.build_absolute_uri(reverse("home")).rstrip("/"),
        "requests": [x.page.request for x in FEATURES.values() if x.page.request],
    }
    return render(request, "surveys/respond/check.html", context)


def render_state(
    request: HttpRequest, survey: Survey, served_parameters: ServedParameters
) -> HttpResponse:
    page = shown_in(request, survey, served_parameters)
    survey, document, language = page.survey, page.document, page.language
    not_open_yet = (
        survey.state == Survey.State.OPEN
        and survey.opens_at is not None
        and survey.opens_at > timezone.now()
    )
    context = {
        "survey": survey,
        "document": document,
        "page": page,
        "language": language,
        "catalog": catalog_script(language),
        **of_features(shown_features(document, survey)),
    }
    with translation.override(language):
        context["opens"] = _moment(survey) if not_open_yet else None
    return render_in_language(request, "surveys/respond/state.html", context)


def _moment(survey: Survey) -> SafeString:
    """The opening time with its zone, which a script converts to the reader's zone."""
    opens = timezone.localtime(survey.opens_at)
    return format_html(
        '<time data-local datetime="{}">{}</time>',
        opens.isoformat(timespec="seconds"),
        moment_text(opens),
    )


def render_in_language(
    request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    with translation.override(context["language"]):
        response = render(request, template, context, status=status)
    # Otherwise the middleware would set the language that the browser prefers.
    response["Content-Language"] = context["language"]
    return response


def in_own_frames(response: HttpResponse) -> HttpResponse:
    """Allow the pages of this site to show a page in a frame."""
    response.xframe_options_exempt = True
    csp_replace({"frame-ancestors": [SELF]})(lambda _request: response)(HttpRequest())
    return response


def embeddable(
    response: HttpResponse, survey: Survey, policy: Mapping[str, list[str]]
) -> HttpResponse:
    """Allow only the sites named by the author to show the form in a frame.

    `policy` has the further directives of the page's security policy.
    """
    origins = [word for word in survey.embed_origins.split() if _ORIGIN.fullmatch(word)]
    if origins:
        response.xframe_options_exempt = True
        policy = {**policy, "frame-ancestors": [SELF, *origins]}
    if policy:
        csp_replace({**policy})(lambda _request: response)(HttpRequest())
    return response
